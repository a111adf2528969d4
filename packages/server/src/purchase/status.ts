/** The status of a purchase: from the store, from the service, rarely for one shopper, and from its refusal. */
import { createExpiringMap, STORE_MS, within } from '../deadline.ts'
import { type Spoken, speak } from '../language.ts'
import { readingAs, TooManyReads } from '../reads/turns.ts'
import type { PurchaseRows, SharedState } from '../stores/store.ts'
import { isPurchaseId, merchantReturn, type Outcome } from './carrier.ts'
import type { PurchaseRecord, PurchaseState, RecordedOrder } from './purchase.ts'
import type { ReadOrders } from './readOrders.ts'
import { type Caller, idOf, isTheirs } from './shopper.ts'
import { inWords, type OrderSummary } from './summary.ts'

/**
 * What the caller may know of a purchase. Another shopper's, and an unknown id: `none`. Without a session: `status` alone, by the unguessable id.
 *
 * `?returned=1`, after a return: the service is read for this shopper before others.
 */
export interface PurchaseAnswer {
  /**
   * `complete` once an order is and it is known how it fits, `failed` when all have failed, `pending` while one is in progress, `none`
   * while no order is known.
   */
  status: 'none' | 'pending' | 'complete' | 'failed'
  /**
   * False: the store did not answer, or the service did not, or was not asked, since it has just been read for this shopper. The answer is not
   * final: ask again in a moment.
   */
  fresh: boolean
  /** Of the order below; null while there is none. */
  state?: PurchaseState | null
  order?: OrderSummary | null
  /** The merchant's return address for this status, with `purchase=<id>` added; null when there is none or it is not ended. */
  returnUrl?: string | null
  /** Whether this purchase has a record, and belongs to this shopper. */
  begun: boolean
  /** Why the companion refused to open it, in the last five minutes. */
  refused?: Refused
  /** ISO 8601: until when a preloaded purchase can be opened. Only while it is unopened. */
  openUntil?: string
}

/**
 * Never rejects: while store or service are unavailable, the answer is what is known without them.
 *
 * @param caller null without a session: anyone who knows the id receives the status alone.
 * @param returned whether the shopper has just come back.
 * @param preferred languages for the texts that the shopper reads, best first, after the purchase's own.
 */
export type ReadStatus = (
  id: string,
  caller: Caller | null,
  returned: boolean,
  preferred?: readonly string[],
) => Promise<PurchaseAnswer>

/** Null for an unknown id; undefined while the store does not answer, which says nothing about the purchase. */
export type FindPurchase = (id: string) => Promise<PurchaseRecord | null | undefined>

/** @param most how many are looked up at once; any more remain unanswered. */
export function createFindPurchase(
  rows: Pick<PurchaseRows, 'find'>,
  onError: (error: unknown) => void,
  most: number = Number.POSITIVE_INFINITY,
): FindPurchase {
  let asked = 0
  return async (id) => {
    // Postgres cannot look up any text.
    if (!isPurchaseId(id)) return null
    if (asked >= most) return undefined
    asked++
    try {
      return await within(STORE_MS, rows.find(id), 'The store')
    } catch (error) {
      onError(error)
      return undefined
    } finally {
      asked--
    }
  }
}

export interface ReadStatusOptions {
  rows: Pick<PurchaseRows, 'find'>
  readOrders: ReadOrders
  onError: (error: unknown) => void
  /** Milliseconds, for intervals. Default: a clock that cannot be set back. */
  now?: (() => number) | undefined
}

/** Milliseconds between two readings for one shopper. */
const READ_EVERY_MS = 3_000
/** How many shoppers with a recent read are remembered. The budget of all reads limits the reads of any more. */
const MAX_SHOPPERS = 10_000
const READ_MS = 10_000

export interface Reads {
  readonly readStatus: ReadStatus
  /** For a shopper who has just come back. Also reads a settled purchase: it may have been paid again in another tab. Never rejects. */
  readonly readReturned: (record: PurchaseRecord) => Promise<unknown>
}

export function createReadStatus({ rows, readOrders, onError, now }: ReadStatusOptions): Reads {
  const readFor = createExpiringMap<true>({ max: MAX_SHOPPERS, ttlMs: READ_EVERY_MS, now })
  /** Reads in progress, by purchase: requests that arrive meanwhile share their result. */
  const reading = new Map<string, { work: Promise<boolean>; returned: boolean }>()

  const find = createFindPurchase(rows, onError)

  /** @returns whether the service has answered. */
  async function refresh(record: PurchaseRecord, returned: boolean): Promise<boolean> {
    const { id } = record.purchase
    const shopper = idOf(record.purchase.shopper)
    const present = reading.get(id)
    // A read from before the shopper came back may lack the payment that they came back from.
    if (present && (present.returned || !returned)) return present.work
    if (readFor.has(shopper)) return false
    readFor.set(shopper, true)
    const priority = returned ? 'returned' : 'shopper'
    const read = readingAs({ priority }, () => readOrders(record))
    const work = within(READ_MS, read, 'The service').then(
      () => true,
      (error: unknown) => {
        // The service was not read for this shopper, so they need not wait before the next read.
        if (error instanceof TooManyReads) readFor.delete(shopper)
        else onError(error)
        return false
      },
    )
    reading.set(id, { work, returned })
    return work.finally(() => {
      if (reading.get(id)?.work === work) reading.delete(id)
    })
  }

  const readStatus: ReadStatus = async (id, caller, returned, preferred = []) => {
    const answer = (record: PurchaseRecord | null, fresh: boolean): PurchaseAnswer =>
      answerOf(record, caller, fresh, speak([record?.purchase.locale ?? '', ...preferred]))
    const record = await find(id)
    if (record === undefined) return answer(null, false)
    if (!record || (caller && !isTheirs(caller, record.purchase))) return answer(null, true)
    if (isSettled(record)) return answer(record, true)
    const isRead = await refresh(record, returned)
    // A read that failed midway may have settled the purchase. Its result only counts once the store returns it.
    const latest = await find(id)
    const isKnown = latest !== undefined && (isRead || (latest !== null && isSettled(latest)))
    return answer(latest ?? record, isKnown)
  }

  return { readStatus, readReturned: (record) => refresh(record, true) }
}

const isSettled = ({ claimedBy, orders }: PurchaseRecord): boolean => orders.some(settles(claimedBy))

/** A claim is made a moment before its order is recorded. Until then it is unknown how that order fits, and no other order replaces it. */
const settles =
  (claimedBy: string | null) =>
  ({ id, type }: RecordedOrder): boolean =>
    type === 'order_complete' && (claimedBy === null || id === claimedBy)

const endings = {
  complete: 'success',
  failed: 'failure',
  pending: null,
  none: null,
} as const satisfies Record<PurchaseAnswer['status'], Outcome | null>

function answerOf(
  record: PurchaseRecord | null,
  caller: Caller | null,
  fresh: boolean,
  spoken: Spoken,
): PurchaseAnswer {
  const { status, order } = record ? summary(record) : { status: 'none' as const, order: undefined }
  if (!caller) return { status, fresh, begun: false }
  const outcome = endings[status]
  return {
    status,
    fresh,
    state: order?.state ?? null,
    order: order ? inWords(JSON.parse(order.summary) as OrderSummary, spoken) : null,
    returnUrl: record && outcome ? merchantReturn(record.purchase, outcome) : null,
    begun: record !== null,
    ...(record?.preloadedUntil ? { openUntil: new Date(record.preloadedUntil).toISOString() } : {}),
  }
}

/** The status, and the order that it is based on: the one that settled the purchase, else the latest of its kind. */
function summary({ claimedBy, orders }: PurchaseRecord): {
  status: PurchaseAnswer['status']
  order: RecordedOrder | undefined
} {
  const latest = (fits: (order: RecordedOrder) => boolean): RecordedOrder | undefined =>
    orders.filter(fits).at(-1)
  const paid = latest(settles(claimedBy))
  if (paid) return { status: 'complete', order: paid }
  const unfinished = latest(({ type }) => type !== 'order_failed' && type !== 'order_complete')
  if (unfinished || claimedBy !== null) return { status: 'pending', order: unfinished }
  const failed = latest(() => true)
  return { status: failed ? 'failed' : 'none', order: failed }
}

export interface Refused {
  readonly code: string
  readonly message: string
}

export type Refusals = ReturnType<typeof createRefusals>

const KEEP_MS = 300_000

export function createRefusals(store: Pick<SharedState, 'get' | 'set'>) {
  const keyOf = (id: string, caller: Caller | null): string =>
    `refused:${id}:${caller ? idOf(caller.shopper) : ''}`

  async function read(key: string): Promise<Refused | null> {
    const kept = await within(STORE_MS, store.get(key)).catch(() => null)
    return kept && (JSON.parse(kept.value) as Refused)
  }

  return {
    /** Keeps it for five minutes. `caller`: null without a session. Never rejects: the page of the refusal shows it too. */
    async keep(id: string, caller: Caller | null, { code, message }: Refused): Promise<void> {
      const kept = async (): Promise<void> =>
        store.set(keyOf(id, caller), JSON.stringify({ code, message }), KEEP_MS)
      await within(STORE_MS, kept()).catch(() => {})
    },
    /** Null if none is kept for this shopper or for callers without a session: a shopper who signs in afterwards still receives it. */
    find: async (id: string, caller: Caller | null): Promise<Refused | null> =>
      (await read(keyOf(id, caller))) ?? (caller ? read(keyOf(id, null)) : null),
  }
}
