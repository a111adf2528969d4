/** Ends a purchase: closes the surface, asks the merchant's server for the result, and navigates to the return address or stays. */
import { warnOfReturn } from '#check'
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { nullProto } from '../names.ts'
import type { Opening } from '../opening.ts'
import { startLeaving } from '../surfaces/address.ts'
import type { PurchaseResult, ReturnInfo } from '../types.ts'
import { safeOrigin } from '../url.ts'
import type { Reply } from './channel.ts'
import { type Returned, untilEnded } from './confirm.ts'
import { CONFIRMING, DETACHED } from './phases.ts'
import { type Answer, hintedResult, resultOf, unansweredResult, unknownResult } from './result.ts'

const SHOW_CONFIRMING_AFTER_MS = 700

interface Ending {
  /** The result as far as the page knows it; by default, that the shopper may have paid. */
  otherwise?: PurchaseResult
  /** Set if the page observed that the shopper came back. */
  returned?: Returned | undefined
  /** The server's answer, if it is already known. */
  known?: Answer | undefined
  /** Whether the page navigates to the return address. */
  followsReturn?: boolean
}

/** Removes the widget, asks the server, then ends. */
export async function conclude(opening: Opening, ending: Ending): Promise<void> {
  const { redirectPage, strings, setNotice, now } = opening
  const { returned, known, otherwise = unknownResult, followsReturn } = nullProto(ending)
  if (!opening.advance(CONFIRMING)) return
  const { ask, signal } = now
  // A return page that should stay open stays. If the server knew the result first, that page is in another window, or has not loaded yet.
  opening.removeSurface(!!returned && !known && redirectPage === 'new')
  if (!ask) return stay(opening, otherwise, returned, followsReturn)
  const checking = (): void => setNotice(strings.confirming, {}, true)
  delay(SHOW_CONFIRMING_AFTER_MS, signal).then(checking)
  for (let answer: Answer | null | undefined = known; ; checking()) {
    answer ??= await untilEnded(ask, returned, signal)
    if (answer) {
      const status = answer.status === 'failed' ? 'failure' : 'success'
      const hasLeft = followsReturn && goToReturnUrl(opening, answer.returnUrl, status)
      return hasLeft
        ? undefined
        : stay(opening, resultOf(answer, otherwise, returned?.url), returned, followsReturn)
    }
    opening.report(widgetError('confirm_failed'))
    const again = await new Promise<boolean>((decide) =>
      setNotice(strings.notConfirmed, { askAgain: () => decide(true), dismiss: () => decide(false) }),
    )
    if (!again) return opening.end(unansweredResult)
  }
}

function stay(
  opening: Opening,
  result: PurchaseResult,
  returned: Returned | undefined,
  followsReturn: boolean | undefined,
): void {
  if (followsReturn) warnOfReturn(returned?.url, opening)
  // The notice outlives the result, until the shopper has read it.
  // Without an order the server has confirmed the payment, and keeps the rest from whoever is not signed in.
  if (result.status === 'success' && !result.verified && result.order)
    opening.end(result, opening.strings.underReview, { dismiss: () => opening.setNotice() })
  else opening.end(result)
}

/**
 * The shopper is done. A shopper who has come back, or whose window is hidden, may have paid.
 *
 * @param how The button that the shopper pressed.
 */
export function close(opening: Opening, how?: 'cancelled' | 'finished'): void {
  const { failed, target, phase, shown, mayHavePaid } = opening.now
  const returned = opening.now.returned ?? (how === 'finished' ? {} : undefined)
  // The window is closed in any case: the return page is in another one.
  opening.removeSurface()
  const isBack = returned || (phase === DETACHED && how !== 'cancelled')
  const left: PurchaseResult = failed ? { status: 'error', error: failed } : { status: 'closed' }
  const otherwise = isBack ? unknownResult : left
  // A preloaded widget that the page has removed has no result.
  if (target && shown && (!failed || mayHavePaid)) conclude(opening, { otherwise, returned })
  else opening.end(left)
}

/** The shopper has come back: the page navigates to the return address, or stays and asks the server. */
export function handleReturn(opening: Opening, info: ReturnInfo, reply?: Reply, known?: Answer): void {
  const { redirectPage, allowedOrigins, emit, now } = opening
  const back = redirectPage === 'self'
  if (now.ended || now.phase === CONFIRMING) return
  const event = Object.assign(new Event('return', { cancelable: true }), { info })
  emit('return', event)
  if (now.ended) return
  reply?.(back && now.mode === 'popup')
  const followsReturn = back && !event.defaultPrevented
  // Anyone may have sent a message; what the server answers is the merchant's own.
  const isAllowed = known || allowedOrigins.includes(safeOrigin(info.url, opening) ?? '')
  if (followsReturn && isAllowed && goToReturnUrl(opening, info.url, info.status)) return
  const otherwise = now.ask ? unknownResult : hintedResult(info.status, info.url)
  conclude(opening, { otherwise, returned: info, known, followsReturn })
}

/** Navigates to a return address, unless a failed purchase leads to this very page, on which the shopper can try again. */
function goToReturnUrl(
  opening: Opening,
  url: string | null | undefined,
  status: ReturnInfo['status'],
): boolean {
  if (!url || !safeOrigin(url, opening) || (status === 'failure' && isThisPage(url))) return false
  opening.removeSurface()
  startLeaving()
  location.assign(url)
  opening.end({ status: 'redirected' })
  return true
}

const isThisPage = (url: string): boolean => withoutReturn(url) === withoutReturn(location.href)

/** An address without its fragment and without the parameters that a return adds. */
function withoutReturn(url: string): string {
  const page = new URL(url)
  page.hash = ''
  for (const added of ['purchase', 'type']) page.searchParams.delete(added)
  return page.href
}
