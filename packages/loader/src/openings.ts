/** A widget's openings, at most one at a time: the one that the shopper sees, or one that has loaded unseen. */
import { defer } from './delay.ts'
import type { Store } from './emitter.ts'
import { destroyedResult } from './errors.ts'
import type { Early } from './opening/click.ts'
import { prepare, show, showAgain, warm } from './opening/show.ts'
import type { Opening } from './opening.ts'
import { close } from './outcome/conclude.ts'
import { CONFIRMING } from './outcome/phases.ts'
import type { Settings } from './settings.ts'
import type { SetNotice } from './surfaces/surface.ts'
import type { PurchaseResult } from './types.ts'

interface Openings {
  /** Loads the widget in an invisible frame, unless there is an opening. */
  warm(): void
  /** Opens the widget, or brings it to the front. */
  open(early?: Early): Promise<PurchaseResult>
  isOpen(): boolean
  /** Removes a preloaded widget, and reopens a frame in the page, because the options have changed. */
  restart(): void
  close(): void
  focus(): void
  /** Ends without an event. */
  destroy(): void
}

export function createOpenings(
  { emit, enter, settle: settleStore }: Store,
  setNotice: SetNotice,
  /** For the next opening. */
  settings: () => Settings,
): Openings {
  let opening: Opening | undefined
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}

  function current(): Opening {
    if (opening) return opening
    const made = prepare(settings(), {
      emit,
      enter,
      setNotice,
      done(result) {
        // The end of an abandoned opening does not affect the next one.
        if (made === opening) done(result)
      },
    })
    opening = made
    return made
  }

  function done(result: PurchaseResult): void {
    const ended = opened
    opening = opened = undefined
    // Before the events: a listener may open the widget again, which creates another promise.
    settle(result)
    if (ended && result !== destroyedResult) settleStore(result)
  }

  return {
    warm() {
      if (!opening) warm(current())
    },
    isOpen: () => !!opened,
    open(early) {
      if (opened) {
        if (opening) showAgain(opening)
        return opened
      }
      const { promise, resolve } = defer<PurchaseResult>()
      settle = resolve
      opened = promise
      setNotice()
      show(current(), early?.click)
      return promise
    },
    restart() {
      const old = opening
      const isFrame = old?.now.mode === 'iframe' && settings().mode === 'iframe'
      // A frame whose result is on its way is not replaced.
      if (!old || (opened && (!isFrame || old.now.phase === CONFIRMING))) return
      opening = undefined
      old.end(destroyedResult)
      if (opened) show(current())
    },
    close() {
      if (opened && opening) close(opening)
    },
    focus: () => opening?.now.surface?.focus(),
    destroy() {
      opening?.end(destroyedResult)
      setNotice()
    },
  }
}
