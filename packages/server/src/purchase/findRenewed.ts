/** Finds the purchase whose subscription the service has charged for again with an order. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import { UnexpectedResponseError } from '../errors.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { isSameSale } from './match.ts'
import type { PurchaseRecord } from './purchase.ts'
import { idOf } from './shopper.ts'
import {
  beganSubscription,
  type Charges,
  chargesOfEach,
  findSubscriptions,
  isDue,
  isSameId,
} from './subscriptions.ts'

/**
 * The one of these settled purchases that began the subscription of which the order is a charge. Each charge after the first explains one
 * order, and nothing else does.
 *
 * Rejects when the store or the service is gone, and while a charge is due that the service's dates don't show yet.
 */
export type FindRenewed = (order: Order, among: readonly PurchaseRecord[]) => Promise<PurchaseRecord | null>

export interface FindRenewedOptions {
  client: Pick<PurchaseClient, 'subscriptions' | 'transactions'>
  rows: Pick<PurchaseRows, 'settledFor' | 'renew'>
  now: () => number
}

export function createFindRenewed({ client, rows, now }: FindRenewedOptions): FindRenewed {
  /** Another shopper can pay under a shopper's custom id, but not as the user who paid first. */
  async function paidBySame(order: Order, purchases: readonly PurchaseRecord[]): Promise<PurchaseRecord[]> {
    const same: PurchaseRecord[] = []
    for (const record of purchases) {
      const first = await client.transactions.retrieve({ order_id: record.claimedBy ?? '' })
      if (isSameId(first.user_id, order.user_id)) same.push(record)
    }
    return same
  }

  /**
   * The purchase whose subscription lacks most of its charges has one more. A month counts as 28 days, so that after a year each may have one
   * too many: the other must not take it. Only where orders came at the same time, each charge that may have been made counts.
   */
  async function renewOne(
    order: Order,
    candidates: readonly (Charges & { record: PurchaseRecord })[],
  ): Promise<PurchaseRecord | null> {
    const known = candidates.map((each) => ({ ...each, renewals: renewalsOf(each.record) }))
    // One that was its renewal before stays so: an order must not take the charges of two.
    const has = ({ record }: { record: PurchaseRecord }): number =>
      Number(record.orders.some(({ id }) => id === order.id))
    const mostMissingFirst = known.sort(
      (one, other) => has(other) - has(one) || missing(other) - missing(one),
    )
    for (const { record, count, renewals, checkAt } of mostMissingFirst) {
      if (await rows.renew(record.purchase.id, order.id, Math.min(count, renewals + 1), checkAt))
        return record
    }
    for (const { record, count, checkAt } of mostMissingFirst) {
      if (await rows.renew(record.purchase.id, order.id, count, checkAt)) return record
    }
    return null
  }

  return async (order, among) => {
    const { product_id, custom_id = '', user_id = '' } = order
    const mayHaveBegun = (record: PurchaseRecord): boolean =>
      beganSubscription(record) && record.claimedBy !== order.id && isSameSale(order, record.purchase)
    const [wanted] = among.filter(mayHaveBegun)
    if (!product_id || !wanted) return null
    const found = await findSubscriptions(client, { product_id, custom_id, user_id })
    if (!found) return null
    const settled = await rows.settledFor(idOf(wanted.purchase.shopper), product_id)
    const all = new Map([...among, ...settled].map((record) => [record.purchase.id, record]))
    const purchases = await paidBySame(order, [...all.values()].filter(mayHaveBegun))
    const charges = chargesOfEach(purchases, found, now())
    const ids = new Set(among.map(({ purchase }) => purchase.id))
    const candidates = purchases
      .filter(({ purchase }) => ids.has(purchase.id))
      .map((record) => ({ record, ...(charges.get(record.purchase.id) ?? noCharges) }))
    const renewed = await renewOne(order, candidates)
    if (renewed) return renewed
    // The service may publish an order before it moves the dates: a renewal must not be refunded for that.
    if (candidates.length > 0 && found.shown.some((one) => isDue(one, now()))) throw notYet()
    return null
  }
}

const noCharges: Charges = { count: 0, checkAt: null }

const renewalsOf = ({ orders }: PurchaseRecord): number =>
  orders.filter(({ state }) => state === 'renewal').length

const missing = ({ count, renewals }: { count: number; renewals: number }): number => count - renewals

const notYet = (): UnexpectedResponseError =>
  new UnexpectedResponseError(
    'subscriptions.list',
    'a charge is due, and no date says yet whether this order is it. The order is checked again.',
  )
