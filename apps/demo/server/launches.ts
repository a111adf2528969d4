import { type Order, type OrderSummary, summarise } from '@purchase-widget/server'

/**
 * The order that each shopper has made since their last launch, as the doorbell heard of it.
 *
 * A purchase that began with `GET /launch`, as in an app's webview, had no page around it that could remember which
 * orders were there before. The server that launched it can.
 */
export interface Launches {
  begin(customId: string): void
  heard(order: Order): void
  /** Null while nothing was heard. */
  orderOf(customId: string): OrderSummary | null
}

/** @param origin of the shop's own pages. */
export function createLaunches(origin: string): Launches {
  const orders = new Map<string, OrderSummary | null>()
  return {
    begin(customId) {
      orders.set(customId, null)
    },
    heard(order) {
      if (!order.custom_id || !orders.has(order.custom_id)) return
      const isOurs = (address: string): boolean => URL.parse(address)?.origin === origin
      orders.set(order.custom_id, summarise(order, isOurs))
    },
    orderOf: (customId) => orders.get(customId) ?? null,
  }
}
