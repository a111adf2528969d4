/** The handle: its state, its events, and at most one purchase at a time. */
import { createStore, type Store } from './emitter.ts'
import { widgetError } from './errors.ts'
import { parseOptions } from './opening/options.ts'
import { createPurchase, type Purchase } from './opening/purchase.ts'
import { createTargets } from './opening/target.ts'
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
  const { on, getSnapshot } = store
  const openings = createOpenings(settings, store)
  const destroyed = (): boolean => getSnapshot().status === 'destroyed'
  let stopIntent = (): void => {}

  function preload(): void {
    // On a server there is nothing to warm up.
    if (!globalThis.document || destroyed()) return
    stopIntent()
    openings.preload()
  }

  // A widget that StrictMode destroys at once must not cost a token.
  if (settings.preload === 'eager') queueMicrotask(preload)
  if (settings.preload === 'intent') stopIntent = whenNear(settings, preload)

  return {
    open: () => (destroyed() ? Promise.resolve(gone()) : openings.open()),
    close: openings.close,
    focus: openings.focus,
    destroy() {
      if (destroyed()) return
      stopIntent()
      store.enter({ status: 'destroyed' })
      openings.end(gone())
    },
    preload,
    on,
    getSnapshot,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

/** One purchase after the other. */
function createOpenings(settings: Settings, { emit, enter, getSnapshot }: Store) {
  const targets = createTargets(settings)
  const say = createBar(settings)
  let opened: Promise<PurchaseResult> | undefined
  let settle = (_: PurchaseResult): void => {}
  let purchase: Purchase | undefined

  function done(result: PurchaseResult): void {
    const ended = opened
    purchase = opened = undefined
    // Before the events: a listener may open the widget again, which makes another promise.
    settle(result)
    if (!ended || getSnapshot().status === 'destroyed') return
    enter({ status: 'settled', result })
    if (result.status === 'success') emit('success', result)
    else if (result.status === 'failure') emit('failure', result)
    emit('result', result)
  }

  const current = (): Purchase => {
    const report: Parameters<typeof createPurchase>[0]['report'] = (status, mode) => enter({ status, mode })
    purchase ??= createPurchase({ ...settings, say, emit, take: targets.take, report, done })
    return purchase
  }

  return {
    preload(): void {
      const { mode, preload } = settings
      if (purchase) return
      if (preload !== 'none' && (mode === 'iframe' || mode === 'modal')) current().warm()
      else targets.preload(mode)
    },
    open(): Promise<PurchaseResult> {
      if (opened) {
        purchase?.focus()
        return opened
      }
      const promise = new Promise<PurchaseResult>((resolve) => {
        settle = resolve
      })
      opened = promise
      say()
      current().open()
      return promise
    },
    close: (): void => {
      if (opened) purchase?.close()
    },
    focus: (): void => purchase?.focus(),
    end(result: PurchaseResult): void {
      purchase?.end(result)
      say()
    },
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
