/** The end of a purchase: who says so, what it means for the surface and the page, and what the merchant's server makes of it. */
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { drop, end, type Run, rise, tellError } from '../run.ts'
import { safeOrigin } from '../safeOrigin.ts'
import type { PurchaseResult, ReturnInfo } from '../types.ts'
import type { Answer } from './answer.ts'
import type { Reply } from './channel.ts'
import { type Returned, untilEnded } from './confirm.ts'
import { CONFIRMING, DETACHED } from './phases.ts'
import { hintedResult, resultOf, unanswered, unknown } from './result.ts'

/** Milliseconds after which the shopper reads that the server is asked. */
const NOTICEABLE = 700

/**
 * Takes the widget away, asks the server, then ends.
 *
 * @param otherwise The result as far as the page knows.
 * @param returned The shopper was seen to come back.
 * @param known What the server has said already.
 */
export async function conclude(
  run: Run,
  otherwise: PurchaseResult,
  returned?: Returned,
  known?: Answer,
): Promise<void> {
  const { redirectPage, strings, ask, say, navigation } = run
  if (!rise(run, CONFIRMING)) return
  // A return page that is meant to stay, stays. Where the server knew first, it is in another window, or not there yet.
  drop(run, !!returned && !known && redirectPage === 'new')
  if (!ask) return stay(run, otherwise, returned)
  const checking = (): void => say(strings.confirming, {}, true)
  delay(NOTICEABLE, navigation.signal).then(checking)
  for (let answer: Answer | null | undefined = known; ; checking()) {
    answer ??= await untilEnded(ask, returned, navigation.signal)
    if (answer) {
      const hasLeft = goOn(run, answer.returnUrl, answer.status === 'failed' ? 'failure' : 'success')
      return hasLeft ? undefined : stay(run, resultOf(answer, otherwise, returned?.url), returned)
    }
    tellError(run, widgetError('confirm_failed', 'Your server did not answer; ask it again.'))
    const again = await new Promise<boolean>((decide) =>
      say(strings.notConfirmed, { askAgain: () => decide(true), dismiss: () => decide(false) }),
    )
    if (!again) return end(run, unanswered)
  }
}

function stay(run: Run, result: PurchaseResult, returned: Returned | undefined): void {
  const origin = run.goesOn && safeOrigin(returned?.url, run)
  if (origin && !run.allowedOrigins.includes(origin))
    console.warn(`The page stays: for a return to ${origin}, add that to allowedReturnOrigins.`)
  // It outlives the result, until the shopper has read it.
  if (result.status === 'success' && !result.verified)
    end(run, result, run.strings.underReview, { dismiss: () => run.say() })
  else end(run, result)
}

/**
 * The shopper is done. Who has come back, or whose window cannot be seen, may have paid.
 *
 * @param cancelled The shopper said so.
 */
export function close(run: Run, cancelled?: boolean): void {
  // Its window goes in any case: the return page is in another.
  drop(run)
  if (run.failed) end(run, { status: 'error', error: run.failed })
  else if (run.target)
    conclude(
      run,
      run.returned || (run.phase === DETACHED && !cancelled) ? unknown : { status: 'closed' },
      run.returned,
    )
  else end(run, { status: 'closed' })
}

/** The shopper has come back: the page goes to the return address, or stays and asks. */
export function arrive(run: Run, info: ReturnInfo, reply?: Reply, answer?: Answer): void {
  const { redirectPage, allowedOrigins, emit, mode } = run
  const back = redirectPage === 'self'
  if (run.ended || run.phase === CONFIRMING) return
  const event = Object.assign(new Event('return', { cancelable: true }), { info })
  emit('return', event)
  if (run.ended) return
  reply?.(back && mode === 'popup')
  run.goesOn = back && !event.defaultPrevented
  // What a message says may be anybody's word; what the server answers is the merchant's own.
  const isAllowed = answer || allowedOrigins.includes(safeOrigin(info.url, run) ?? '')
  if (!(isAllowed && goOn(run, info.url, info.status)))
    conclude(run, run.ask ? unknown : hintedResult(info.status, info.url), info, answer)
}

/** Whether the page goes to a return address: not where a failed purchase leads to this very page, on which the shopper can try again. */
function goOn(run: Run, url: string | null | undefined, status: ReturnInfo['status']): boolean {
  if (!run.goesOn || !url || !safeOrigin(url, run) || (status === 'failure' && isThisPage(url))) return false
  drop(run)
  location.assign(url)
  end(run, { status: 'redirected' })
  return true
}

const isThisPage = (url: string): boolean => pageOf(url) === pageOf(location.href)

/** An address without its fragment and without what a return adds. */
function pageOf(url: string): string {
  const page = new URL(url)
  page.hash = ''
  for (const added of ['purchase', 'type']) page.searchParams.delete(added)
  return page.href
}
