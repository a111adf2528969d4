/**
 * Holds a component's widget from one render to the next. The widget is created once the component is mounted, so that a server creates none;
 * from then on it follows the props by `update()`. Before the first widget opens, the slot reports the purchase during which the page
 * was reloaded: every component is busy with it, and one of them reports its result.
 */
import {
  createPurchaseWidget,
  getPendingResult,
  type PurchaseResult,
  type PurchaseWidget,
  type PurchaseWidgetOptions,
  type WidgetError,
  type WidgetEventType,
  type WidgetState,
  widgetEvents,
} from '@purchase-widget/loader'
import { callbackName, optionsOf, type Props } from './options.ts'

export const idle: { status: 'idle' } = { status: 'idle' }

/** No purchase is open. */
const atRest: readonly WidgetState['status'][] = ['idle', 'settled', 'destroyed']

/** From the click to the result. */
export const isUnderWay = ({ status }: WidgetState): boolean => !atRest.includes(status)

/** Until something of the widget is visible. */
export const isNotYetVisible = ({ status }: WidgetState): boolean =>
  status === 'idle' || status === 'opening' || status === 'loading'

/** What a component's `ref` returns: the loader's widget, valid across renders. React destroys it. */
export type PurchaseWidgetHandle = Pick<PurchaseWidget, 'open' | 'close' | 'preload' | 'getSnapshot'>

export interface Slot extends PurchaseWidgetHandle {
  /** For the one component that owns this slot. Once it has unmounted for good, the widget is destroyed. */
  subscribe: PurchaseWidget['subscribe']
  /** Stores the props of the newest render. */
  update(props: Props): void
  /** Passes them to the widget, which loads what its first click needs. */
  follow(): void
  /** Opens a widget with the newest options, unless one was opened with them: for a widget that shows without a click. */
  show(): void
  /** Whether the widget has reported an error, so that the loader offers recovery actions in its place. */
  hasError(): boolean
}

/** A slot with the state of the purchase during which the page was reloaded, until it opens a widget of its own. */
export function createSlot(): Slot {
  let widget: PurchaseWidget | undefined
  /** The state of the purchase during which the page was reloaded; undefined until the companion is asked. */
  let resumed: WidgetState | undefined
  /** Whether the options have changed since `show()` was last called. */
  let hasChanged = false
  let hasError = false
  const component = createComponent(destroyWidget)

  const own = (): WidgetState => widget?.getSnapshot() ?? idle
  const getSnapshot = (): WidgetState => (own().status === 'idle' ? (resumed ?? idle) : own())

  function hear(from: PurchaseWidget, type: WidgetEventType, event: unknown): void {
    if (from !== widget) return
    if (type === 'error') hasError = true
    else if (type === 'statechange' && own().status === 'opening') hasError = false
    component.onChange()
    component.notify(type, event)
  }

  function destroyWidget(): void {
    const ended = widget
    widget = undefined
    ended?.destroy()
  }

  /** The widget, with the newest options. */
  function current(): PurchaseWidget {
    const options = optionsOf(component.props())
    hasChanged = (widget?.update(options) ?? true) || hasChanged
    widget ??= createWidget(options, hear)
    const acting = widget
    // A caller who kept the handle of an unmounted component gets the answer of a destroyed widget.
    if (component.hasEnded()) destroyWidget()
    return acting
  }

  /** Returns false if the component is hidden, which asks again once it is shown, or has opened a widget, which reports its own state. */
  function enterResumed(state: WidgetState): boolean {
    if (own().status !== 'idle') return false
    const isMounted = component.isMounted()
    resumed = isMounted ? state : undefined
    component.onChange()
    if (isMounted) component.notify('statechange', state)
    return isMounted
  }

  return {
    getSnapshot,
    hasError: () => hasError,
    subscribe(listener) {
      if (!resumed) {
        resumed = idle
        void resume(component, enterResumed)
      }
      return component.subscribe(listener)
    },
    update: component.update,
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    follow: () => ignoreMistake(current),
    show() {
      const acting = current()
      if (hasChanged && !isUnderWay(own())) void acting.open()
      hasChanged = false
    },
  }
}

function createWidget(
  options: PurchaseWidgetOptions,
  hear: (from: PurchaseWidget, type: WidgetEventType, event: unknown) => void,
): PurchaseWidget {
  const widget = createPurchaseWidget(options)
  for (const type of widgetEvents) widget.on(type, (event) => hear(widget, type, event))
  return widget
}

/** The click that opens the widget reports a mistake in the options; after a render it would take the page down. */
function ignoreMistake(act: () => unknown): void {
  try {
    act()
  } catch {}
}

/**
 * A component as its slot knows it: the newest props, and a listener while it is mounted.
 *
 * @param onEnd Called once the component has unmounted for good.
 */
function createComponent(onEnd: () => void) {
  let newest: Props
  let listener: (() => void) | undefined
  let hasEnded = false

  /** Reports a result, unless another component has; returns false if it was not reported, since this one has no callback for it. */
  function report(result: PurchaseResult): boolean {
    if (reported.has(result)) return true
    const callback = callbackFor(newest, result)
    if (!callback && !newest.onResult) return false
    // Any other result may be one of the loader's constants.
    if (isEnd(result)) reported.add(result)
    try {
      callback?.()
    } finally {
      newest.onResult?.(result)
    }
    return true
  }

  return {
    props: () => newest,
    isMounted: () => !!listener,
    hasEnded: () => hasEnded,
    onChange: () => listener?.(),
    report,
    update(props: Props): void {
      newest = props
    },
    /** Calls the callback for an event. An error without a callback goes to the console. */
    notify(type: WidgetEventType, event: unknown): void {
      if (type === 'result') report(event as PurchaseResult)
      // The result follows, with the same payload.
      if (type === 'result' || type === 'success' || type === 'failure') return
      const callback = newest[callbackName(type)]
      // TypeScript does not follow the name through a loop.
      if (callback) callback(event as never)
      else if (type === 'error') logError(event as WidgetError)
    },
    subscribe(given: () => void): () => void {
      listener = given
      hasEnded = false
      return () => {
        listener = undefined
        // StrictMode undoes every effect once and runs it again at once: the component has not unmounted.
        queueMicrotask(() => {
          hasEnded = !listener
          if (hasEnded) onEnd()
        })
      }
    },
  }
}

type Component = ReturnType<typeof createComponent>

const isEnd = ({ status }: PurchaseResult): boolean => status === 'success' || status === 'failure'

/** Calls the callback for such results alone. Undefined if there is none. */
function callbackFor({ onSuccess, onFailure }: Props, result: PurchaseResult): (() => void) | undefined {
  if (result.status === 'success') return onSuccess && (() => onSuccess(result))
  if (result.status === 'failure') return onFailure && (() => onFailure(result))
  return undefined
}

/** How purchases ended that a component has reported: another may have resumed or continued the same one. */
const reported = new WeakSet<PurchaseResult>()
/** Whether a component has reported that the outcome of the payment under way is unknown: the loader's object for that is always the same. */
let isUnknownReported = false
/** A result that no component has reported: each had unmounted, or had no callback for it. The next one that has reports it. */
let unreported: { companion: string; result: PurchaseResult; isShown: boolean } | undefined

/** A result for a component to report; or, if no component has shown it, to show. */
function keptFor(companion: string, props: Props): PurchaseResult | null {
  if (unreported?.companion !== companion || reported.has(unreported.result)) return null
  const { result, isShown } = unreported
  return isShown && !props.onResult && !callbackFor(props, result) ? null : result
}

/**
 * Reports the purchase during which the page was reloaded.
 *
 * @param enter Shows a state; returns false if the component does not show this purchase.
 */
async function resume(component: Component, enter: (state: WidgetState) => boolean): Promise<void> {
  const { companion, mode = 'modal', ...options } = component.props()
  if (!companion) return
  let isShown = false
  const onPending = (): void => {
    isUnknownReported = false
    isShown = enter({ status: 'confirming', mode })
  }
  const found = await getPendingResult({ ...options, companion, onPending })
  const result = found ?? keptFor(companion, component.props())
  // An unreachable server is not reported.
  if (!result || !(isShown || isEnd(result))) return void (isShown && enter(idle))
  isShown = enter({ status: 'settled', result })
  if (isEnd(result)) {
    if (!component.isMounted() || !component.report(result)) unreported = { companion, result, isShown }
  } else if (isShown && !isUnknownReported) isUnknownReported = component.report(result)
}

const logError = ({ code, message }: WidgetError): void => console.error(`${code}: ${message}`)
