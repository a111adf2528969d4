/**
 * Finds charges of subscriptions that no webhook told of. A settled purchase has a date on which its subscription is checked: first an hour after
 * it was paid, then two hours after each date on which the service charges. A renewal that was delivered moves the date on,
 * so that only what was lost is read.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { OrderRecord } from '../client/wire.ts'
import { carriedId } from '../purchase/carrier.ts'
import type { PurchaseRecord } from '../purchase/purchase.ts'
import { beganSubscription, chargesOf, findSubscriptions } from '../purchase/subscriptions.ts'
import type { Store } from '../stores/store.ts'

export interface LostRenewalsOptions {
  client: Pick<PurchaseClient, 'subscriptions'>
  store: Pick<Store, 'purchases'>
  readOrdersOf: (customId: string) => Promise<OrderRecord[]>
  addJobs: (orders: readonly OrderRecord[]) => Promise<void>
  onError: (error: unknown) => void
  now: () => number
  /** Ends it early. */
  signal: AbortSignal
}

const PAGE = 100
/** What could not be read is read again after so long, behind what is due by then. */
const RETRY_MS = 900_000

/** Checks subscriptions that are due, at most so many, the longest due first. Rejects when the store is gone. */
export async function findLostRenewals(options: LostRenewalsOptions, limit: number): Promise<void> {
  const { onError, now, signal } = options
  const rows = options.store.purchases
  /** Products that nobody subscribes to: they are read once for all purchases of a run. */
  const onceOnly = new Set<string>()
  let left = limit
  while (left > 0 && !signal.aborted) {
    const page = await rows.subscriptionsDue(now(), Math.min(PAGE, left))
    for (const record of page) {
      if (signal.aborted) return
      const checkAt = await check(options, record, onceOnly).catch((error: unknown) => {
        onError(error)
        return now() + RETRY_MS
      })
      await rows.checkSubscriptionAt(record.purchase.id, checkAt)
    }
    if (page.length < PAGE) return
    left -= page.length
  }
}

/** @returns when to check this subscription next; null: never. */
async function check(
  { client, readOrdersOf, addJobs, now }: LostRenewalsOptions,
  record: PurchaseRecord,
  onceOnly: Set<string>,
): Promise<number | null> {
  const { purchase, orders } = record
  const { product_id } = purchase.params
  if (!product_id || onceOnly.has(product_id) || !beganSubscription(record)) return null
  const found = await findSubscriptions(client, { product_id, custom_id: carriedId(purchase) })
  if (!found) {
    onceOnly.add(product_id)
    return null
  }
  const { count, checkAt } = chargesOf(record, found, now())
  const renewals = orders.filter(({ state }) => state === 'renewal').length
  if (count > renewals) await addJobs(await readOrdersOf(carriedId(purchase)))
  return checkAt
}
