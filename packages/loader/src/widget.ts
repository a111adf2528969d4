/** The handle: its options, its state and its events. The second stage does the rest. */
import { checkOptions } from '#check'
import type { openEarly as OpenEarly } from './early.ts'
import { createStore, type Store } from './emitter.ts'
import { gone } from './errors.ts'
import { own } from './names.ts'
import type { Early } from './opening/click.ts'
import type { Session } from './session.ts'
import type { Rest, Stage } from './stage.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from './types.ts'

/** A widget that can take over a click. */
export interface Widget extends PurchaseWidget {
  open(early?: Early): Promise<PurchaseResult>
}

/** @param openEarly For a click that comes before the second stage, unless that is there from the beginning. */
export function createWidget(
  options: PurchaseWidgetOptions,
  stage: Stage,
  openEarly?: typeof OpenEarly,
): Widget {
  const store = createStore()
  const { on, enter, getSnapshot } = store
  let given: PurchaseWidgetOptions
  let key: string | undefined
  /** From a click that came before the second stage, to its result. */
  let early: Promise<PurchaseResult> | undefined
  let stop = new AbortController()
  const lazy = createLazySession(store, stage, () => given)

  function update(next: PurchaseWidgetOptions): boolean {
    if (getSnapshot() === destroyed) return false
    checkOptions(next)
    const nextKey = keyOf(next)
    const hasChanged = nextKey !== key || next.container !== given.container
    key = nextKey
    given = own(next)
    lazy.session()?.update(given, hasChanged)
    return hasChanged
  }

  update(options)
  lazy.prepareSoon()
  return {
    open(clicked) {
      if (getSnapshot() === destroyed) return Promise.resolve(gone)
      if (early && getSnapshot().status !== 'settled') {
        // Brings it to the front, where it can be seen already.
        void lazy.session()?.open()
        return early
      }
      const rest = stage.now()
      stop = new AbortController()
      early = rest ? undefined : openEarly?.(given, stage, store, lazy.begin, stop.signal)
      return early ?? lazy.begin(rest as Rest).open(clicked)
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
      stop.abort(gone)
    },
    preload: () => void lazy.prepare((session) => session.preload()),
    update,
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

const destroyed = { status: 'destroyed' } as const

/** What the second stage makes of a widget, once that is there and the widget needs it. */
function createLazySession(store: Store, stage: Stage, given: () => PurchaseWidgetOptions) {
  let session: Session | undefined

  function begin(rest: Rest): Session {
    session ??= rest.createSession(store, given())
    return session
  }

  /** Loads the second stage before the click; where that fails, the click tries again. */
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

/** The options by value. Of a function it counts only that there is one. */
const keyOf = ({ container, ...options }: PurchaseWidgetOptions): string =>
  JSON.stringify(options, (_, value) => (typeof value === 'function' ? 'function' : value))
