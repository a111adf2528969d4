/** Asks the merchant's server what became of a purchase. */
import { outcomeOf } from './state.ts'
import type { ConfirmHint, OrderSummary } from './types.ts'

/** One purchase, as the return page needs to know it. It waits in the tab's storage, and never holds a token. */
export interface Purchase {
  id?: string | undefined
  companion?: string | undefined
  /** The shopper's orders from before this purchase. */
  ids?: string[] | undefined
}

/** Where `Purchase` waits, and the name under which return pages speak. */
export const KEY = 'purchase-widget'

const read = async (url: string): Promise<{ order: OrderSummary; orders: OrderSummary[] }> => {
  const response = await fetch(url)
  if (!response.ok) throw Error(`HTTP ${response.status}`)
  return response.json()
}

/** The ids of the orders that the shopper has already; undefined when the server can't say. */
export const knownIds = (companion: string): Promise<string[] | undefined> =>
  read(`${companion}/orders`).then(
    ({ orders }) => orders.map(({ id }) => id),
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
    const named = await read(`${companion}/orders/${encodeURIComponent(orderId)}`).catch(() => null)
    if (named) return named.order
  }
  if (!ids) return null
  const fresh = (await read(`${companion}/orders`)).orders.filter(({ id }) => !ids.includes(id))
  return fresh.find((order) => outcomeOf(order) === 'success') ?? fresh[0] ?? null
}

/** Waits; never ends once `signal` has aborted, and leaves no timer then. */
export const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })

/**
 * Asks until the order has ended, waiting 0.5, 1, 2, 4, 8 seconds and then 16 each time: for `patience` milliseconds at most while
 * an order is on its way or the server fails, for `patienceForNone` while it knows none. Gives the last answer: null when the server
 * knows no order, undefined when it could not be asked.
 */
export async function untilEnded(
  ask: () => Promise<OrderSummary | null>,
  patience: number,
  patienceForNone: number,
  signal?: AbortSignal,
): Promise<OrderSummary | null | undefined> {
  for (let pause = 500, waited = 0; ; pause = Math.min(pause * 2, 16_000)) {
    // A merchant's function may throw, or give no promise.
    const order = await Promise.resolve()
      .then(ask)
      .catch(() => undefined)
    if (outcomeOf(order) || waited >= (order === null ? patienceForNone : patience)) return order
    await delay(pause, signal)
    waited += pause
  }
}
