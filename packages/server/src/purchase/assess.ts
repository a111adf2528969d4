/** Finds the purchase that an order belongs to, compares the two, and settles the purchase: the one place where a purchase is claimed. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import type { Store } from '../stores/store.ts'
import { readCustomId, readReturn } from './carrier.ts'
import { isSameSale, isSameShopper, type Match, match } from './match.ts'
import type { NoPurchase, PurchaseOfOrder, PurchaseRecord, PurchaseState } from './purchase.ts'
import { beganSubscription, chargesOf, expectsCharge, findSubscriptions, isSameId } from './subscriptions.ts'
import { summarise } from './summary.ts'

/**
 * @param order as just read from the service, by its id or by the shopper's.
 *
 * Rejects when the store or the service is unavailable, and while the service does not show yet whether it is a renewal: nothing has been
 * decided then.
 */
export type Assess = (order: Order) => Promise<PurchaseOfOrder>

export interface AssessorOptions {
  store: Pick<Store, 'purchases' | 'handled' | 'get' | 'set'>
  client: Pick<PurchaseClient, 'subscriptions'>
  now: () => number
}

/** When to check a purchase for further payments and a subscription: an hour after payment, when the service has surely created it. */
const CHECK_FIRST_MS = 3_600_000
/** How long the dates of a subscription may be behind its orders. Short enough that an order is decided before the attempts of its job end. */
const DATES_LATE_MS = 3_600_000
/** Longer than the attempts of a job take. */
const KEEP_SEEN_MS = 48 * 3_600_000

const none: NoPurchase = {
  id: null,
  state: 'none',
  differences: [],
  params: {},
  reference: null,
  begunAt: null,
}

export function createAssessor(options: AssessorOptions): Assess {
  const { store, now } = options
  const rows = store.purchases

  /** By the return addresses; by `custom_id` if the purchase uses that to carry its id. */
  async function find(order: Order): Promise<PurchaseRecord | null> {
    const id = readCustomId(order.custom_id)
    const carried = id === null ? null : await rows.find(id)
    if (carried?.purchase.carrier === 'custom_id') return carried
    const named = readReturn(order.redirect_url ?? '') ?? readReturn(order.fail_redirect_url ?? '')
    return named ? await rows.find(named.id) : null
  }

  async function renewedBy(order: Order): Promise<PurchaseRecord | null> {
    const shopper = order.custom_id || order.user_id
    const isBlank = !order.redirect_url && !order.fail_redirect_url
    if (order.type !== 'order_complete' || !isBlank || !shopper || !order.product_id) return null
    return findRenewed(options, order, await rows.settledFor(shopper, order.product_id, order.id))
  }

  async function settle(
    order: Order,
    record: PurchaseRecord,
  ): Promise<Match | { state: PurchaseState; differences: [] }> {
    const found = match(order, record, now())
    // An order that is late, and equal in all else, is still paid: a second one is a duplicate.
    const differs = found.differences.some(({ field }) => field !== 'time')
    if (order.type !== 'order_complete') {
      const isCharge = found.state === 'mismatched' && !differs && beganSubscription(record)
      return isCharge && order.type === 'order_failed' ? { state: 'renewal', differences: [] } : found
    }
    if (differs) return found
    // It was not this purchase's when `onOrder` was called with it: what the service says of it later changes nothing.
    const isDecided = record.claimedBy === null && (await store.handled.has(order.id, order.type))
    if (isDecided) return { state: 'mismatched', differences: [] }
    const { id, params } = record.purchase
    // An order that leaves out its product sold the one that it named before, else the one that the server named.
    const productId = order.product_id ?? record.productId ?? params.product_id
    const sold = { productId, payer: order.user_id || null, checkAt: now() + CHECK_FIRST_MS }
    const holder = await rows.claim(id, order.id, sold)
    if (holder === null) return { state: 'none', differences: [] }
    if (holder === order.id) return found
    const settled = await rows.find(id)
    const renewed = settled && (await findRenewed(options, order, [settled]))
    return { state: renewed ? 'renewal' : 'duplicate', differences: [] }
  }

  return async (order) => {
    const own = await find(order)
    const record = own ?? (await renewedBy(order))
    if (!record) return none
    const { id, params, reference, begunAt } = record.purchase
    const { state, differences } = own
      ? await settle(order, own)
      : { state: 'renewal' as const, differences: [] }
    if (state === 'none') return none
    // Another shopper's order that only names this purchase is not shown to its shopper.
    if (isSameShopper(order, record.purchase)) {
      // Without the order's addresses: the purchase decides where the shopper goes.
      const summary = JSON.stringify(summarise(order, () => false))
      await rows.record(id, { id: order.id, type: order.type, state, summary })
    }
    return { id, state, differences, params, reference, begunAt: new Date(begunAt) }
  }
}

/**
 * Returns the settled purchase that began the subscription of which the order is a charge: the first of `among` with a charge left. Each charge
 * after the first accounts for one order, and nothing else does.
 *
 * Rejects when the store or the service is unavailable, and for an hour while the service's dates show no charge for the order. A refusal (U6) or an
 * empty list means that there is no subscription, unless the store expects charges of one: then it rejects, until the checks of that purchase end.
 */
async function findRenewed(
  options: AssessorOptions,
  order: Order,
  among: readonly PurchaseRecord[],
): Promise<PurchaseRecord | null> {
  const { client, store, now } = options
  const { product_id, custom_id = '', user_id = '' } = order
  const sameSale = among.filter(
    (record) =>
      beganSubscription(record) &&
      record.claimedBy !== order.id &&
      record.productId === product_id &&
      // Another shopper can pay under a shopper's custom id, but not as the user who paid first.
      isSameId(record.payer ?? '', user_id) &&
      isSameSale(order, record.purchase),
  )
  if (!product_id || sameSale.length === 0) return null
  // An order keeps the charge that it has: it must not take those of two purchases.
  for (const record of sameSale) {
    if (await store.purchases.renew(record.purchase.id, order.id, 0)) return record
  }
  const found = await findSubscriptions(client, { product_id, custom_id, user_id })
  if (found === 'none' || found === 'refused') {
    if (!sameSale.some((record) => expectsCharge(record, now()))) return null
    throw new Error(undecided)
  }
  for (const record of sameSale) {
    const { count, checkAt } = chargesOf(record, found, now())
    if (await store.purchases.renew(record.purchase.id, order.id, count, checkAt)) return record
  }
  // The service may publish an order before it updates the dates: a renewal must not be refunded for that.
  const mayBeCharge = sameSale.some((record) => expectsCharge(record, now()))
  if (mayBeCharge && (await isNew(options, order))) throw new Error(undecided)
  return null
}

const undecided =
  'The service does not show yet whether this order is a charge of a subscription. The order is checked again.'

/** Whether the order was first seen less than `DATES_LATE_MS` ago. Orders have no date of their own. */
async function isNew({ store, now }: AssessorOptions, { id }: Order): Promise<boolean> {
  const key = `undecided:${id}`
  const seen = await store.get(key)
  if (!seen) await store.set(key, String(now()), KEEP_SEEN_MS)
  return !seen || now() - Number(seen.value) < DATES_LATE_MS
}
