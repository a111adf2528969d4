/** `GET /purchases/:id`: what became of a purchase. */

import { preferredBy } from '../../language.ts'
import { type Caller, isTheirs } from '../../purchase/shopper.ts'
import { json } from '../answer.ts'
import { isPurchaseId } from '../asked.ts'
import { sessionOf } from '../authorise.ts'
import type { Ctx, Handler } from '../context.ts'

export const purchase: Handler = async (c) => {
  const id = c.req.param('id') ?? ''
  const caller = await callerOf(c, id)
  const { readStatus, refusals } = c.var.services()
  if (caller && c.req.query('opened') === '1') await markOpened(c, id, caller)
  const returned = c.req.query('returned') === '1'
  const answer = await readStatus(id, caller, returned, preferredBy(c.req.raw))
  c.var.keepAwake(Promise.resolve())
  const refused = answer.status === 'none' && !answer.begun && isPurchaseId(id)
  const why = refused ? await refusals.find(id, caller) : null
  return json(why ? { ...answer, refused: why } : answer)
}

/** A page says `?opened=1` when it shows what it has preloaded: from now on it is kept as any other purchase. */
async function markOpened(c: Ctx, id: string, caller: Caller): Promise<void> {
  const { findPurchase, store } = c.var.services()
  const record = await findPurchase(id)
  if (!record || record.preloadedUntil === null || !isTheirs(caller, record.purchase)) return
  await store.purchases.open(record.purchase)
}

/** Null without a session. Such calls are counted by network. */
async function callerOf(c: Ctx, id: string): Promise<Caller | null> {
  const caller = await sessionOf(c, 'purchases')
  if (!caller) c.var.services().limits.refused(`purchases ${c.var.network ?? shareOf(id)}`)
  return caller
}

/** Where callers have no address, each shares an allowance with few others: nobody uses up everybody's, nor fills the store with keys. */
const shareOf = (purchaseId: string): string => `id ${purchaseId.slice(0, 2)}`
