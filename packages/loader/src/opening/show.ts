/** One opening of the widget: from the click, or from preloading, to the surface that shows it. */
import { delay } from '../delay.ts'
import { widgetError } from '../errors.ts'
import { createOpening, endOnError, type Opening, type OpeningInit } from '../opening.ts'
import { close } from '../outcome/conclude.ts'
import { checkNow, handleLoss, watchPurchase } from '../outcome/follow.ts'
import { type Wait, waitForStored } from '../outcome/pending.ts'
import { CONFIRMING, DETACHED, LOADED, OPENING } from '../outcome/phases.ts'
import { unknownResult } from '../outcome/result.ts'
import type { Settings } from '../settings.ts'
import type { Click } from './click.ts'
import { handleLoad, markLoaded, navigate, showWaiting, start, watchLoading } from './navigate.ts'
import { ensureSurface, placeWindow } from './place.ts'

/** Nothing happens before `warm` or `show`. */
export function prepare(
  settings: Settings,
  given: Pick<OpeningInit, 'emit' | 'enter' | 'done' | 'setNotice'>,
): Opening {
  const opening: Opening = createOpening({
    ...settings,
    ...given,
    onload: (address) => handleLoad(opening, address),
    onrestart: () => navigate(opening),
    onlost: () => handleLoss(opening),
    onclose: () => close(opening),
    oncancel: () => close(opening, true),
    onreopen: () => start(opening),
  })
  return opening
}

/** Loads the widget in an invisible frame. */
export const warm = (opening: Opening): void => endOnError(opening, () => navigate(opening))

/**
 * Shows the widget. Call it in the click, so that a popup opens at once.
 *
 * @param click What the click has already opened.
 */
export function show(opening: Opening, click?: Click): void {
  const { surface, target, phase, failed } = opening.now
  const earlier = waitForStored(opening, opening)
  const isThere = surface && (phase === OPENING || surface.view())
  const isWarm = isThere && !failed && !earlier && !(target && target.shownUntil < Date.now())
  if (!isWarm) opening.begin()
  opening.show(!!earlier)
  // A listener has closed or destroyed the widget.
  if (opening.now.ended) return void click?.view?.close()
  if (earlier) endOnError(opening, () => checkEarlierPurchase(opening, earlier, click))
  else if (isWarm) endOnError(opening, () => showWarm(opening))
  else start(opening, click)
}

/** Brings an open widget to the front. In the click: reopens one that was closed, or that can no longer be seen. */
export function showAgain(opening: Opening): void {
  const { now, onlost, onreopen } = opening
  const { surface, failed } = now
  // A window that was closed since it was last observed.
  if (surface && !surface.framed && !surface.view()) onlost()
  // The server is asked about a purchase whose return page has reported; nothing is opened before it answers.
  const isGone = !now.surface && now.phase < CONFIRMING && !now.returned
  if (isGone || now.phase === DETACHED) onreopen()
  else {
    // A frame shows the button that tries again; a window may show anything instead.
    if (failed && surface && !surface.framed) navigate(opening)
    now.surface?.focus()
  }
}

/** The frame exists, and is loading or has loaded. */
function showWarm(opening: Opening): void {
  const { surface, target, phase } = opening.now
  surface?.show()
  if (target) watchPurchase(opening)
  // The companion must know that the shopper sees what was preloaded.
  if (target?.byLink) checkNow(opening)
  if (phase === LOADED) markLoaded(opening)
  else if (phase < LOADED) watchLoading(opening)
}

/** How long the server may take to say whether an earlier purchase is being paid, until the shopper reads that it is not known. */
const EARLIER_PURCHASE_TIMEOUT_MS = 5_000

/** Opens nothing while the shopper may be paying for an earlier purchase, so that no shopper pays twice. */
function checkEarlierPurchase(opening: Opening, earlier: Wait, click: Click | undefined): void {
  if (earlier.isPending) {
    click?.view?.close()
    return void resumeEarlierPurchase(opening, earlier)
  }
  const { strings } = opening
  const openedTarget = placeWindow(opening, opening.whenBlocked, opening.now.mode, click)
  ensureSurface(opening)
  opening.now.surface?.show()
  let checks = 0
  const check = async (wait: Wait): Promise<void> => {
    const own = ++checks
    showWaiting(opening, strings.loading)
    let isFound = await Promise.race([wait.found, delay(EARLIER_PURCHASE_TIMEOUT_MS)])
    if (isFound === undefined && !opening.now.ended) {
      // Nobody knows whether it was paid: the shopper decides, unless the answer comes late.
      opening.report(widgetError('confirm_failed'))
      opening.now.surface?.setNotice(strings.notConfirmed, {
        askAgain: () => check(waitForStored(opening, opening) ?? wait),
        dismiss() {
          wait.dismiss()
          close(opening)
        },
      })
      isFound = await wait.found
    }
    // A window that was closed meanwhile ends the opening.
    if (opening.now.ended || own !== checks || !opening.now.surface) return
    if (isFound) resumeEarlierPurchase(opening, wait)
    else if (isFound === false) navigate(opening, openedTarget)
  }
  check(earlier)
}

/** Continues with the earlier purchase, about whose payment the page tells the shopper. */
async function resumeEarlierPurchase(opening: Opening, { result }: Wait): Promise<void> {
  opening.advance(CONFIRMING)
  opening.removeSurface()
  opening.end((await result) ?? unknownResult)
}
