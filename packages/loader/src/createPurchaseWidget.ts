/** The handle: its state, its events, and at most one purchase at a time. */
import { widgetError } from './errors.ts'
import { parseOptions } from './options.ts'
import { createPurchase, type Emit, type PurchaseControl } from './purchase.ts'
import { containerOf } from './surfaces/frame.ts'
import { createTargets } from './token.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions, WidgetState } from './types.ts'

/**
 * Makes a widget. Nothing is opened or fetched before `open()`, unless `preload` says so.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change.
 */
export function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const settings = parseOptions(options)
  const targets = createTargets(settings)
  const events = new EventTarget()
  let state: WidgetState = { status: 'idle' }
  let opened: Promise<PurchaseResult> | undefined
  let settle: (result: PurchaseResult) => void
  let purchase: PurchaseControl | undefined
  let intent: IntersectionObserver | undefined

  // An EventTarget keeps one listener's exception from the others.
  const emit: Emit = (type, detail) => events.dispatchEvent(new CustomEvent(type, { detail }))

  const on: PurchaseWidget['on'] = (type, listener) => {
    const hear = (event: Event): void => listener((event as CustomEvent).detail)
    events.addEventListener(type, hear)
    return () => events.removeEventListener(type, hear)
  }

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
    if (!destroyed()) {
      enter({ status: 'closed', result })
      // `success`, `failure` and `error` are events too; nobody listens to the others.
      emit(result.status as 'error', 'error' in result ? result.error : (result as never))
      emit('close', result)
    }
  }

  const current = (): PurchaseControl => {
    purchase ??= createPurchase(
      settings,
      targets.take,
      emit,
      (status, mode) => enter({ status, mode }),
      finish,
    )
    return purchase
  }

  function preload(): void {
    if (destroyed() || purchase) return
    intent?.disconnect()
    if (settings.preload === 'eager' && /^[im]/.test(settings.mode)) current().warm()
    else targets.preload()
  }

  // A widget that StrictMode destroys at once must not cost a token.
  if (settings.preload === 'eager') queueMicrotask(preload)
  const near = settings.preload === 'intent' && containerOf(settings)
  // Where it is missing, the widget loads when it is opened.
  if (near && globalThis.IntersectionObserver) {
    intent = new IntersectionObserver(([entry]) => entry?.isIntersecting && preload(), { rootMargin: '50%' })
    intent.observe(near)
  }

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
      current().open()
      return promise
    },
    close: () => opened && purchase?.close(),
    focus: () => purchase?.focus(),
    destroy() {
      if (destroyed()) return
      intent?.disconnect()
      enter({ status: 'destroyed' })
      purchase?.end(gone())
    },
    preload,
    on,
    getSnapshot: () => state,
    subscribe: (listener) => on('statechange', () => listener()),
  }
}

const gone = (): PurchaseResult => ({
  status: 'error',
  error: widgetError('destroyed', 'This widget was destroyed; make a new one.'),
})
