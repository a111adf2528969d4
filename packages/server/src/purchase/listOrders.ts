/** The order history by one custom id, with the leased token. */
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
