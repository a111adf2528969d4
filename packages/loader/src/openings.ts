/** A widget's openings, at most one at a time: the one that the shopper sees, or one that has loaded unseen. */
import type { Store } from './emitter.ts'
import { widgetError } from './errors.ts'
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
  open(): Promise<PurchaseResult>
  /** Takes away what has loaded unseen, and opens a frame of the page anew: what was given has changed. */
  restart(): void
  close(): void
  focus(): void
  /** Ends without an event. */
  destroy(): void
  /** Where the current one shows; undefined without one. */
  mode(): Mode | undefined
}

export function createOpenings({ emit, enter }: Store, say: Say, given: () => Given): Openings {
  let run: Run | undefined
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}

  function current(): Run {
    if (run) return run
    const { settings, targets } = given()
    const made = createRun(settings, {
      emit,
      say,
      take: targets.take,
      report: (status, mode) => enter({ status, mode }),
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
    if (!ended || result === gone) return
    enter({ status: 'settled', result })
    if (result.status === 'success') emit('success', result)
    else if (result.status === 'failure') emit('failure', result)
    emit('result', result)
  }

  return {
    warm: () => warm(current()),
    open() {
      if (opened) {
        if (run) showAgain(run)
        return opened
      }
      const promise = new Promise<PurchaseResult>((resolve) => {
        settle = resolve
      })
      opened = promise
      say()
      show(current())
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

/** The result after `destroy()`. */
export const gone: PurchaseResult = {
  status: 'error',
  get error() {
    return widgetError('destroyed')
  },
}
