/** The handle: its state, its events, and at most one purchase at a time. */
import { createEmitter } from './emitter.ts'
import { widgetError } from './errors.ts'
import { parseOptions } from './opening/options.ts'
import { createPurchase, type Purchase } from './opening/purchase.ts'
import { createTargets } from './opening/target.ts'
import type { Settings } from './settings.ts'
import { createBar } from './surfaces/bar.ts'
import { containerOf } from './surfaces/frame.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions, WidgetState } from './types.ts'

/**
 * Makes a widget. Nothing is opened or fetched before `open()`, unless `preload` says so.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change.
 */
export function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const settings = parseOptions(options)
  const targets = createTargets(settings)
  const { emit, on } = createEmitter()
  const bar = createBar(settings)
  let state: WidgetState = { status: 'idle' }
  let opened: Promise<PurchaseResult> | undefined
  let settle: (result: PurchaseResult) => void
  let purchase: Purchase | undefined
  let stopIntent = (): void => {}

  const enter = (next: WidgetState): void => {
    state = next
    emit('statechange', next)
  }
  const destroyed = (): boolean => state.status === 'destroyed'

  function finish(result: PurchaseResult): void {
    purchase = undefined
    if (!opened) return
    opened = undefined
    // Before the events: a listener may open the widget again, which makes another promise.
    settle(result)
    if (destroyed()) return
    enter({ status: 'settled', result })
    if (result.status === 'success') emit('success', result)
    else if (result.status === 'failure') emit('failure', result)
    emit('result', result)
  }

  const current = (): Purchase => {
    purchase ??= createPurchase({
      settings,
      bar,
      emit,
      take: targets.take,
      report: (status, mode) => enter({ status, mode }),
      done: finish,
    })
    return purchase
  }

  function preload(): void {
    const { mode } = settings
    // On a server there is nothing to warm up.
    if (!globalThis.document || destroyed() || purchase) return
    stopIntent()
    if (settings.preload !== 'none' && (mode === 'iframe' || mode === 'modal')) current().warm()
    else targets.preload(mode)
  }

  // A widget that StrictMode destroys at once must not cost a token.
  if (settings.preload === 'eager') queueMicrotask(preload)
  if (settings.preload === 'intent') stopIntent = whenNear(settings, preload)

  return {
    open() {
      if (destroyed()) return Promise.resolve(gone())
      if (opened) {
        purchase?.focus()
        return opened
      }
      const promise = new Promise<PurchaseResult>((resolve) => {
        settle = resolve
      })
      opened = promise
      bar.say(null)
      current().open()
      return promise
    },
    close: () => opened && purchase?.close(),
    focus: () => purchase?.focus(),
    destroy() {
      if (destroyed()) return
      stopIntent()
      enter({ status: 'destroyed' })
      purchase?.end(gone())
      bar.say(null)
    },
    preload,
    on,
    getSnapshot: () => state,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

/** Calls once when the container comes near the viewport; gives back the undo. Without an observer it is loaded when it is opened. */
function whenNear(settings: Settings, act: () => void): () => void {
  const container = globalThis.IntersectionObserver && containerOf(settings)
  if (!container) return () => {}
  const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && act(), {
    rootMargin: '50%',
  })
  observer.observe(container)
  return () => observer.disconnect()
}

const gone = (): PurchaseResult => ({
  status: 'error',
  error: widgetError('destroyed', 'This widget was destroyed; make a new one.'),
})
