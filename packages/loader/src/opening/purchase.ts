/** One purchase: from the click, or from warming up, to the surface that shows it. */
import { delay } from '../delay.ts'
import { close } from '../outcome/conclude.ts'
import { tellOpened } from '../outcome/confirm.ts'
import { lost, watchOver } from '../outcome/follow.ts'
import { type Wait, waitForKept } from '../outcome/pending.ts'
import { CONFIRMING, DETACHED, LOADED, OPENING } from '../outcome/phases.ts'
import { unknown } from '../outcome/result.ts'
import { own } from '../own.ts'
import { attempt, drop, end, enter, type Run, rise } from '../run.ts'
import type { Settings } from '../settings.ts'
import { arm, go, loaded, reach, start, waitWith } from './navigate.ts'
import { placeRest, placeWindow } from './place.ts'

export function createRun(
  settings: Settings,
  given: Pick<Run, 'emit' | 'report' | 'done' | 'take' | 'say' | 'click'>,
): Run {
  const run: Run = own({
    ...settings,
    ...given,
    phase: OPENING,
    navigation: new AbortController(),
    onload: () => loaded(run),
    onrestart: () => go(run),
    onlost: () => lost(run),
    onclose: () => close(run),
    oncancel: () => close(run, true),
    onreopen: () => start(run),
  })
  return run
}

/** Loads the widget in a frame that nobody sees yet. */
export const warm = (run: Run): void => attempt(run, () => go(run))

/** Shows the widget. In the click: a popup opens at once. */
export function show(run: Run): void {
  const { surface, target } = run
  run.shown = true
  const isThere = surface && (run.phase === OPENING || surface.view())
  const isWarm = isThere && !run.blocked && !(target && target.shownUntil < Date.now())
  const earlier = waitForKept(run, run)
  if (earlier) attempt(run, () => askFirst(run, earlier))
  else if (isWarm) attempt(run, () => showWarm(run))
  else start(run)
}

/** Brings an open widget to the front. In the click: a window that cannot be seen any more is opened again. */
export function showAgain(run: Run): void {
  if (run.phase === DETACHED) run.onreopen()
  else run.surface?.focus()
}

/** The frame is there, and on its way or further. */
function showWarm(run: Run): void {
  run.surface?.show()
  if (run.target) {
    watchOver(run)
    if (run.target.byLink) tellOpened(run, run.target.purchaseId)
  }
  if (run.phase === LOADED) reach(run)
  else {
    enter(run, run.phase)
    if (run.phase < LOADED) arm(run)
  }
}

/** For how long the server may take to say whether an earlier purchase is being paid, in milliseconds. */
const PATIENCE = 5_000

/** Opens nothing while the shopper may be paying for an earlier purchase: nobody pays twice. */
function askFirst(run: Run, earlier: Wait): void {
  if (earlier.isPending) return void takeUp(run, earlier)
  run.mayHavePaid = true
  enter(run, OPENING)
  placeWindow(run, run.whenBlocked)
  placeRest(run)
  waitWith(run, run.strings.loading)
  Promise.race([earlier.found, delay(PATIENCE)]).then((isPending) => {
    if (run.ended) return
    if (isPending) takeUp(run, earlier)
    else go(run)
  })
}

/** The earlier purchase is this one: the page says that its payment is being processed. */
async function takeUp(run: Run, { result }: Wait): Promise<void> {
  rise(run, CONFIRMING)
  drop(run)
  end(run, (await result) ?? unknown)
}
