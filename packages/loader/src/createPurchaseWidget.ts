/** The handle: its state, its events, and at most one purchase at a time. */
import { createStore, type Store } from './emitter.ts'
import { widgetError } from './errors.ts'
import { parseOptions } from './opening/options.ts'
import { createRun, show, showAgain, warm } from './opening/purchase.ts'
import { createTargets } from './opening/target.ts'
import { close } from './outcome/conclude.ts'
import { end, type Run } from './run.ts'
import type { Settings } from './settings.ts'
import { createBar } from './surfaces/bar.ts'
import { containerOf } from './surfaces/frame.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from './types.ts'

/**
 * Makes a widget. Nothing is opened or fetched before `open()`, unless `preload` says so.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change.
 */
export function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const settings = parseOptions(options)
  const store = createStore()
  const { emit, on, enter, getSnapshot } = store
  const targets = createTargets(settings)
  const say = createBar(settings)
  let run: Run | undefined
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}

  const isDestroyed = (): boolean => getSnapshot().status === 'destroyed'

  function done(result: PurchaseResult): void {
    const ended = opened
    run = opened = undefined
    // Before the events: a listener may open the widget again, which makes another promise.
    settle(result)
    if (ended && !isDestroyed()) tellResult(store, result)
  }

  const current = (): Run => {
    const report: Run['report'] = (status, mode) => enter({ status, mode })
    run ??= createRun(settings, { emit, say, take: targets.take, report, done })
    return run
  }

  function preload(): void {
    const { mode, preload } = settings
    stopIntent()
    // On a server there is nothing to warm up.
    if (!globalThis.document || isDestroyed() || run) return
    if (preload !== 'none' && (mode === 'iframe' || mode === 'modal')) warm(current())
    else targets.preload(mode)
  }

  // A widget that StrictMode destroys at once must not cost a token.
  if (settings.preload === 'eager') queueMicrotask(preload)
  const stopIntent = whenNear(settings, preload)

  return {
    open() {
      if (isDestroyed()) return Promise.resolve(gone())
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
    close() {
      if (opened && run) close(run)
    },
    focus: () => run?.surface?.focus(),
    destroy() {
      if (isDestroyed()) return
      stopIntent()
      enter({ status: 'destroyed' })
      if (run) end(run, gone())
      say()
    },
    preload,
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

function tellResult({ enter, emit }: Store, result: PurchaseResult): void {
  enter({ status: 'settled', result })
  if (result.status === 'success') emit('success', result)
  else if (result.status === 'failure') emit('failure', result)
  emit('result', result)
}

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

const gone = (): PurchaseResult => ({
  status: 'error',
  error: widgetError('destroyed'),
})
