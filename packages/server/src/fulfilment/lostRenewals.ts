/**
 * Checks settled purchases: reads their orders, an hour after payment and after each date on which their subscription is charged, so that no second
 * payment and no renewal is missed. It also decides when the checks of a purchase end.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { OrderRecord } from '../client/wire.ts'
import { carriedId } from '../purchase/carrier.ts'
import type { PurchaseRecord } from '../purchase/purchase.ts'
import { beganSubscription, chargesOf, findSubscriptions } from '../purchase/subscriptions.ts'
import { KEEP_SETTLED_MS, type Store } from '../stores/store.ts'

export interface CheckOptions {
  client: Pick<PurchaseClient, 'subscriptions'>
  store: Pick<Store, 'get' | 'set' | 'purchases'>
  readOrdersOf: (customId: string) => Promise<OrderRecord[]>
  addJobs: (orders: readonly OrderRecord[], isNamed?: boolean) => Promise<void>
  onError: (error: unknown) => void
  now: () => number
  /** Stops the run early. */
  signal: AbortSignal
}

const PAGE = 100
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Subscriptions that could not be read are retried after this time, behind those that are due by then. */
const RETRY_MS = 900_000

/**
 * Products of which one run has seen no subscription. Those with an empty list are looked up once for all purchases of the run, those that were
 * refused again only for purchases whose checks may end.
 */
type Asked = Record<'none' | 'refused', Set<string>>

/**
 * Checks at most `limit` due subscriptions, the longest due first. A settled purchase has a date for it: first an hour after it was paid,
 * then two hours after each date on which the service charges. A delivered renewal advances the date, so that only missed ones are read.
 */
export async function findLostRenewals(options: CheckOptions, limit: number): Promise<void> {
  const { store, onError, now, signal } = options
  const asked = { none: new Set<string>(), refused: new Set<string>() }
  let left = limit
  while (left > 0 && !signal.aborted) {
    const page = await store.purchases.subscriptionsDue(now(), Math.min(PAGE, left))
    for (const record of page) {
      if (signal.aborted) return
      const checkAt = await check(options, record, asked).catch((error: unknown) => {
        onError(error)
        return now() + RETRY_MS
      })
      await store.purchases.checkSubscriptionAt(record.purchase.id, checkAt, record.checkAt)
    }
    if (page.length < PAGE) return
    left -= page.length
  }
}

/** A product's key in the store: `SEEN`, or when the service first refused, in milliseconds since 1970. */
const keyOf = (productId: string): string => `subscriptions:${productId}`
/** A subscription to the product was seen. Never forgotten. */
const SEEN = 'seen'

/** The age at which a purchase has had its first check: it was paid within 24 hours, and checked an hour later. */
const FIRST_CHECKED_MS = 25 * HOUR

/** @returns when to check this subscription next; null: never. */
async function check(options: CheckOptions, record: PurchaseRecord, asked: Asked): Promise<number | null> {
  const { readOrdersOf, addJobs } = options
  const { purchase } = record
  const all = await readOrdersOf(carriedId(purchase))
  const asking = askAbout(options, record, asked)
  const hasCharge = await asking.then(
    ({ isUnaccounted }) => isUnaccounted,
    () => false,
  )
  // A charge that no order accounts for: one that differs from its purchase belongs to none, and `onOrder` is told of it all the same.
  const mayBeCharge = ({ product_id }: OrderRecord): boolean => hasCharge && product_id === record.productId
  const charges = all.filter(mayBeCharge)
  if (charges.length > 0) await addJobs(charges, true)
  // The others too, whatever the service says of subscriptions: a settled purchase may have been paid again.
  await addJobs(all.filter((order) => !mayBeCharge(order)))
  const { checkAt } = await asking
  // The list of orders may lag behind the dates.
  return hasCharge && checkAt !== null ? Math.min(checkAt, options.now() + DAY) : checkAt
}

interface Outlook {
  /** When to check this subscription next; null: never. */
  checkAt: number | null
  /** The dates show a charge for which no renewal is recorded. */
  isUnaccounted: boolean
}

const again = (checkAt: number | null): Outlook => ({ checkAt, isUnaccounted: false })

/**
 * Until the service has shown a subscription to the product, or the purchase was renewed, an empty list ends the checks: the product has no
 * subscriptions. A refusal is ambiguous (U6), and only delays them by a day. It ends them at a purchase's next check, if the service has refused
 * for a day or longer. Afterwards either is a mistake for a moment: the check is repeated each day, for as long as the store keeps the purchase.
 */
async function askAbout(
  { client, store, now }: CheckOptions,
  record: PurchaseRecord,
  asked: Asked,
): Promise<Outlook> {
  const { purchase, orders, productId: product_id } = record
  if (!product_id || !beganSubscription(record)) return again(null)
  const key = keyOf(product_id)
  const known = (await store.get(key))?.value
  const renewals = orders.filter(({ type, state }) => type === 'order_complete' && state === 'renewal').length
  const isLive = known === SEEN || renewals > 0
  if (asked.none.has(product_id) && !isLive) return again(null)
  const mayEnd =
    known !== undefined && now() - Number(known) >= DAY && now() - purchase.begunAt >= FIRST_CHECKED_MS
  if (asked.refused.has(product_id) && !mayEnd) return again(now() + DAY)
  const found = await findSubscriptions(client, { product_id, custom_id: carriedId(purchase) })
  if (found === 'none' || found === 'refused') {
    if (isLive) return again(now() + DAY)
    asked[found].add(product_id)
    if (found === 'none') return again(null)
    if (known === undefined) await store.set(key, String(now()), KEEP_SETTLED_MS)
    return again(mayEnd ? null : now() + DAY)
  }
  asked.refused.delete(product_id)
  if (known !== SEEN) await store.set(key, SEEN, null)
  const { count, checkAt } = chargesOf(record, found, now())
  return { checkAt, isUnaccounted: count > renewals }
}
