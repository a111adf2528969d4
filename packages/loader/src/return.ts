/** The return kit: what a merchant's return page runs. */
import type { ReturnMessage } from './channel.ts'
import { findOrder, KEY, type Purchase, untilEnded } from './confirm.ts'
import { own } from './own.ts'
import { resultOf, unverified } from './state.ts'
import type { Confirm, PurchaseResult, ReturnInfo } from './types.ts'
import { parseReturnUrl, type ReturnAddresses } from './url.ts'

export type { PurchaseResult, ReturnInfo } from './types.ts'

export interface AnnounceReturnOptions extends ReturnAddresses {
  /** Address of the companion handler. Default: the one that the purchase began with. */
  companion?: string
  /** Asks the merchant's server, where there is no companion. */
  confirm?: Confirm
}

export interface AnnouncedReturn extends ReturnInfo {
  /**
   * What became of the purchase, as the merchant's server says; asked for when it is first read, for up to half a minute while the order is on
   * its way. Never rejects.
   */
  readonly result: Promise<PurchaseResult>
}

/** What the loader has left behind; undefined for whatever else is there. */
const recall = (storage: 'sessionStorage' | 'localStorage'): Purchase | undefined => {
  try {
    const { id, companion, ids } = own<Purchase>(JSON.parse(window[storage].getItem(KEY) ?? ''))
    return typeof (companion ?? id) === 'string' && Array.isArray(ids ?? [])
      ? { id, companion, ids }
      : undefined
  } catch {
    return undefined
  }
}

const absolute = (url: string | undefined): string => (url ? new URL(url, location.href).href : '')

/**
 * Run it on the page that `redirect_url` and `fail_redirect_url` lead to. It tells the page that opened the widget, takes what the
 * service added out of the address, and says what became of the purchase.
 *
 * What the address says (`status`, `orderId`, …) is a hint. `result` is what the merchant's server says.
 */
export function announceReturn(options: AnnounceReturnOptions = {}): AnnouncedReturn {
  const { confirm, redirectUrl, failRedirectUrl } = own(options)
  const url = location.href
  const info = parseReturnUrl(url, {
    redirectUrl: absolute(redirectUrl),
    failRedirectUrl: absolute(failRedirectUrl),
  }) ?? { status: 'unknown', url }

  const mine = recall('sessionStorage')
  const purchase = own({ id: '', ...(mine ?? recall('localStorage')), ...options })
  const framed = parent !== window
  const message: ReturnMessage = { source: KEY, type: 'return', url, id: framed ? undefined : mine?.id }
  if (framed) parent.postMessage(message, origin)
  else tellOtherTabs(message)
  history.replaceState(history.state, '', info.url)

  const ask = confirm ?? (purchase.companion ? (hint) => findOrder(purchase, hint) : undefined)
  let result: Promise<PurchaseResult> | undefined
  return {
    ...info,
    get result() {
      result ??= settle(info, ask)
      return result
    },
  }
}

async function settle(info: ReturnInfo, ask: Confirm | undefined): Promise<PurchaseResult> {
  const hint = { ...info, returnUrl: info.url }
  const order = ask && (await untilEnded(() => ask(hint), 30_000, 30_000))
  return resultOf(order, unverified(info), info.url)
}

/** Each way may be missing or forbidden; one is enough. */
function tellOtherTabs(message: ReturnMessage): void {
  ;(opener as Window | null)?.postMessage(message, origin)
  try {
    localStorage.setItem(`${KEY}:return`, JSON.stringify(message))
    localStorage.removeItem(`${KEY}:return`)
  } catch {}
  try {
    const channel = new BroadcastChannel(KEY)
    channel.postMessage(message)
    // The page that opened this window has gone on by itself, and can't close it.
    channel.onmessage = ({ data }) => {
      if (data?.type === 'close' && data.id && data.id === message.id) close()
    }
  } catch {}
}
