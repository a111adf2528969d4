/** The handle: its options, its state and its events. Its session does the rest. */
import { checkOptions } from '#check'
import { createStore, type Store } from './emitter.ts'
import { destroyedResult } from './errors.ts'
import { nullProto } from './names.ts'
import type { Click } from './opening/click.ts'
import type { Session } from './session.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from './types.ts'

/** A widget that can take over what a click has opened before the second stage had loaded. */
export interface Widget extends PurchaseWidget {
  /** Opens it like `open()`, which takes no arguments: as a listener it is called with an event. */
  take(click?: Click): Promise<PurchaseResult>
}

const destroyed = { status: 'destroyed' } as const

export function createWidget(
  options: PurchaseWidgetOptions,
  createSession: (store: Store, options: PurchaseWidgetOptions) => Session,
): Widget {
  checkOptions(options)
  const store = createStore()
  const { on, enter, getSnapshot } = store
  const isDestroyed = (): boolean => getSnapshot() === destroyed
  let given = nullProto(options)
  let key = keyOf(given)
  const session = createSession(store, given)
  const { preload, close, focus } = session

  const take = (click?: Click): Promise<PurchaseResult> =>
    isDestroyed() ? Promise.resolve(destroyedResult) : session.open(click)

  return {
    open: () => take(),
    take,
    close,
    focus,
    preload,
    destroy() {
      if (isDestroyed()) return
      enter(destroyed)
      session.destroy()
    },
    update(next) {
      if (isDestroyed()) return false
      checkOptions(next)
      const nextKey = keyOf(next)
      const hasChanged = nextKey !== key || next.container !== given.container
      key = nextKey
      given = nullProto(next)
      session.update(given, hasChanged)
      return hasChanged
    },
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

/** The options by value, in whatever order they are given. For a function, only its presence counts. */
const keyOf = ({ container, ...options }: PurchaseWidgetOptions): string =>
  JSON.stringify(options, (_, value) => {
    if (typeof value === 'function') return 'function'
    if (Object(value) !== value) return value
    // A list keeps its order: its keys are numbers, which an object sorts itself.
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
