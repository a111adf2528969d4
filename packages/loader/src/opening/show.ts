/** One opening of the widget: from the click, or from preloading, to the surface that shows it. */
import { delay } from '../delay.ts'
import { createOpening, endOnError, type Opening, type OpeningInit } from '../opening.ts'
import { close } from '../outcome/conclude.ts'
import { tellOpened } from '../outcome/confirm.ts'
import { lost, watchOver } from '../outcome/follow.ts'
import { type Wait, waitForStored } from '../outcome/pending.ts'
import { CONFIRMING, DETACHED, LOADED, OPENING } from '../outcome/phases.ts'
import { unknownResult } from '../outcome/result.ts'
import type { Settings } from '../settings.ts'
import type { Click } from './click.ts'
import { arm, go, loaded, reach, showWaiting, start } from './navigate.ts'
import { placeRest, placeWindow } from './place.ts'

/** Nothing happens before `warm` or `show`. */
export function prepare(
  settings: Settings,
  given: Pick<OpeningInit, 'emit' | 'enter' | 'done' | 'take' | 'setNotice'>,
): Opening {
  const opening: Opening = createOpening({
    ...settings,
    ...given,
    onload: () => loaded(opening),
    onrestart: () => go(opening),
    onlost: () => lost(opening),
    onclose: () => close(opening),
    oncancel: () => close(opening, true),
    onreopen: () => start(opening),
  })
  return opening
}

/** Loads the widget in an invisible frame. */
export const warm = (opening: Opening): void => endOnError(opening, () => go(opening))

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
  if (earlier) endOnError(opening, () => askFirst(opening, earlier, click))
  else if (isWarm) endOnError(opening, () => showWarm(opening))
  else start(opening, click)
}

/** Brings an open widget to the front. In the click: reopens a window that can no longer be seen. */
export function showAgain({ now, onreopen }: Opening): void {
  if (now.phase === DETACHED) onreopen()
  else now.surface?.focus()
}

/** The frame exists, and is loading or has loaded. */
function showWarm(opening: Opening): void {
  const { surface, target, phase } = opening.now
  surface?.show()
  if (target) watchOver(opening)
  if (target?.byLink) tellOpened(opening, target.purchaseId)
  if (phase === LOADED) reach(opening)
  else if (phase < LOADED) arm(opening)
}

/** How long the server may take to say whether an earlier purchase is being paid, in milliseconds. */
const PATIENCE = 5_000

/** Opens nothing while the shopper may be paying for an earlier purchase, so that no shopper pays twice. */
function askFirst(opening: Opening, earlier: Wait, click: Click | undefined): void {
  if (earlier.isPending) {
    click?.view?.close()
    return void takeUp(opening, earlier)
  }
  const heading = placeWindow(opening, opening.whenBlocked, opening.now.mode, click)
  placeRest(opening)
  opening.now.surface?.show()
  showWaiting(opening, opening.strings.loading)
  Promise.race([earlier.found, delay(PATIENCE)]).then((isPending) => {
    if (opening.now.ended) return
    if (isPending) takeUp(opening, earlier)
    else go(opening, heading)
  })
}

/** Continues with the earlier purchase: the page says that its payment is being processed. */
async function takeUp(opening: Opening, { result }: Wait): Promise<void> {
  opening.advance(CONFIRMING)
  opening.removeSurface()
  opening.end((await result) ?? unknownResult)
}
