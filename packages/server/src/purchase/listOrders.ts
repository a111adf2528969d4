/** Reads orders from the service: the history of one custom id, or one order. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order, OrderRecord } from '../client/wire.ts'
import { isApiError } from '../errors.ts'
import type { TokenLease } from '../token/tokenLease.ts'

/** What has neither id nor type is left out. */
export async function listOrders(
  client: Pick<PurchaseClient, 'orders'>,
  tokens: TokenLease,
  custom_id: string,
): Promise<Order[]> {
  const list = (accessToken: string): Promise<OrderRecord[]> => client.orders.list({ accessToken, custom_id })
  return (await withToken(tokens, list)).filter(isOrder)
}

const isOrder = (record: OrderRecord): record is Order => record.id !== undefined && record.type !== undefined

/** Uses the leased token, and once another when the service refuses it: somebody else may have ended it (U8). */
async function withToken<T>(tokens: TokenLease, use: (accessToken: string) => Promise<T>): Promise<T> {
  const { accessToken } = await tokens.get()
  try {
    return await use(accessToken)
  } catch (error) {
    if (!isApiError(error) || error.status !== 401) throw error
    const other = await tokens.get(accessToken)
    if (other.accessToken === accessToken) throw error
    return use(other.accessToken)
  }
}

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

/** Null when the service answers with another order. */
export async function readOrder(
  client: Pick<PurchaseClient, 'transactions'>,
  orderId: string,
): Promise<Order | null> {
  const order = await client.transactions.retrieve({ order_id: orderId })
  return order.id === orderId ? order : null
}

/** Asks for one customer's orders and keeps no others: a service that ignores the filter answers with the whole business's. */
export async function readOrdersOf(
  client: Pick<PurchaseClient, 'orders'>,
  tokens: TokenLease,
  customId: string,
): Promise<Order[]> {
  const orders = await listOrders(client, tokens, customId)
  return orders.filter((order) => order.custom_id === customId)
}
