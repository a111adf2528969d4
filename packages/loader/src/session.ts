/** A widget's second stage: its parsed options, and its openings. */

import { defer } from './delay.ts'
import type { Store } from './emitter.ts'
import { asError, destroyedResult } from './errors.ts'
import { nullProto } from './names.ts'
import type { Click } from './opening/click.ts'
import { parseOptions } from './opening/options.ts'
import { prepare, show, showAgain, warm } from './opening/show.ts'
import type { Opening } from './opening.ts'
import { close } from './outcome/conclude.ts'
import { storedPurchaseId } from './outcome/kept.ts'
import { CONFIRMING } from './outcome/phases.ts'
import type { Settings } from './settings.ts'
import { isLeaving } from './surfaces/address.ts'
import { containerOf } from './surfaces/frame.ts'
import { createBar } from './surfaces/shell.ts'
import type { SetNotice } from './surfaces/surface.ts'
import type { PurchaseResult, PurchaseWidgetOptions, WidgetError } from './types.ts'

export interface Session {
  /** Replaces the options. `hasChanged`: values other than functions have changed. */
  update(options: PurchaseWidgetOptions, hasChanged: boolean): void
  preload(): void
  open(click?: Click): Promise<PurchaseResult>
  close(): void
  focus(): void
  /** Ends without an event. */
  destroy(): void
}

export function createSession(store: Store, options: PurchaseWidgetOptions): Session {
  const { fail, getSnapshot } = store
  const functions: Functions = nullProto({})
  let settings: Settings
  /** Why the newest options must not be opened. */
  let optionsError: WidgetError | undefined
  let stopIntent = (): void => {}
  const setNotice = createBar(() => settings)
  const openings = createOpenings(store, setNotice, () => settings)

  function preload(): void {
    // On a server there is nothing to prepare.
    if (!globalThis.document || optionsError || getSnapshot().status === 'destroyed') return
    const { mode } = settings
    stopIntent()
    // A window can only be opened in a click.
    if (mode === 'iframe' || mode === 'modal') openings.warm()
  }

  function update(next: PurchaseWidgetOptions, hasChanged: boolean): void {
    const newest = withNewest(next, functions)
    if (!hasChanged) return
    try {
      const parsed = parseOptions(newest)
      const stop = whenNear(parsed, preload)
      stopIntent()
      stopIntent = stop
      settings = parsed
      optionsError = undefined
    } catch (cause) {
      optionsError = asError(cause)
      return
    }
    openings.restart()
    // A widget that StrictMode destroys at once must not cost a token; the next shopper after a purchase may be another person.
    if (settings.preload === 'eager' && getSnapshot().status === 'idle') queueMicrotask(preload)
  }

  async function refuse(error: WidgetError, click: Click | undefined): Promise<PurchaseResult> {
    click?.view?.close()
    return fail(error)
  }

  update(options, true)
  // The first access to storage takes milliseconds (M10 of docs/measurements.md): not in the click.
  storedPurchaseId()
  return {
    update,
    preload,
    open: (click) =>
      optionsError && !openings.isOpen() ? refuse(optionsError, click) : openings.open(click),
    close: openings.close,
    focus: openings.focus,
    destroy() {
      stopIntent()
      openings.destroy()
    },
  }
}

type Functions = Record<string, (input: unknown) => unknown>

/** The options, with functions that call the newest one of their name; one that newer options omit stays available to what is under way. */
function withNewest(options: PurchaseWidgetOptions, functions: Functions): PurchaseWidgetOptions {
  const given = nullProto<Record<string, unknown>>({ ...options })
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'function') continue
    functions[name] = value as Functions[string]
    given[name] = (input: unknown) => functions[name]?.(input)
  }
  return given as unknown as PurchaseWidgetOptions
}

/** With `intent`: calls `act` when the container comes near the viewport; returns an undo function. Without an observer, `open()` loads it. */
function whenNear(settings: Settings, act: () => void): () => void {
  const isWatched = globalThis.document && globalThis.IntersectionObserver && settings.preload === 'intent'
  const container = isWatched && containerOf(settings)
  if (!container) return () => {}
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && act(), {
    rootMargin: '50%',
  })
  observer.observe(container)
  return () => observer.disconnect()
}

/** A widget's openings, at most one at a time: the one that the shopper sees, or one that has loaded unseen. */
function createOpenings(
  { emit, enter, settle: settleStore }: Store,
  setNotice: SetNotice,
  /** For the next opening. */
  settings: () => Settings,
) {
  let opening: Opening | undefined
  let opened: Promise<PurchaseResult> | undefined
  /** The result of the opening for which this tab may be leaving. */
  let left: Promise<PurchaseResult> | undefined
  /** The purchase of the frame that new options have replaced last. */
  let replaced: string | undefined
  let settle = (_: PurchaseResult): void => {}

  function current(): Opening {
    if (opening) return opening
    const made = prepare(settings(), {
      emit,
      enter,
      setNotice,
      replaces: replaced,
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
    left = result.status === 'redirected' ? ended : undefined
    // Before the events: a listener may open the widget again, which creates another promise.
    settle(result)
    if (ended && result !== destroyedResult) settleStore(result)
  }

  return {
    /** Loads the widget in an invisible frame, unless there is an opening. */
    warm() {
      if (!opening) warm(current())
    },
    isOpen: (): boolean => !!opened,
    /** Opens the widget, or brings it to the front. */
    open(click?: Click): Promise<PurchaseResult> {
      const present = opened ?? (isLeaving() ? left : undefined)
      if (opened && opening) showAgain(opening)
      if (present) return present
      const { promise, resolve } = defer<PurchaseResult>()
      settle = resolve
      opened = promise
      setNotice()
      show(current(), click)
      return promise
    },
    /** Removes a preloaded widget, and reopens a frame in the page, because the options have changed. */
    restart() {
      const old = opening
      left = undefined
      if (!old || (opened && !mayReplace(old, settings()))) return
      opening = undefined
      replaced = old.now.target?.purchaseId ?? replaced
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

/** Whether new options reopen what the shopper sees: a frame, unless its result is on its way. */
const mayReplace = ({ now }: Opening, { mode }: Settings): boolean =>
  now.mode === 'iframe' && mode === 'iframe' && now.phase !== CONFIRMING
