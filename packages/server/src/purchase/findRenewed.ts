/** Finds the purchase whose subscription the service has charged for again with an order. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import { UnexpectedResponseError } from '../errors.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { isSameSale } from './match.ts'
import type { PurchaseRecord } from './purchase.ts'
import { beganSubscription, chargesOf, findSubscriptions, isDue, isSameId } from './subscriptions.ts'

/**
 * The one of these settled purchases that began the subscription of which the order is a charge. Each charge after the first explains one
 * order, and nothing else does.
 *
 * Rejects when the store or the service is gone, and while a charge is due that the service's dates don't show yet.
 */
export type FindRenewed = (order: Order, among: readonly PurchaseRecord[]) => Promise<PurchaseRecord | null>

export interface FindRenewedOptions {
  client: Pick<PurchaseClient, 'subscriptions' | 'transactions'>
  rows: Pick<PurchaseRows, 'renew'>
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

  return async (order, among) => {
    const { product_id, custom_id = '', user_id = '' } = order
    const mayHaveBegun = among.filter(
      (record) =>
        beganSubscription(record) && record.claimedBy !== order.id && isSameSale(order, record.purchase),
    )
    if (!product_id || mayHaveBegun.length === 0) return null
    const found = await findSubscriptions(client, { product_id, custom_id, user_id })
    if (!found) return null
    const candidates = await paidBySame(order, mayHaveBegun)
    // One that was its renewal before stays so: an order must not take the charges of two.
    const has = ({ orders }: PurchaseRecord): number => Number(orders.some(({ id }) => id === order.id))
    for (const record of candidates.toSorted((one, other) => has(other) - has(one))) {
      const { count, checkAt } = chargesOf(record, found, now())
      if (await rows.renew(record.purchase.id, order.id, count, checkAt)) return record
    }
    // The service may publish an order before it moves the dates: a renewal must not be refunded for that.
    if (candidates.length > 0 && found.shown.some((one) => isDue(one, now()))) throw notYet()
    return null
  }
}

const notYet = (): UnexpectedResponseError =>
  new UnexpectedResponseError(
    'subscriptions.list',
    'a charge is due, and no date says yet whether this order is it. The order is checked again.',
  )
