/** Finds the purchase that an order belongs to, says how it fits, and settles it: the one place where a purchase is claimed. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { meansUnknown } from '../client/meansUnknown.ts'
import type { Order, Subscription } from '../client/wire.ts'
import { isApiError } from '../errors.ts'
import type { Store } from '../stores/store.ts'
import { isSameSale, isSameShopper, type Match, match } from './match.ts'
import type { KnownPurchase, NoPurchase, PurchaseOfOrder, PurchaseState } from './purchase.ts'
import { chargesOf } from './renewal.ts'
import { readReturn } from './returnAddress.ts'

/**
 * @param order as read from the service just now, by its id or by the shopper's.
 *
 * Rejects when the store or the service is gone: nothing was decided then.
 */
export type Assess = (order: Order) => Promise<PurchaseOfOrder>

export interface AssessorOptions {
  store: Pick<Store, 'purchases'>
  client: Pick<PurchaseClient, 'subscriptions'>
  now: () => number
  /** JSON of what a page may know of the order. */
  summarise: (order: Order) => string
}

const none: NoPurchase = {
  id: null,
  state: 'none',
  differences: [],
  params: {},
  reference: null,
  begunAt: null,
}

export function createAssessor({ store, client, now, summarise }: AssessorOptions): Assess {
  const rows = store.purchases

  /** By the return addresses; by `custom_id` where the purchase says that it travels there. */
  async function find(order: Order): Promise<KnownPurchase | null> {
    const carried = /^[\w-]{22}$/.test(order.custom_id ?? '') ? await rows.find(order.custom_id ?? '') : null
    if (carried?.purchase.carrier === 'custom_id') return carried
    const named = readReturn(order.redirect_url ?? '') ?? readReturn(order.fail_redirect_url ?? '')
    return named ? await rows.find(named.id) : null
  }

  /** An order of a subscription that a matched purchase began: each charge after the first explains one, and nothing else does. */
  async function isRenewal(order: Order, { purchase, claimedBy, orders }: KnownPurchase): Promise<boolean> {
    if (purchase.decidedBy !== 'server' || claimedBy === null || claimedBy === order.id) return false
    if (!order.product_id || !isSameSale(order, purchase)) return false
    if (orders.some(({ id, state }) => id === order.id && state === 'renewal')) return true
    const seen = orders.filter(({ state }) => state === 'renewal').length
    const subscriptions = await subscriptionsOf(client, order)
    return subscriptions.some((one) => one.product_id === order.product_id && chargesOf(one) > seen)
  }

  async function renewedBy(order: Order): Promise<KnownPurchase | null> {
    const shopper = order.custom_id || order.user_id
    const isBlank = !order.redirect_url && !order.fail_redirect_url
    if (order.type !== 'order_complete' || !isBlank || !shopper || !order.product_id) return null
    for (const known of await rows.settledFor(shopper, order.product_id)) {
      if (await isRenewal(order, known)) return known
    }
    return null
  }

  async function settle(
    order: Order,
    known: KnownPurchase,
  ): Promise<Match | { state: PurchaseState; differences: [] }> {
    const found = match(order, known, now())
    if (order.type !== 'order_complete') return found
    if (found.state === 'mismatched') {
      const isOnlyLate = found.differences.every(({ field }) => field === 'time')
      if (!isOnlyLate || known.claimedBy === null) return found
      return { state: (await isRenewal(order, known)) ? 'renewal' : 'duplicate', differences: [] }
    }
    const holder = await rows.claim(known.purchase.id, order.id)
    if (holder === null) return { state: 'none', differences: [] }
    return holder === order.id ? found : { state: 'duplicate', differences: [] }
  }

  return async (order) => {
    const own = await find(order)
    const known = own ?? (await renewedBy(order))
    if (!known) return none
    const { id, params, reference, begunAt } = known.purchase
    const { state, differences } = own
      ? await settle(order, own)
      : { state: 'renewal' as const, differences: [] }
    if (state === 'none') return none
    if (state === 'renewal') await rows.keep(id)
    // Somebody else's order, which only names this purchase, is not shown to its shopper.
    if (isSameShopper(order, known.purchase)) {
      await rows.record(id, { id: order.id, type: order.type, state, summary: summarise(order) })
    }
    return { id, state, differences, params, reference, begunAt: new Date(begunAt) }
  }
}

/** Asked for by one identifier: whether several must all match, or any, is not shown. */
async function subscriptionsOf(client: AssessorOptions['client'], order: Order): Promise<Subscription[]> {
  const { custom_id, user_id } = order
  const query = custom_id ? { custom_id } : user_id ? { user_id } : null
  if (!query) return []
  const listed = await client.subscriptions.list(query).catch((error: unknown) => {
    if (isApiError(error) && meansUnknown(error)) return []
    throw error
  })
  return listed.filter((one) => (custom_id ? one.custom_id === custom_id : one.user_id === user_id))
}
