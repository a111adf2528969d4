/** The order in which listed orders are checked: whoever makes thousands of unpaid ones keeps no paid one waiting. */
import type { OrderRecord } from '../client/wire.ts'

/** Complete orders first. Of each kind those from both ends of the list, newest first or last: which of the two the list is in is not shown. */
export function likelyPaidFirst<Listed extends Pick<OrderRecord, 'type'>>(
  orders: readonly Listed[],
): Listed[] {
  return [...fromBothEnds(orders.filter(isPaid)), ...fromBothEnds(orders.filter((order) => !isPaid(order)))]
}

export const PAID = 'order_complete'

const isPaid = ({ type }: Pick<OrderRecord, 'type'>): boolean => type === PAID

function fromBothEnds<T>(items: readonly T[]): T[] {
  const half = Math.ceil(items.length / 2)
  const back = items.slice(half).reverse()
  return items.slice(0, half).flatMap((item, index) => [item, ...back.slice(index, index + 1)])
}
