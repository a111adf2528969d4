/** Compares an order, as the service reports it, with its purchase, without side effects. */
import type { Order } from '../client/wire.ts'
import { customIdOf, isReturnAddress, type Outcome, readReturn, returnAddress } from './carrier.ts'
import { decidable, isAmount, isSold, type OrderField, sameAmount } from './fields.ts'
import type { Difference, Purchase, PurchaseRecord } from './purchase.ts'

/** The result before any order has claimed the purchase. */
export interface Match {
  readonly state: 'matched' | 'mismatched' | 'unchecked'
  readonly differences: readonly Difference[]
}

/** @param now milliseconds since 1970, by this server's clock. */
export function match(order: Order, record: PurchaseRecord, now: number): Match {
  const { purchase } = record
  const shopper = shopperDifferences(order, purchase)
  if (purchase.decidedBy === 'page') {
    return { state: shopper.length === 0 ? 'unchecked' : 'mismatched', differences: shopper }
  }
  const differences = [
    ...shopper,
    ...soldDifferences(order, purchase),
    ...returnDifferences(order, purchase),
    ...timeDifferences(order, record, now),
  ]
  return { state: differences.length === 0 ? 'matched' : 'mismatched', differences }
}

/** Compares shopper and sale alone, for an order that has neither the time nor the return addresses of the purchase. */
export const isSameSale = (order: Order, purchase: Purchase): boolean =>
  shopperDifferences(order, purchase).length + soldDifferences(order, purchase).length === 0

export const isSameShopper = (order: Order, purchase: Purchase): boolean =>
  shopperDifferences(order, purchase).length === 0

const difference = (field: string, expected: string | undefined, got: string | undefined): Difference => ({
  field,
  expected: expected ?? null,
  got: got ?? null,
})

/** Compares the custom id, else the user id. An order may have an id that the shopper had before signing in. */
function shopperDifferences(order: Order, { id, shopper, formerly, carrier }: Purchase): Difference[] {
  const { customId, userId } = shopper
  if (carrier === 'custom_id') {
    const carried = customIdOf(id)
    if (order.custom_id !== carried) return [difference('custom_id', carried, order.custom_id)]
    const isOther = userId !== undefined && order.user_id !== userId
    return isOther ? [difference('user_id', userId, order.user_id)] : []
  }
  const [field, expected] =
    customId === undefined ? (['user_id', userId] as const) : (['custom_id', customId] as const)
  const got = order[field]
  const isTheirs = got !== undefined && (got === expected || formerly.includes(got))
  return isTheirs ? [] : [difference(field, expected, got)]
}

/** The fields of an order that are compared with what was sold: also those that were not decided, which an order may then not have. */
export const comparedFields = ({ params, open, decidedBy }: Purchase): readonly OrderField[] =>
  decidedBy === 'page'
    ? []
    : decidable.filter((field) => !open.includes(field) && (isSold(field) || Object.hasOwn(params, field)))

function soldDifferences(order: Order, purchase: Purchase): Difference[] {
  return comparedFields(purchase).flatMap((field) => {
    const [expected, got] = [own(purchase.params, field), order[field]]
    if (expected === undefined) return got ? [difference(field, undefined, got)] : []
    return isSame(field, expected, got) ? [] : [difference(field, expected, got)]
  })
}

const own = (params: Purchase['params'], field: OrderField): string | undefined =>
  Object.hasOwn(params, field) ? params[field] : undefined

const isSame = (field: OrderField, expected: string, got: string | undefined): boolean =>
  got !== undefined && (got === expected || (isAmount(field) && sameAmount(got, expected)))

const addresses = [
  ['redirect_url', 'success'],
  ['fail_redirect_url', 'failure'],
] as const satisfies readonly [OrderField, Outcome][]

/** Both must equal the given address: a service that leaves out blank fields thereby reports them as blank. Another carrier needs neither. */
function returnDifferences(order: Order, { id, url, carrier }: Purchase): Difference[] {
  return addresses.flatMap(([field, outcome]) => {
    const got = order[field]
    const expected = returnAddress(url, id, outcome)
    const fits =
      carrier === 'custom_id'
        ? (readReturn(got ?? '')?.id ?? id) === id
        : isReturnAddress(got ?? '', expected)
    return fits ? [] : [difference(field, expected, got)]
  })
}

/**
 * An order that was seen in time stays in time, however late it is checked again. Orders have no time of their own, so one that is seen late may
 * have been paid in time, or at an outdated price. A declined order proves nothing for a payment that follows on it (U25).
 */
function timeDifferences(order: Order, { purchase, orders }: PurchaseRecord, now: number): Difference[] {
  const isRetried = (type: Order['type']): boolean => type === 'order_failed' && order.type !== 'order_failed'
  const isInTime =
    now <= purchase.validUntil ||
    orders.some(
      ({ id, type, state }) =>
        id === order.id && state !== 'mismatched' && state !== 'renewal' && !isRetried(type),
    )
  if (isInTime) return []
  return [difference('time', iso(purchase.validUntil), iso(now))]
}

const iso = (time: number): string => new Date(time).toISOString()
