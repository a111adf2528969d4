/** Opens nothing while the shopper may be paying for an earlier purchase, so that no shopper pays twice. */
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { isOpenHere, type Opening, purchaseOf } from '../opening.ts'
import { handleKnownResult } from '../outcome/follow.ts'
import { type Wait, waitFor, waitForStored } from '../outcome/pending.ts'
import { CONFIRMING, LOADED } from '../outcome/phases.ts'
import { type Answer, unansweredResult, unknownResult } from '../outcome/result.ts'
import type { Settings } from '../settings.ts'
import type { PurchaseResult } from '../types.ts'

/** How long the server may take to say whether an earlier purchase is being paid, until the shopper reads that it is not known. */
const ANSWER_TIMEOUT_MS = 5_000

/** Asks about the purchase that this opening has shown, or else about the tab's. Returns undefined if none can have been paid. */
export function waitForEarlier(opening: Opening): Wait | undefined {
  const { shown, target, ask, phase } = opening.now
  if (!shown || !target) return waitForStored(opening, opening)
  return ask && phase >= LOADED ? waitFor(target.purchaseId, ask, opening) : undefined
}

/** Whether another payment may begin. Otherwise this opening ends: with the earlier purchase's result, or because the shopper gives up. */
export async function mayOpen(opening: Opening, earlier: Wait): Promise<boolean> {
  const { now, strings, onclose } = opening
  // Meanwhile the shopper may give up or close the window, and the widget may report its end.
  const isOver = (): boolean => now.ended || !now.surface
  let isInDoubt = false
  for (let wait: Wait | undefined = earlier; wait; wait = waitForEarlier(opening)) {
    now.surface?.setNotice(strings.loading, { cancel: onclose }, true)
    let answer = await Promise.race([wait.found, delay(ANSWER_TIMEOUT_MS)])
    if (isOver()) return false
    // A shopper who has read that it is not known is told what becomes known.
    isInDoubt ||= !answer
    wait.isAwaited ||= isInDoubt
    answer ||= await letShopperDecide(opening, wait)
    if (isOver()) return false
    if (answer) return !endWith(opening, wait, answer)
  }
  return true
}

/** Nobody knows whether it was paid. Resolves to a late answer, or to nothing if the shopper wants to ask again. */
function letShopperDecide(opening: Opening, wait: Wait): Promise<Answer | undefined> {
  opening.report(widgetError('confirm_failed'))
  return new Promise((resolve) => {
    wait.found.then((answer) => answer && resolve(answer))
    opening.now.surface?.setNotice(opening.strings.notConfirmed, {
      askAgain: () => resolve(undefined),
      dismiss() {
        if (opening.now.target) return opening.end(unansweredResult)
        wait.dismiss()
        opening.end({ status: 'closed' })
      },
    })
  })
}

/** Ends the opening if the earlier purchase is paid or being paid; returns whether it does. */
function endWith(opening: Opening, wait: Wait, answer: Answer): boolean {
  const { status } = answer
  const isComplete = status === 'complete'
  if (isComplete && wait.id === opening.now.target?.purchaseId) handleKnownResult(opening, answer)
  else if (status === 'pending' || (isComplete && wait.isAwaited)) resume(opening, wait)
  else return false
  return true
}

/** Continues with the earlier purchase, about whose payment the page tells the shopper. */
export async function resume(opening: Opening, { id, result }: Wait): Promise<void> {
  const isOwn = id === purchaseOf(opening) || id === opening.replaces
  // Another widget of the page reports it.
  const isElsewhere = isOpenHere(id)
  opening.advance(CONFIRMING)
  opening.removeSurface()
  const known = (await result) ?? unknownResult
  const isOthers = !isOwn && (isElsewhere || isOfOther(known, opening.params))
  opening.end(isOthers ? { status: 'closed' } : known)
}

/** A widget must not report that another product is paid, unless it has shown that purchase itself. */
const isOfOther = (result: PurchaseResult, { product_id }: Settings['params']): boolean => {
  const sold = 'order' in result ? result.order?.product_id : undefined
  return !!sold && !!product_id && sold !== product_id
}
