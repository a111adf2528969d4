/** A widget's openings, at most one at a time: the one that the shopper sees, or one that has loaded unseen. */
import type { Store } from './emitter.ts'
import { gone } from './errors.ts'
import type { Early } from './opening/click.ts'
import { createRun, show, showAgain, warm } from './opening/purchase.ts'
import type { Targets } from './opening/target.ts'
import { close } from './outcome/conclude.ts'
import { end, type Run } from './run.ts'
import type { Settings } from './settings.ts'
import type { Say } from './surfaces/surface.ts'
import type { Mode, PurchaseResult } from './types.ts'

/** What an opening is made with; the next one may be made with something else. */
export interface Given {
  settings: Settings
  targets: Targets
}

export interface Openings {
  /** Loads the widget unseen. */
  warm(): void
  /** Opens the widget, or brings it to the front. */
  open(early?: Early): Promise<PurchaseResult>
  isOpen(): boolean
  /** Takes away what has loaded unseen, and opens a frame of the page anew: what was given has changed. */
  restart(): void
  close(): void
  focus(): void
  /** Ends without an event. */
  destroy(): void
  /** Where the current one shows; undefined without one. */
  mode(): Mode | undefined
}

export function createOpenings(
  { emit, enter, settle: tell, getSnapshot }: Store,
  say: Say,
  given: () => Given,
): Openings {
  let run: Run | undefined
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}

  function current(early?: Early): Run {
    if (run) return run
    const { settings, targets } = given()
    let isReported = !!early
    const made = createRun(settings, {
      emit,
      say,
      click: early?.click,
      take: targets.take,
      report(status, mode) {
        const now = getSnapshot()
        // A click that came before this stage has entered `opening` already.
        if (!(isReported && now.status === status && now.mode === mode)) enter({ status, mode })
        isReported = false
      },
      done(result) {
        // One that was given up ends for itself alone.
        if (made === run) done(result)
      },
    })
    run = made
    return made
  }

  function done(result: PurchaseResult): void {
    const ended = opened
    run = opened = undefined
    // Before the events: a listener may open the widget again, which makes another promise.
    settle(result)
    if (ended && result !== gone) tell(result)
  }

  return {
    warm: () => warm(current()),
    isOpen: () => !!opened,
    open(early) {
      if (opened) {
        if (run) showAgain(run)
        return opened
      }
      const promise = new Promise<PurchaseResult>((resolve) => {
        settle = resolve
      })
      opened = promise
      say()
      show(current(early))
      return promise
    },
    restart() {
      const old = run
      if (!old || (opened && !(old.mode === 'iframe' && given().settings.mode === 'iframe'))) return
      run = undefined
      end(old, gone)
      if (opened) show(current())
    },
    close() {
      if (opened && run) close(run)
    },
    focus: () => run?.surface?.focus(),
    destroy() {
      if (run) end(run, gone)
      say()
    },
    mode: () => run?.mode,
  }
}
