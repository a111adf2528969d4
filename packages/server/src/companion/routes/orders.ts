/** `GET /orders` and `GET /orders/:id`: what became of this shopper's purchases. */
import { isApiError } from '../../errors.ts'
import { meansUnknown } from '../../client/meansUnknown.ts'
import type { TokenLease } from '../../token/tokenLease.ts'
import type { Order, OrderRecord } from '../../client/wire.ts'
import { json, Refusal } from '../answer.ts'
import type { Handler } from '../context.ts'
import { owns } from '../shopper.ts'
import { summarise } from '../summary.ts'

/**
 * `GET /orders`: this shopper's orders, in the order in which the service lists them, which the interface does not
 * promise.
 */
export const listOrders: Handler = async ({ shopper, client, tokens, allowsReturnTo, notice }) => {
  const custom_id = shopper.customId
  if (custom_id === undefined) {
    throw new Refusal(
      'invalid_request',
      'Orders are found by custom id, and authorize() gave none for this shopper.',
    )
  }
  const records = await withToken(tokens, (accessToken) => client.orders.list({ accessToken, custom_id }))
  const orders = records.filter(isOrder).filter((order) => owns(shopper, order))
  notice(orders)
  return json({ orders: orders.map((order) => summarise(order, allowsReturnTo)) })
}

/** `GET /orders/:id`: one order of this shopper. Another shopper's is as unknown as one that never was. */
export const oneOrder: Handler = async ({ shopper, client, id, allowsReturnTo, notice }) => {
  const order = await client.transactions.retrieve({ order_id: id }).catch(nullWhenUnknown)
  if (!order || order.id !== id || !owns(shopper, order))
    throw new Refusal('not_found', 'There is no such order.')
  notice([order])
  return json({ order: summarise(order, allowsReturnTo) })
}

const isOrder = (record: OrderRecord): record is Order => record.id !== undefined && record.type !== undefined

function nullWhenUnknown(error: unknown): null {
  if (isApiError(error) && meansUnknown(error)) return null
  throw error
}

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
