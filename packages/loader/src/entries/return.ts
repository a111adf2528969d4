/** For the merchant's return page: notifies the page that opened the widget, and reports the result of the purchase. */
import { nullProto } from '../names.ts'
import type { ReturnedMessage } from '../outcome/channel.ts'
import { createAsk, type Server, untilEnded } from '../outcome/confirm.ts'
import { clearPurchaseId, isPurchaseId, KEY } from '../outcome/kept.ts'
import { hintedResult, resultOf, unansweredResult, unknownResult } from '../outcome/result.ts'
import { type ReadAddress, readAddress } from '../returnAddress.ts'
import type { PurchaseResult, ReturnInfo, TokenSource } from '../types.ts'

export type { PurchaseResult, ReturnInfo } from '../types.ts'

/** Who is asked for the result of the purchase: the companion, or your own server. */
export type AnnounceReturnOptions = Pick<TokenSource, 'companion' | 'headers' | 'confirm'>

export interface AnnouncedReturn extends ReturnInfo {
  /**
   * The result of the purchase, as the merchant's server reports it. The first read starts the request, which waits up to half a minute for
   * an order that is on its way. Never rejects.
   */
  readonly result: Promise<PurchaseResult>
}

let announced: AnnouncedReturn | undefined

/**
 * Call it on the page where a purchase ends. It reads the purchase's id from the address (`purchase=<id>`, `/return/<id>`), removes what the
 * companion and the service added to the address, and asks for the result of the purchase. Without a companion it also notifies the
 * page that opened the widget; with one, the companion's own return page has already done that.
 *
 * What the address says (`status`, `orderId`, …) is a hint that anyone may have written. `result` is what the merchant's server reports; if
 * the server does not know the result or does not answer, it is `unknown`. Called again on an address that it has cleaned, it returns the
 * same object. After a reload it still knows the purchase, from `history.state`, and asks again.
 */
export function announceReturn(options: AnnounceReturnOptions = {}): AnnouncedReturn {
  const server: Server = nullProto(options)
  const url = location.href
  const { info } = readPage()
  const { purchaseId } = info
  if (announced?.url === url && announced.purchaseId === purchaseId) return announced
  if (purchaseId && !server.companion) notifyHost(purchaseId, info)
  cleanPage(info)

  let result: Promise<PurchaseResult> | undefined
  announced = {
    ...info,
    get result() {
      result ??= askResult(server, info)
      return result
    },
  }
  return announced
}

/** Each of the two channels may be missing or forbidden; one is enough. */
function notifyHost(purchaseId: string, { status, url }: ReturnInfo): void {
  const message: ReturnedMessage = {
    source: KEY,
    type: 'returned',
    purchaseId,
    outcome: status,
    // Includes the purchase id: the page to which the host navigates must know which purchase it was.
    returnUrl: withPurchase(url, purchaseId),
  }
  const host: Window | null = parent === window ? opener : parent
  host?.postMessage(message, origin)
  try {
    const channel = new BroadcastChannel(`${KEY}:${purchaseId}`)
    channel.postMessage(message)
    // The message is on its way; an open channel keeps browsers from storing the page for the way back.
    channel.close()
  } catch {}
}

function withPurchase(url: string, purchaseId: string): string {
  const address = new URL(url)
  address.searchParams.set('purchase', purchaseId)
  return address.href
}

async function askResult(server: Server, info: ReturnInfo): Promise<PurchaseResult> {
  const { purchaseId, status, url } = info
  const ask = purchaseId && createAsk(server, purchaseId)
  // Anyone may have written the address: it counts only if there is no server to ask.
  if (!ask) return server.companion || server.confirm ? unknownResult : hintedResult(status, url)
  const answer = await untilEnded(ask, info)
  if (!answer) return unansweredResult
  const result = resultOf(answer, unknownResult, url)
  // The shop's next page must not report it again.
  if (result.status !== 'unknown') clearPurchaseId(purchaseId)
  return result
}

/** What the page's address says; after a reload, when the address is already clean, with the purchase id from the history entry. */
export function readPage(): ReadAddress {
  const read = readAddress(location.href)
  const { [KEY]: purchaseId }: Record<string, unknown> = nullProto(Object(history.state))
  if (!read.info.purchaseId && isPurchaseId(purchaseId)) read.info.purchaseId = purchaseId
  return read
}

/**
 * Removes what was added to the address, and keeps the purchase's id in the history entry: a reload or a restored tab finds it there, and
 * nothing else does. Addresses are copied, logged and sent to analytics.
 */
function cleanPage({ url, purchaseId }: ReadAddress['info']): void {
  const { state } = history
  // If a page keeps something other than an object there, it needs that more than a reload needs the purchase.
  const nextState = purchaseId && typeof state === 'object' ? { ...state, [KEY]: purchaseId } : state
  history.replaceState(nextState, '', url)
}
