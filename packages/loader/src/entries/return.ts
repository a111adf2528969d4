/** For the merchant's return page: tells the page that opened the widget, and says what became of the purchase. */
import { own } from '../names.ts'
import type { ReturnedMessage } from '../outcome/channel.ts'
import { createAsk, type Server, untilEnded } from '../outcome/confirm.ts'
import { forget, isPurchaseId, KEY } from '../outcome/kept.ts'
import { hintedResult, resultOf, unanswered, unknown } from '../outcome/result.ts'
import { type ReadAddress, readAddress } from '../returnAddress.ts'
import type { PurchaseResult, ReturnInfo, TokenSource } from '../types.ts'

export type { PurchaseResult, ReturnInfo } from '../types.ts'

/** Who is asked what became of the purchase: the companion, or your own server. */
export type AnnounceReturnOptions = Pick<TokenSource, 'companion' | 'headers' | 'confirm'>

export interface AnnouncedReturn extends ReturnInfo {
  /**
   * What became of the purchase, as the merchant's server says; asked for when it is first read, for up to half a minute while the order is
   * on its way. Never rejects.
   */
  readonly result: Promise<PurchaseResult>
}

let announced: AnnouncedReturn | undefined

/**
 * Run it on the page where a purchase ends. It reads the purchase's id in the address (`purchase=<id>`, `/return/<id>`), takes what the
 * companion and the service added out of the address, and asks what became of the purchase. Without a companion it also tells the
 * page that opened the widget; with one, the companion's own return page has done that.
 *
 * What the address says (`status`, `orderId`, …) is a hint that anybody may have written. `result` is what the merchant's server says; what
 * it does not know, or does not answer, is `unknown`. Called again on an address
 * that it has cleaned, it gives the same. After a reload it still knows the purchase, by `history.state`, and asks anew.
 */
export function announceReturn(options: AnnounceReturnOptions = {}): AnnouncedReturn {
  const server: Server = own(options)
  const url = location.href
  const { info } = readPage()
  const { purchaseId } = info
  if (announced?.url === url && announced.purchaseId === purchaseId) return announced
  if (purchaseId && !server.companion) tell(purchaseId, info)
  cleanPage(info)

  let result: Promise<PurchaseResult> | undefined
  announced = {
    ...info,
    get result() {
      result ??= settle(server, info)
      return result
    },
  }
  return announced
}

/** Each way may be missing or forbidden; one is enough. */
function tell(purchaseId: string, { status, url }: ReturnInfo): void {
  const message: ReturnedMessage = {
    source: KEY,
    type: 'returned',
    purchaseId,
    outcome: status,
    // With the purchase in it: the page that the host goes to has to know which one it was.
    returnUrl: withPurchase(url, purchaseId),
  }
  const host: Window | null = parent === window ? opener : parent
  host?.postMessage(message, origin)
  try {
    new BroadcastChannel(`${KEY}:${purchaseId}`).postMessage(message)
  } catch {}
}

function withPurchase(url: string, purchaseId: string): string {
  const address = new URL(url)
  address.searchParams.set('purchase', purchaseId)
  return address.href
}

async function settle(server: Server, info: ReturnInfo): Promise<PurchaseResult> {
  const { purchaseId, status, url } = info
  const ask = purchaseId && createAsk(server, purchaseId)
  // Anybody may have written the address: it counts only where there is nobody to ask.
  if (!ask) return server.companion || server.confirm ? unknown : hintedResult(status, url)
  const answer = await untilEnded(ask, info)
  if (!answer) return unanswered
  const result = resultOf(answer, unknown, url)
  // The shop's next page must not give it again.
  if (result.status !== 'unknown') forget(purchaseId)
  return result
}

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
function cleanPage({ url, purchaseId }: ReadAddress['info']): void {
  const { state } = history
  // A page that keeps something else than an object there needs it more than a reload needs the purchase.
  const kept = purchaseId && typeof state === 'object' ? { ...state, [KEY]: purchaseId } : state
  history.replaceState(kept, '', url)
}
