import type { DatabaseSync } from 'node:sqlite'
import { findProduct } from '../catalogue.ts'

/** What a delivery needs to know of an order: wire names of section 2.2 of the interface. */
export interface DeliverableOrder {
  id: string
  type: string
  custom_id?: string | undefined
  product_id?: string | undefined
  quote?: string | undefined
  quote_amount?: string | undefined
}

interface Delivery {
  orderId: string
  productId: string
  /** Epoch milliseconds. */
  deliveredAt: number
}

export interface Deliveries {
  /**
   * Hands over what a complete order paid for. The order's id is the table's key, so however often it is called, and by
   * however many processes, the shopper gets one.
   */
  deliver(order: DeliverableOrder): 'delivered' | 'already delivered' | 'not due'
  has(orderId: string): boolean
  /** What a shopper was given, newest first. */
  of(customId: string): Delivery[]
}

export function createDeliveries(database: DatabaseSync, now: () => number = Date.now): Deliveries {
  const insert = database.prepare(
    'INSERT INTO deliveries (order_id, custom_id, product_id, delivered_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const select = database.prepare(
    'SELECT order_id, product_id, delivered_at FROM deliveries WHERE custom_id = ? ORDER BY delivered_at DESC',
  )
  const find = database.prepare('SELECT 1 FROM deliveries WHERE order_id = ?')
  return {
    has: (orderId) => find.get(orderId) !== undefined,
    deliver(order) {
      if (!isPaidFor(order)) return 'not due'
      const { changes } = insert.run(order.id, order.custom_id, order.product_id, now())
      return changes === 0 ? 'already delivered' : 'delivered'
    },
    of: (customId) =>
      select.all(customId).map((row) => ({
        orderId: String(row.order_id),
        productId: String(row.product_id),
        deliveredAt: Number(row.delivered_at),
      })),
  }
}

/**
 * Complete, for one of our shoppers, and at our price: the amount travels through the shopper's browser, so an order for
 * the chest of gold may well have been paid with one cent.
 */
function isPaidFor(
  order: DeliverableOrder,
): order is DeliverableOrder & { custom_id: string; product_id: string } {
  const product = findProduct(order.product_id)
  return (
    order.type === 'order_complete' &&
    Boolean(order.custom_id) &&
    product !== undefined &&
    order.quote === product.currency &&
    Number(order.quote_amount) >= Number(product.price)
  )
}
