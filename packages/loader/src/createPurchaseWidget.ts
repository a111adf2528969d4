/** The handle: its options, its state, its events. */
import { createStore } from './emitter.ts'
import { parseOptions } from './opening/options.ts'
import { createTargets } from './opening/target.ts'
import { createOpenings, type Given, gone } from './openings.ts'
import { own } from './own.ts'
import type { Settings } from './settings.ts'
import { createBar } from './surfaces/bar.ts'
import { containerOf } from './surfaces/frame.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from './types.ts'

/**
 * Makes a widget. Nothing is opened or fetched before `open()`, unless `preload` says so.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change.
 */
export function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const { emit, on, enter, getSnapshot } = createStore()
  const functions: Functions = own({})
  let key: string | undefined
  let given: Given
  let stopIntent = (): void => {}
  const say = createBar(() => given.settings)
  const openings = createOpenings({ emit, on, enter, getSnapshot }, say, () => given)

  const isDestroyed = (): boolean => getSnapshot().status === 'destroyed'

  function preload(): void {
    const { mode, preload } = given.settings
    stopIntent()
    // On a server there is nothing to warm up.
    if (!globalThis.document || isDestroyed() || openings.mode()) return
    if (preload !== 'none' && (mode === 'iframe' || mode === 'modal')) openings.warm()
    else given.targets.preload(mode)
  }

  function update(next: PurchaseWidgetOptions): boolean {
    const nextKey = keyOf(next)
    const newest = withNewest(next, functions)
    const { container = undefined } = next
    if (isDestroyed() || (nextKey === key && container === given.settings.container)) return false
    const settings = parseOptions(newest)
    key = nextKey
    given = { settings, targets: createTargets(settings) }
    stopIntent()
    stopIntent = whenNear(settings, preload)
    openings.restart()
    // A widget that StrictMode destroys at once must not cost a token; who comes after a purchase may be another shopper.
    if (settings.preload === 'eager' && getSnapshot().status === 'idle') queueMicrotask(preload)
    return true
  }

  update(options)
  return {
    open: () => (isDestroyed() ? Promise.resolve(gone) : openings.open()),
    close: openings.close,
    focus: openings.focus,
    destroy() {
      if (isDestroyed()) return
      stopIntent()
      enter({ status: 'destroyed' })
      openings.destroy()
    },
    preload,
    update,
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

type Functions = Record<string, (input: unknown) => unknown>

/** The options, with functions that call the newest of their name; one that newer options leave out is still there for what is under way. */
function withNewest(options: PurchaseWidgetOptions, functions: Functions): PurchaseWidgetOptions {
  const given = own<Record<string, unknown>>({ ...options })
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'function') continue
    functions[name] = value as Functions[string]
    given[name] = (input: unknown) => functions[name]?.(input)
  }
  return given as unknown as PurchaseWidgetOptions
}

/** The options by value. Of a function it counts only that there is one. */
const keyOf = ({ container, ...options }: PurchaseWidgetOptions): string =>
  JSON.stringify(options, (_, value) => (typeof value === 'function' ? 'function' : value))

/** With `intent`: calls once when the container comes near the viewport; gives back the undo. Without an observer it is loaded when it is opened. */
function whenNear(settings: Settings, act: () => void): () => void {
  const container = settings.preload === 'intent' && globalThis.IntersectionObserver && containerOf(settings)
  if (!container) return () => {}
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && act(), {
    rootMargin: '50%',
  })
  observer.observe(container)
  return () => observer.disconnect()
}
