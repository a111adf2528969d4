/**
 * `GET /return/:id` and `/return/:id/failed`: where the service sends the shopper. It needs no session, ignores whatever was appended to
 * the address, and answers also when the store is away.
 */

import { STORE_MS, within } from '../../deadline.ts'
import { preferredBy, speak } from '../../language.ts'
import { merchantReturn, readReturn, returnAddress } from '../../purchase/carrier.ts'
import type { Purchase } from '../../purchase/purchase.ts'
import { type Ctx, type Handler, placeIfKnown } from '../context.ts'
import { webOrigins } from '../place.ts'
import { type ReturnData, returnPage } from '../returnPage.ts'

/** So that a flood of forged returns does not become a flood of reads. */
const MOST_READS = 100
let reads = 0

async function find(c: Ctx, id: string): Promise<Purchase | null> {
  if (reads >= MOST_READS) return null
  reads++
  try {
    return (await within(STORE_MS, c.get('services')().store.purchases.find(id)))?.purchase ?? null
  } catch {
    return null
  } finally {
    reads--
  }
}

export const returned: Handler = async (c) => {
  // Whatever the service has appended to the address is passed over.
  const { id, outcome } = readReturn(c.req.path) ?? { id: '', outcome: 'success' as const }
  const purchase = await find(c, id)
  // Whoever comes back has paid or was declined: no webhook and no script of the merchant's page is needed to hear of it.
  if (purchase) c.get('keepAwake')(c.get('services')().readStatus(purchase.id, null, true))
  const stays = purchase?.redirectPage === 'self' && ['redirect', 'launch'].includes(purchase.surface)
  const spoken = speak([purchase?.locale ?? '', ...preferredBy(c.req.raw)])
  const data: ReturnData = {
    purchaseId: id,
    outcome,
    hosts: webOrigins(purchase?.hostOrigin ? [purchase.hostOrigin] : (placeIfKnown(c)?.shops ?? [])),
    returnUrl: purchase && merchantReturn(purchase, outcome),
    atOnce: stays,
  }
  // Whoever comes back is answered by a companion that does not know its address, too.
  const url = placeIfKnown(c)?.url
  return returnPage(data, spoken, url === undefined ? null : returnAddress(url, id, outcome))
}
