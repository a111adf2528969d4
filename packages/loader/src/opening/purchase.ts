/** One purchase: from the click, or from warming up, to its result. */
import { close } from '../outcome/conclude.ts'
import { watchOver } from '../outcome/follow.ts'
import { LOADED, OPENING } from '../outcome/phases.ts'
import { own } from '../own.ts'
import { attempt, end, enter, type Run } from '../run.ts'
import type { Settings } from '../settings.ts'
import type { PurchaseResult } from '../types.ts'
import { arm, go, reach, start } from './navigate.ts'

export interface Purchase {
  /** Loads the widget in a frame that nobody sees yet. */
  warm(): void
  /** Shows the widget. In the click: a popup opens at once. */
  open(): void
  focus(): void
  /** The shopper is done: asks the server, then ends. */
  close(): void
  /** Ends at once, asking nobody. */
  end(result: PurchaseResult): void
}

export function createPurchase(
  given: Settings & Pick<Run, 'emit' | 'report' | 'done' | 'take' | 'say'>,
): Purchase {
  const run: Run = own({
    ...given,
    phase: OPENING,
    navigation: new AbortController(),
  })
  return {
    warm: () => attempt(run, () => go(run)),
    open() {
      const { surface, target } = run
      run.shown = true
      if (!surface?.view() || run.blocked || (target && target.until < Date.now())) start(run)
      else attempt(run, () => showWarm(run))
    },
    focus: () => run.surface?.focus(),
    close: () => close(run),
    end: (result) => end(run, result),
  }
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
