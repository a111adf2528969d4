/** Reads from the service what a hint is about. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Order } from '../client/wire.ts'
import { listOrders } from '../purchase/listOrders.ts'
import type { TokenLease } from '../token/tokenLease.ts'

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
