/** Finds the purchase whose subscription the service has charged for again with an order. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, Subscription } from '../client/wire.ts'
import { UnexpectedResponseError } from '../errors.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { distinct, listSubscriptions } from './listSubscriptions.ts'
import { isSameSale } from './match.ts'
import type { KnownPurchase } from './purchase.ts'
import { chargesOfEach, isDue } from './renewal.ts'
import { idOf } from './shopper.ts'

/**
 * The first of these settled purchases that began a subscription of which the order is a charge. Each charge after the first explains one
 * order, and nothing else does.
 *
 * Rejects when the store or the service is gone, and while a charge is due that the service's dates don't show yet.
 */
export type FindRenewed = (order: Order, among: readonly KnownPurchase[]) => Promise<KnownPurchase | null>

export interface FindRenewedOptions {
  client: Pick<PurchaseClient, 'subscriptions' | 'transactions'>
  rows: Pick<PurchaseRows, 'settledFor' | 'renew'>
  now: () => number
}

export function createFindRenewed({ client, rows, now }: FindRenewedOptions): FindRenewed {
  const list = listSubscriptions.bind(null, client)

  /** What is shown of the order's own subscription, and how often its product is charged; null for a product that nobody subscribes to. */
  async function lookUp(
    order: Order,
    product_id: string,
  ): Promise<{ shown: Subscription[]; interval_time: string | undefined } | null> {
    const { user_id, custom_id } = order
    const lists = await Promise.all([
      user_id ? list({ user_id }) : [],
      // The newest of this user may be of another product.
      custom_id ? list({ custom_id }) : [],
    ])
    const shown = distinct(lists.flat()).filter(
      (one) =>
        one.product_id === product_id && isSameId(one.user_id, user_id) && isSameId(one.custom_id, custom_id),
    )
    // Those of other users only say how often it is charged, and may be many: they are asked for where nothing else says it.
    const [any] = shown.length > 0 ? shown : await list({ product_id })
    return any ? { shown, interval_time: any.interval_time } : null
  }

  /** A stranger can pay under a shopper's custom id, but not as the user who paid first. */
  async function paidBySame(order: Order, purchases: readonly KnownPurchase[]): Promise<KnownPurchase[]> {
    const same: KnownPurchase[] = []
    for (const known of purchases) {
      const first = await client.transactions.retrieve({ order_id: known.claimedBy ?? '' })
      if (isSameId(first.user_id, order.user_id)) same.push(known)
    }
    return same
  }

  return async (order, among) => {
    const { product_id } = order
    const began = (known: KnownPurchase): boolean =>
      beganSubscription(known, order) && isSameSale(order, known.purchase)
    const [wanted] = among.filter(began)
    if (!product_id || !wanted) return null
    const found = await lookUp(order, product_id)
    if (!found) return null
    const settled = await rows.settledFor(idOf(wanted.purchase.shopper), product_id)
    const all = new Map([...among, ...settled].map((known) => [known.purchase.id, known]))
    const purchases = await paidBySame(order, [...all.values()].filter(began))
    const charges = chargesOfEach(purchases, found.shown, found.interval_time, now())
    const ids = new Set(among.map(({ purchase }) => purchase.id))
    const candidates = purchases.filter(({ purchase }) => ids.has(purchase.id))
    for (const known of candidates) {
      const { id } = known.purchase
      if (await rows.renew(id, order.id, charges.get(id) ?? 0)) return known
    }
    // The service may publish an order before it moves the dates: a renewal must not be refunded for that.
    if (candidates.length > 0 && found.shown.some((one) => isDue(one, now()))) throw notYet()
    return null
  }
}

/** A blank id may be left out. */
const isSameId = (one = '', other = ''): boolean => one === other

/** Whether the order that holds the claim matched: what came too late, or was not decided by the server, began nothing. */
function beganSubscription({ purchase, claimedBy, orders }: KnownPurchase, order: Order): boolean {
  if (purchase.decidedBy !== 'server' || claimedBy === null || claimedBy === order.id) return false
  return orders.some(({ id, state }) => id === claimedBy && state === 'matched')
}

const notYet = (): UnexpectedResponseError =>
  new UnexpectedResponseError(
    'subscriptions.list',
    'a charge is due, and no date says yet whether this order is it. The order is looked at again.',
  )
