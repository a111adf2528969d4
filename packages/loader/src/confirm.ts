/** Asks the merchant's server what became of a purchase. */
import { hasEnded } from './state.ts'
import type { ConfirmHint, OrderSummary } from './types.ts'

/** One purchase, as the return page needs to know it. It waits in the tab's storage, and never holds a token. */
export interface Purchase {
  id: string
  companion?: string | undefined
  /** The shopper's orders from before this purchase. */
  ids?: string[] | undefined
}

/** Where `Purchase` waits, and the channel on which return pages speak. */
export const KEY = 'purchase-widget'

const read = async (url: string): Promise<unknown> => {
  const response = await fetch(url)
  if (!response.ok) throw Error(`HTTP ${response.status}`)
  return response.json()
}

const list = async (companion: string): Promise<OrderSummary[]> =>
  ((await read(`${companion}/orders`)) as { orders: OrderSummary[] }).orders

/** The ids of the orders that the shopper has already; undefined when the server can't say. */
export const knownIds = (companion: string): Promise<string[] | undefined> =>
  list(companion).then(
    (orders) => orders.map(({ id }) => id),
    () => undefined,
  )

/**
 * The order of a purchase (docs/decisions/0002): the one that the return address names, else the newest that was not there
 * before. A complete order comes first, since a declined try before it makes an order of its own.
 */
export async function findOrder(
  { companion, ids }: Purchase,
  { orderId }: ConfirmHint,
): Promise<OrderSummary | null> {
  if (orderId) {
    const answer = await read(`${companion}/orders/${encodeURIComponent(orderId)}`).catch(() => null)
    if (answer) return (answer as { order: OrderSummary }).order
  }
  const fresh = ids ? (await list(companion as string)).filter(({ id }) => !ids.includes(id)) : []
  return fresh.find(({ type }) => type === 'order_complete') ?? fresh[0] ?? null
}

/** Waits; never ends once `signal` has aborted, and leaves no timer then. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

/**
 * Asks until the order has ended, waiting 0.5, 1, 2, 4, 8 seconds and then 16 each time, for `patience` milliseconds at most.
 * Gives the last answer: null when the server knows no order, undefined when it could not be asked.
 */
export async function untilEnded(
  ask: () => Promise<OrderSummary | null>,
  patience: (order: OrderSummary | null | undefined) => number,
  signal?: AbortSignal,
): Promise<OrderSummary | null | undefined> {
  for (let pause = 500, waited = 0; ; pause = Math.min(pause * 2, 16_000)) {
    const order = await ask().catch(() => undefined)
    if (hasEnded(order) || waited >= patience(order)) return order
    await delay(pause, signal)
    waited += pause
  }
}
