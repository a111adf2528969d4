/** `GET /orders` and `GET /orders/:id`: this shopper's orders, as the service has them. */
import { meansUnknown } from '../../client/meansUnknown.ts'
import type { Order } from '../../client/wire.ts'
import { isApiError } from '../../errors.ts'
import { preferredBy, speak } from '../../language.ts'
import { readCustomId } from '../../purchase/carriedId.ts'
import { isTheirOrder, isTheirs } from '../../purchase/shopper.ts'
import { inWords, summarise } from '../../purchase/summary.ts'
import { json, Refusal } from '../answer.ts'
import type { Handler, RouteContext } from '../context.ts'

/**
 * `GET /orders`: this shopper's orders, in the order in which the service lists them, which the interface does not promise; then
 * those that travel under a purchase's id, newest first.
 */
export const listOrders: Handler = async ({
  shopper,
  formerly,
  request,
  ordersOf,
  allowsReturnTo,
  fulfilment,
  keepAwake,
}) => {
  const { listed, recorded } = await ordersOf({ shopper, formerly })
  keepAwake(fulfilment.notice(listed))
  const spoken = speak(preferredBy(request))
  const orders = [...listed.map((order) => summarise(order, allowsReturnTo)), ...recorded]
  return json({ orders: orders.map((order) => inWords(order, spoken)) })
}

/** `GET /orders/:id`: one order of this shopper. Another shopper's is as unknown as one that never was. */
export const oneOrder: Handler = async (context) => {
  const { request, client, id, allowsReturnTo, fulfilment, keepAwake } = context
  const order = await client.transactions.retrieve({ order_id: id }).catch(nullWhenUnknown)
  if (!order || order.id !== id || !(await isOwn(context, order)))
    throw new Refusal('not_found', 'There is no such order.')
  keepAwake(fulfilment.notice([order]))
  return json({ order: inWords(summarise(order, allowsReturnTo), speak(preferredBy(request))) })
}

/** By the shopper's ids, or by the purchase that its `custom_id` names where that carries it. */
async function isOwn(context: RouteContext, order: Order): Promise<boolean> {
  if (isTheirOrder(context, order)) return true
  const carried = readCustomId(order.custom_id)
  const known = carried === null ? null : await context.store.purchases.find(carried)
  return known?.purchase.carrier === 'custom_id' && isTheirs(context, known.purchase)
}

function nullWhenUnknown(error: unknown): null {
  if (isApiError(error) && meansUnknown(error)) return null
  throw error
}
