/** One opening of the widget: from the click, or from preloading, to the surface that shows it. */
import { createOpening, endOnError, type Opening, type OpeningInit } from '../opening.ts'
import { close } from '../outcome/conclude.ts'
import { checkNow, handleLoss, watchPurchase } from '../outcome/follow.ts'
import { clearPurchaseId, storedPurchaseId } from '../outcome/kept.ts'
import { CONFIRMING, DETACHED, LOADED, OPENING, READY } from '../outcome/phases.ts'
import type { Settings } from '../settings.ts'
import type { Click } from './click.ts'
import { resume, waitForEarlier } from './earlier.ts'
import { handleLoad, markLoaded, navigate, start, watchLoading } from './navigate.ts'

/** Nothing happens before `warm` or `show`. */
export function prepare(
  settings: Settings,
  given: Pick<OpeningInit, 'emit' | 'enter' | 'done' | 'setNotice' | 'replaces'>,
): Opening {
  const opening: Opening = createOpening({
    ...settings,
    ...given,
    onload: (address) => handleLoad(opening, address),
    onrestart: () => navigate(opening),
    onlost: () => handleLoss(opening),
    onclose: () => close(opening),
    oncancel: () => close(opening, 'cancelled'),
    onfinish: () => close(opening, 'finished'),
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
  // Stored in the click, it is no earlier purchase.
  if (click?.target) clearPurchaseId(click.target.purchaseId)
  const earlier = waitForEarlier(opening)
  const isThere = surface && (phase === OPENING || surface.view())
  const isWarm = isThere && !failed && !earlier && !(target && target.shownUntil < Date.now())
  if (!isWarm) opening.begin()
  opening.show(!!storedPurchaseId())
  // A listener has closed or destroyed the widget.
  if (opening.now.ended) return void click?.view?.close()
  if (earlier?.isPending) {
    click?.view?.close()
    void resume(opening, earlier)
  } else if (isWarm) endOnError(opening, () => showWarm(opening))
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
  else if (phase === READY) opening.emit('ready', { mode: opening.now.mode })
  else if (phase < LOADED) watchLoading(opening)
}
