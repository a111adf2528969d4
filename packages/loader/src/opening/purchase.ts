/** One purchase: from the click, or from warming up, to the surface that shows it. */
import { close } from '../outcome/conclude.ts'
import { lost, watchOver } from '../outcome/follow.ts'
import { LOADED, OPENING } from '../outcome/phases.ts'
import { own } from '../own.ts'
import { attempt, enter, type Run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { arm, go, loaded, reach, start } from './navigate.ts'

export function createRun(
  settings: Settings,
  given: Pick<Run, 'emit' | 'report' | 'done' | 'take' | 'say'>,
): Run {
  const run: Run = own({
    ...settings,
    ...given,
    phase: OPENING,
    navigation: new AbortController(),
    onload: () => loaded(run),
    onmove: () => go(run),
    onlost: () => lost(run),
    onclose: () => close(run),
  })
  return run
}

/** Loads the widget in a frame that nobody sees yet. */
export const warm = (run: Run): void => attempt(run, () => go(run))

/** Shows the widget. In the click: a popup opens at once. */
export function show(run: Run): void {
  const { surface, target } = run
  run.shown = true
  const isWarm = surface?.view() && !run.blocked && !(target && target.until < Date.now())
  if (isWarm) attempt(run, () => showWarm(run))
  else start(run)
}

/** The frame is there, and on its way or further. */
function showWarm(run: Run): void {
  run.surface?.show()
  if (run.target) watchOver(run)
  if (run.phase === LOADED) reach(run)
  else {
    enter(run, run.phase)
    if (run.phase < LOADED) arm(run)
  }
}
