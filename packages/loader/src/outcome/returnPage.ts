/** What a return page knows of its purchase, also once its address is clean. */
import { own } from '../own.ts'
import { type ReadAddress, readAddress } from '../returnAddress.ts'
import { isPurchaseId, KEY } from './kept.ts'

/** What the page's address says; after a reload, which finds that address cleaned, with the purchase of its entry in the history. */
export function readPage(): ReadAddress {
  const read = readAddress(location.href)
  const { [KEY]: purchaseId }: Record<string, unknown> = own(Object(history.state))
  if (!read.info.purchaseId && isPurchaseId(purchaseId)) read.info.purchaseId = purchaseId
  return read
}

/**
 * Takes what was added out of the address, and leaves the purchase's id in the entry: a reload finds it there, also a restored tab, and
 * nobody else does. An address is copied, logged and sent to analytics.
 */
export function cleanPage({ url, purchaseId }: ReadAddress['info']): void {
  const { state } = history
  // A page that keeps something else than an object there needs it more than a reload needs the purchase.
  const kept = purchaseId && typeof state === 'object' ? { ...state, [KEY]: purchaseId } : state
  history.replaceState(kept, '', url)
}
