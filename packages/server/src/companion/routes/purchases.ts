/** `GET /purchases/:id`, `GET /orders` and `GET /orders/:id`: the status of a purchase, and this shopper's orders, as the service reports them. */
import type { Order } from '../../client/wire.ts'
import { whenUnknown } from '../../errors.ts'
import { preferredBy, speak } from '../../language.ts'
import { isPurchaseId, readCustomId } from '../../purchase/carrier.ts'
import { ordersOf } from '../../purchase/ofShopper.ts'
import { type Caller, isTheirOrder, isTheirs } from '../../purchase/shopper.ts'
import { inWords, summarise } from '../../purchase/summary.ts'
import { isText } from '../../unknown.ts'
import { json, Refusal } from '../answer.ts'
import { sessionOf } from '../authorise.ts'
import { allowedBy, type Ctx, type Handler } from '../context.ts'
import type { Services } from '../services.ts'

export const purchase: Handler = async (c) => {
  const id = c.req.param('id') ?? ''
  const caller = await sessionOf(c, 'purchases')
  const { readStatus, refusals, limits } = c.get('services')()
  // Without a session a call is counted by its network.
  if (!caller) limits.refused(`purchases ${c.get('network') ?? shareOf(id)}`)
  if (caller && c.req.query('opened') === '1') await markOpened(c, id, caller)
  const returned = c.req.query('returned') === '1'
  const answer = await readStatus(id, caller, returned, preferredBy(c.req.raw))
  c.get('keepAwake')(Promise.resolve())
  const refused = answer.status === 'none' && !answer.begun && isPurchaseId(id)
  const why = refused ? await refusals.find(id, caller) : null
  return json(why ? { ...answer, refused: why } : answer)
}

/** A page sends `?opened=1` when it shows a preloaded purchase: from now on it is kept like any other. */
async function markOpened(c: Ctx, id: string, caller: Caller): Promise<void> {
  const { findPurchase, store } = c.get('services')()
  const record = await findPurchase(id)
  if (!record || record.preloadedUntil === null || !isTheirs(caller, record.purchase)) return
  await store.purchases.open(record.purchase)
}

/** Where callers have no address, each shares an allowance with few others: no one can use up everyone's, or fill the store with keys. */
const shareOf = (purchaseId: string): string => `id ${purchaseId.slice(0, 2)}`

/**
 * `GET /orders`: this shopper's orders, in the service's order, which the interface does not specify; then those that
 * carry a purchase's id in `custom_id`, newest first.
 */
export const listOrders: Handler = async (c) => {
  const { client, tokens, store, fulfilment } = c.get('services')()
  const { listed, recorded } = await ordersOf({ client, tokens, rows: store.purchases }, c.get('caller'))
  c.get('keepAwake')(fulfilment.notice(listed))
  const spoken = speak(preferredBy(c.req.raw))
  const orders = [...listed.map((order) => summarise(order, allowedBy(c))), ...recorded]
  return json({ orders: orders.map((order) => inWords(order, spoken)) })
}

/** `GET /orders/:id`: one order of this shopper. Another shopper's is answered like an unknown one. */
export const oneOrder: Handler = async (c) => {
  const { client, store, fulfilment } = c.get('services')()
  const id = c.req.param('id') ?? ''
  // The client refuses to ask for a blank one.
  const order = isText(id)
    ? await client.transactions.retrieve({ order_id: id }).catch(whenUnknown(null))
    : null
  if (!order || order.id !== id || !(await isOwn(c.get('caller'), order, store.purchases)))
    throw new Refusal('not_found', 'There is no such order.')
  c.get('keepAwake')(fulfilment.notice([order]))
  return json({ order: inWords(summarise(order, allowedBy(c)), speak(preferredBy(c.req.raw))) })
}

/** By the shopper's ids, or by the purchase that its `custom_id` names if that purchase carries its id there. */
async function isOwn(caller: Caller, order: Order, rows: Services['store']['purchases']): Promise<boolean> {
  if (isTheirOrder(caller, order)) return true
  const carried = readCustomId(order.custom_id)
  const record = carried === null ? null : await rows.find(carried)
  return record?.purchase.carrier === 'custom_id' && isTheirs(caller, record.purchase)
}
