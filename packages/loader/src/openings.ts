/** A widget's openings, at most one at a time: the one that the shopper sees, or one that has loaded unseen. */
import type { Store } from './emitter.ts'
import { gone } from './errors.ts'
import type { Early } from './opening/click.ts'
import { prepare, show, showAgain, warm } from './opening/show.ts'
import type { Targets } from './opening/target.ts'
import type { Opening } from './opening.ts'
import { close } from './outcome/conclude.ts'
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

export function createOpenings({ emit, enter, settle: tell }: Store, say: Say, given: () => Given): Openings {
  let opening: Opening | undefined
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}

  function current(): Opening {
    if (opening) return opening
    const { settings, targets } = given()
    const made = prepare(settings, {
      emit,
      enter,
      say,
      take: targets.take,
      done(result) {
        // One that was given up ends for itself alone.
        if (made === opening) done(result)
      },
    })
    opening = made
    return made
  }

  function done(result: PurchaseResult): void {
    const ended = opened
    opening = opened = undefined
    // Before the events: a listener may open the widget again, which makes another promise.
    settle(result)
    if (ended && result !== gone) tell(result)
  }

  return {
    warm: () => warm(current()),
    isOpen: () => !!opened,
    open(early) {
      if (opened) {
        if (opening) showAgain(opening)
        return opened
      }
      const promise = new Promise<PurchaseResult>((resolve) => {
        settle = resolve
      })
      opened = promise
      say()
      show(current(), early?.click)
      return promise
    },
    restart() {
      const old = opening
      if (!old || (opened && !(old.now.mode === 'iframe' && given().settings.mode === 'iframe'))) return
      opening = undefined
      old.end(gone)
      if (opened) show(current())
    },
    close() {
      if (opened && opening) close(opening)
    },
    focus: () => opening?.now.surface?.focus(),
    destroy() {
      opening?.end(gone)
      say()
    },
    mode: () => opening?.now.mode,
  }
}
