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
import { optionsOf, type Props } from './options.ts'

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

function createOwnSlot(): Slot {
  let newest: Props
  let widget: PurchaseWidget | undefined
  /** Whether the options have changed since `show()` was last called. */
  let hasChanged = false
  let hasError = false
  let onChange: (() => void) | undefined
  let hasUnmounted = false // for good

  const getSnapshot = (): WidgetState => widget?.getSnapshot() ?? idle

  function createWidget(options: PurchaseWidgetOptions): PurchaseWidget {
    const made = createPurchaseWidget(options)
    widget = made
    listenToAll(made, (type, event) => {
      if (made !== widget) return
      if (type === 'error') hasError = true
      else if (type === 'statechange' && getSnapshot().status === 'opening') hasError = false
      if (type === 'error' || type === 'statechange') onChange?.()
      notify(newest, type, event)
    })
    return made
  }

  function destroyWidget(): void {
    const ended = widget
    widget = undefined
    ended?.destroy()
  }

  /** The widget, with the newest options. */
  function current(): PurchaseWidget {
    const options = optionsOf(newest)
    hasChanged = (widget?.update(options) ?? true) || hasChanged
    const acting = widget ?? createWidget(options)
    // A caller who kept the handle of an unmounted component gets the answer of a destroyed widget.
    if (hasUnmounted) destroyWidget()
    return acting
  }

  return {
    getSnapshot,
    hasError: () => hasError,
    subscribe(listener) {
      onChange = listener
      hasUnmounted = false
      return () => {
        onChange = undefined
        // StrictMode undoes every effect once and runs it again at once: the component has not unmounted.
        queueMicrotask(() => {
          hasUnmounted = !onChange
          if (hasUnmounted) destroyWidget()
        })
      }
    },
    update(props) {
      newest = props
    },
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    follow() {
      try {
        current()
      } catch {
        // The click that opens the widget reports a mistake; here it would take the page down.
      }
    },
    show() {
      const acting = current()
      if (hasChanged && !isUnderWay(getSnapshot())) void acting.open()
      hasChanged = false
    },
  }
}

/** The result that was reported: the loader returns the same one to every call on the page. */
let reportedResult: PurchaseResult | undefined

/** A slot with the state of the purchase during which the page was reloaded, until it opens a widget of its own. */
export function createSlot(): Slot {
  const slot = createOwnSlot()
  let newest: Props
  let resumed: WidgetState | undefined
  let onChange: (() => void) | undefined

  /** Returns false if the component has unmounted, or has opened a widget, which reports its own state. */
  function enter(state: WidgetState): boolean {
    if (!onChange || slot.getSnapshot().status !== 'idle') return false
    resumed = state
    onChange()
    notify(newest, 'statechange', state)
    return true
  }

  async function resume(): Promise<void> {
    const { companion, mode = 'modal' } = newest
    if (resumed || !companion) return
    resumed = idle
    const onPending = (): void => void enter({ status: 'confirming', mode })
    const result = await getPendingResult({ ...newest, companion, onPending })
    const wasPending = resumed !== idle
    // An unreachable server is not reported.
    if (!result || (result.status === 'unknown' && !wasPending)) return void (wasPending && enter(idle))
    if (!enter({ status: 'settled', result }) || reportedResult === result) return
    reportedResult = result
    if (result.status === 'success' || result.status === 'failure') notify(newest, result.status, result)
    notify(newest, 'result', result)
  }

  return {
    ...slot,
    getSnapshot() {
      const state = slot.getSnapshot()
      return (state.status === 'idle' && resumed) || state
    },
    update(props) {
      newest = props
      slot.update(props)
    },
    subscribe(listener) {
      onChange = listener
      const unsubscribe = slot.subscribe(listener)
      void resume()
      return () => {
        onChange = undefined
        unsubscribe()
      }
    },
  }
}

function listenToAll(
  widget: PurchaseWidget,
  listener: (type: WidgetEventType, event: unknown) => void,
): void {
  for (const type of Object.keys(widgetEvents) as WidgetEventType[])
    widget.on(type, (event) => listener(type, event))
}

/** Calls the callback for an event; TypeScript does not follow the name through a loop. An error without a callback goes to the console. */
function notify(props: Props, type: WidgetEventType, event: unknown): void {
  const callback = props[widgetEvents[type]]
  if (callback) callback(event as never)
  else if (type === 'error') logError(event as WidgetError)
}

const logError = ({ code, message }: WidgetError): void => console.error(`${code}: ${message}`)
