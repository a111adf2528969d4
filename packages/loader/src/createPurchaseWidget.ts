/** The handle: its state, its events, and at most one open purchase. */
import { widgetError } from './errors.ts'
import { parseOptions } from './options.ts'
import { type OpenPurchase, openPurchase } from './purchase.ts'
import { containerOf, createFrame, type FrameSurface } from './surfaces/frame.ts'
import { createTargets } from './token.ts'
import type {
  PurchaseResult,
  PurchaseWidget,
  PurchaseWidgetOptions,
  WidgetEventMap,
  WidgetState,
} from './types.ts'

/**
 * Makes a widget. Nothing is opened or fetched before `open()`, unless `preload` says so.
 *
 * @throws WidgetError `invalid_options`, with a message that says what to change.
 */
export function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget {
  const settings = parseOptions(options)
  const getTarget = createTargets(settings)
  const events = new EventTarget()
  const framed = settings.mode === 'iframe' || settings.mode === 'modal'
  let state: WidgetState = { status: 'idle' }
  let opened: Promise<PurchaseResult> | undefined
  let purchase: OpenPurchase | undefined
  let warm: FrameSurface | undefined
  let intent: IntersectionObserver | undefined

  // An EventTarget keeps one listener's exception from the others.
  const emit = <Type extends keyof WidgetEventMap>(type: Type, detail: WidgetEventMap[Type]): void => {
    events.dispatchEvent(new CustomEvent(type, { detail }))
  }

  const enter = (next: WidgetState): void => {
    state = next
    emit('statechange', next)
  }

  const destroyed = (): boolean => state.status === 'destroyed'

  function end(result: PurchaseResult): void {
    purchase = opened = undefined
    if (destroyed()) return
    enter({ status: 'closed', result })
    const { status } = result
    if (status === 'success') emit(status, result)
    if (status === 'failure') emit(status, result)
    if (status === 'error') emit(status, result.error)
    emit('close', result)
  }

  function takeWarm(): FrameSurface | undefined {
    const frame = warm
    warm = undefined
    return frame?.alive() ? frame : undefined
  }

  function preload(): void {
    if (opened || destroyed()) return
    intent?.disconnect()
    if (framed && settings.preload === 'eager' && !warm) {
      warm = createFrame(settings, settings.mode === 'modal')
      warm.onmoved = preload
    }
    const frame = warm
    // A failure shows when the widget is opened, which tries again.
    getTarget().then(
      (target) => frame && frame === warm && frame.go(target),
      () => {},
    )
  }

  const on: PurchaseWidget['on'] = (type, listener) => {
    const hear = (event: Event): void => listener((event as CustomEvent).detail)
    events.addEventListener(type, hear)
    return () => events.removeEventListener(type, hear)
  }

  // A widget that StrictMode destroys at once must not cost a token.
  if (settings.preload === 'eager') queueMicrotask(preload)
  const near = settings.preload === 'intent' && containerOf(settings)
  if (near) {
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
      let resolve: (result: PurchaseResult) => void = () => {}
      const promise = new Promise<PurchaseResult>((settle) => {
        resolve = settle
      })
      opened = promise
      purchase = openPurchase({
        settings,
        getTarget,
        takeWarm,
        emit,
        enter: (status, mode) => enter({ status, mode }),
        end(result) {
          end(result)
          resolve(result)
        },
      })
      return promise
    },
    close: () => purchase?.close(),
    focus: () => purchase?.focus(),
    destroy() {
      if (destroyed()) return
      intent?.disconnect()
      takeWarm()?.remove()
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
  error: widgetError('destroyed', 'This widget was destroyed. Make a new one.'),
})
