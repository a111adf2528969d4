/** The handle: its options, its state and its events. The second stage does the rest. */
import { checkOptions } from '#check'
import type { EarlyOpening, openEarly as OpenEarly } from './early.ts'
import { createStore, type Store } from './emitter.ts'
import { destroyedResult } from './errors.ts'
import { nullProto } from './names.ts'
import type { Click, Early } from './opening/click.ts'
import type { Session } from './session.ts'
import type { Rest, Stage } from './stage.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from './types.ts'

/** A widget that can take over a click. */
export interface Widget extends PurchaseWidget {
  open(early?: Early): Promise<PurchaseResult>
}

/** @param openEarly For a click that comes before the second stage, unless that stage is there from the start. */
export function createWidget(
  options: PurchaseWidgetOptions,
  stage: Stage,
  openEarly?: typeof OpenEarly,
): Widget {
  const store = createStore()
  const { on, enter, getSnapshot } = store
  let given: PurchaseWidgetOptions
  let key: string | undefined
  /** From a click that came before the second stage, until its result; and the options at that click. */
  let early: EarlyOpening | undefined
  let clicked: PurchaseWidgetOptions | undefined
  let stop = new AbortController()
  // Without a session, only a click that waits has this state.
  const lazy = createLazySession(store, stage, () => (getSnapshot().status === 'opening' && clicked) || given)

  /** Opens the widget with the options at the click; options that came later apply to the next opening. */
  function finish(rest: Rest, click: Click | undefined): Promise<PurchaseResult> {
    const session = lazy.begin(rest)
    const result = session.open({ click })
    if (clicked !== given) session.update(given, true)
    return result
  }

  function update(next: PurchaseWidgetOptions): boolean {
    if (getSnapshot() === destroyed) return false
    checkOptions(next)
    const nextKey = keyOf(next)
    const hasChanged = nextKey !== key || next.container !== given.container
    key = nextKey
    given = nullProto(next)
    lazy.session()?.update(given, hasChanged)
    return hasChanged
  }

  update(options)
  lazy.prepareSoon()
  return {
    open(taken) {
      if (getSnapshot() === destroyed) return Promise.resolve(destroyedResult)
      if (early && getSnapshot().status !== 'settled') {
        const session = lazy.session()
        // Brings the widget to the front, if it is already visible.
        if (session) void session.open()
        else early.showAgain()
        return early.result
      }
      const rest = stage.now()
      stop = new AbortController()
      clicked = given
      early = rest ? undefined : openEarly?.(given, stage, store, finish, stop.signal)
      return early?.result ?? lazy.begin(rest as Rest).open(taken)
    },
    close() {
      const session = lazy.session()
      if (session) session.close()
      else stop.abort({ status: 'closed' } satisfies PurchaseResult)
    },
    focus: () => lazy.session()?.focus(),
    destroy() {
      if (getSnapshot() === destroyed) return
      enter(destroyed)
      lazy.session()?.destroy()
      stop.abort(destroyedResult)
    },
    preload: () => void lazy.prepare((session) => session.preload()),
    update,
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

const destroyed = { status: 'destroyed' } as const

/** The second stage's part of a widget, created once that stage has loaded and the widget needs it. */
function createLazySession(store: Store, stage: Stage, given: () => PurchaseWidgetOptions) {
  let session: Session | undefined

  function begin(rest: Rest): Session {
    session ??= rest.createSession(store, given())
    return session
  }

  /** Loads the second stage before the click; if that fails, the click tries again. */
  async function prepare(act = (_: Session): void => {}): Promise<void> {
    const rest = stage.now() ?? (await stage.load().catch(() => undefined))
    if (rest && store.getSnapshot() !== destroyed) act(begin(rest))
  }

  return {
    begin,
    prepare,
    session: () => session,
    prepareSoon() {
      // On a server there is nothing to prepare.
      if (!globalThis.document) return
      if (stage.now() || (given().preload ?? 'none') !== 'none') void prepare()
      // A page that is never idle waits for two seconds.
      else globalThis.requestIdleCallback?.(() => prepare(), { timeout: 2_000 }) ?? setTimeout(prepare)
    },
  }
}

/** The options by value, in whatever order they are given. For a function, only its presence counts. */
const keyOf = ({ container, ...options }: PurchaseWidgetOptions): string =>
  JSON.stringify(options, (_, value) => {
    if (typeof value === 'function') return 'function'
    if (typeof value !== 'object' || !value || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
