/** Begins a purchase by a link, or goes on with the one that it names: the stored row wins over whatever the link asks for. */
import { type NotToGoOn, paramsToGoOn, reasonNotToGoOn } from '../purchase/goOn.ts'
import type { PurchaseRecord } from '../purchase/purchase.ts'
import type { Caller } from '../purchase/shopper.ts'
import { Refusal, type RefusalCode } from './answer.ts'
import { type AskedById, readById, readLink } from './asked.ts'
import { authoriseLink } from './authorise.ts'
import { begunOn } from './begunOn.ts'
import type { Ctx } from './context.ts'
import { originOf } from './guard.ts'
import { isByOwnPage } from './navigation.ts'
import { openedBy } from './openedBy.ts'

/** The widget's parameters. */
export async function beginByLink(c: Ctx, query: URLSearchParams): Promise<Record<string, string>> {
  // Before anything of the link is read: a request that is no navigation, or of another site's frame, learns nothing.
  const isOwn = isByOwnPage(c.req.raw, originOf(c.var.url()))
  const named = query.has('purchase') && isOwn ? readById(query) : null
  if (named) setOpening(c, named.id, null)
  const caller = await authoriseLink(c)
  if (named) setOpening(c, named.id, caller)
  const byId = named ?? readById(query)
  return byId === null ? begin(c, query, caller, null) : openById(c, query, caller, byId, isOwn)
}

/** `retry`: the same address. The page that made the id is of the companion's own origin. */
function setOpening(c: Ctx, purchaseId: string, caller: Caller | null): void {
  c.set('opening', { purchaseId, caller, hostOrigin: originOf(c.var.url()), retry: 'address' })
}

async function openById(
  c: Ctx,
  query: URLSearchParams,
  caller: Caller,
  byId: AskedById,
  isOwn: boolean,
): Promise<Record<string, string>> {
  const { findPurchase, seen } = c.var.services()
  const stored = await findPurchase(byId.id)
  if (stored) return goOn(c, stored, caller, byId)
  if (!isOwn) throw new Refusal('forbidden', 'Only a page of the shop may begin a purchase by its id.')
  // Undefined while the store is away: what was begun before might be another shopper's, or complete.
  if (seen.has(byId.id) && stored === undefined) {
    throw new Refusal('service_unavailable', 'The shop cannot be reached at the moment. Try again soon.')
  }
  seen.set(byId.id, true)
  const params = await begin(c, query, caller, byId)
  // Of requests at the same time one has begun it.
  const winner = stored === undefined ? undefined : await findPurchase(byId.id)
  return winner ? goOn(c, winner, caller, byId) : params
}

const refusals = {
  'another shopper': { code: 'forbidden', message: 'This purchase cannot be opened. Begin again.' },
  complete: { code: 'conflict', message: 'This purchase is complete.' },
  ended: { code: 'forbidden', message: 'This link has ended. Begin again.' },
} as const satisfies Record<NotToGoOn, { code: RefusalCode; message: string }>

async function goOn(
  c: Ctx,
  record: PurchaseRecord,
  caller: Caller,
  { preload }: AskedById,
): Promise<Record<string, string>> {
  const { store, now } = c.var.services()
  const reason = reasonNotToGoOn(record, caller, now())
  if (reason) throw new Refusal(refusals[reason].code, refusals[reason].message)
  if (record.preloadedUntil !== null && !preload) await store.purchases.open(record.purchase)
  return paramsToGoOn(record)
}

async function begin(
  c: Ctx,
  query: URLSearchParams,
  caller: Caller,
  byId: AskedById | null,
): Promise<Record<string, string>> {
  const { begin, linkParams } = c.var.services()
  const request = c.req.raw
  const begun = await begin({
    ...readLink(query, linkParams),
    ...caller,
    request,
    id: byId?.id ?? null,
    preload: byId?.preload ?? false,
    mayChooseAmount: false,
    returnUrl: null,
    failReturnUrl: null,
    surface: byId?.surface ?? 'launch',
    openedBy: openedBy(request),
    hostOrigin: byId && originOf(c.var.url()),
    begunOn: begunOn(c),
    url: c.var.url(),
  })
  return begun.params
}
