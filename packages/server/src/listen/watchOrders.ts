/**
 * Watches the orders of a business by asking for all of them again and again, and tells of each that is new or in another state: often while
 * somebody buys, seldom otherwise.
 */
import type { OrderRecord } from '../client/wire.ts'

export interface WatchOptions {
  /** Every order of the business (4.3). */
  listAll: () => Promise<OrderRecord[]>
  /** Tells of an order. One that rejects is told of again at the next look. */
  tell: (order: { id: string; type: string }) => Promise<void>
  /** Whether a purchase is open now, as far as this machine knows. */
  isBuying: () => Promise<boolean>
  onError: (error: unknown) => void
  /** Milliseconds since 1970. */
  now: () => number
  /** Resolves after so many milliseconds, or when the signal aborts. */
  wait: (ms: number) => Promise<void>
  /** Ends it. */
  signal: AbortSignal
}

/** The service is asked at most once in this time. */
export const OFTEN_MS = 2_000
/** While nothing happens, it is asked once in this time; so it is when it refuses. */
export const SELDOM_MS = 15_000
/** How long after the start, and after each change, it is asked often. */
export const AWAKE_MS = 600_000

/** Resolves when the signal aborts. What there is at the start is not told of. */
export async function watchOrders(options: WatchOptions): Promise<void> {
  const { listAll, tell, isBuying, onError, now, wait, signal } = options
  /** The type that was told of last, by order id. */
  let known: Map<string, string> | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let awakeUntil = now() + AWAKE_MS
  /** By the last answer, or for the lack of one. */
  let isRefused = false

  const isDue = async (): Promise<boolean> =>
    now() - askedAt >= SELDOM_MS || (!isRefused && (now() < awakeUntil || (await isBuying())))

  async function look(): Promise<void> {
    askedAt = now()
    isRefused = true
    const orders = (await listAll()).filter(isWhole)
    isRefused = false
    if (!known) known = new Map(orders.map(({ id, type }) => [id, type]))
    for (const { id, type } of orders) {
      if (known.get(id) === type) continue
      awakeUntil = now() + AWAKE_MS
      await tell({ id, type }).then(() => known?.set(id, type), onError)
    }
  }

  while (!signal.aborted) {
    try {
      if (await isDue()) await look()
    } catch (error) {
      onError(error)
    }
    await wait(OFTEN_MS)
  }
}

const isWhole = (order: OrderRecord): order is OrderRecord & { id: string; type: string } =>
  order.id !== undefined && order.type !== undefined
