/**
 * Where a component's widget lives, from one render to the next.
 *
 * A render only hands over its props. The loader's widget is made when it is first needed, and made anew when an option
 * has really changed: at once where it shows in the page, at the next `open()` elsewhere, since a purchase under way in
 * a dialog or a window must not be lost to a change of the page behind it.
 */
import {
  createPurchaseWidget,
  type PurchaseWidget,
  type WidgetError,
  type WidgetEventType,
  type WidgetState,
  widgetEvents,
} from '@purchase-widget/loader'
import { containerOf, optionsKey, optionsOf, type Props } from './props.ts'
import { isUnderWay } from './states.ts'

/** What a component's `ref` gives: the loader's widget, valid across renders. React destroys it. */
export type PurchaseWidgetHandle = Pick<PurchaseWidget, 'open' | 'close' | 'preload' | 'getSnapshot'>

export interface Slot extends PurchaseWidgetHandle {
  /** For the one component whose slot this is. Once it has gone for good, the widget is destroyed. */
  subscribe: PurchaseWidget['subscribe']
  /** Hands over what the newest render was given. */
  update(props: Props): void
  /** Opens a widget of the newest options, unless that was done: for a widget that shows without a click. */
  show(): void
  /** Whether the widget has told an error: the loader then offers a way out in its place. */
  inTrouble(): boolean
}

/** What a widget was made of. */
interface Source {
  /** Or newer props of the same value: its functions are the ones to call. */
  props: Props
  readonly key: string
  readonly container: unknown
}

const report = ({ code, message }: WidgetError): void => console.error(`${code}: ${message}`)

function hearAll(widget: PurchaseWidget, listener: (type: WidgetEventType, event: unknown) => void): void {
  for (const type of Object.keys(widgetEvents) as WidgetEventType[])
    widget.on(type, (event) => listener(type, event))
}

/** An event goes to the callback of its name; TypeScript does not follow the name through a loop. An error that nobody hears is reported. */
function tell(props: Props, type: WidgetEventType, event: unknown): void {
  const callback = props[widgetEvents[type].reactProp]
  if (callback) callback(event as never)
  else if (type === 'error') report(event as WidgetError)
}

const idle: WidgetState = { status: 'idle' }

export function createSlot(): Slot {
  let newest: Props
  let newestKey: string
  let widget: PurchaseWidget | undefined
  let source: Source
  let onChange: (() => void) | undefined
  let inTrouble = false
  /** The component has gone, for good. */
  let gone = false

  const getSnapshot = (): WidgetState => widget?.getSnapshot() ?? idle
  const isCurrent = (): boolean =>
    !!widget && source.key === newestKey && source.container === containerOf(newest)

  function make(): PurchaseWidget {
    end()
    source = { props: newest, key: newestKey, container: containerOf(newest) }
    inTrouble = false
    const made = createPurchaseWidget(optionsOf(newest, () => source.props))
    hearAll(made, (type, event) => {
      if (made !== widget) return
      if (type === 'error') inTrouble = true
      if (type === 'error' || type === 'statechange') onChange?.()
      tell(newest, type, event)
    })
    widget = made
    return made
  }

  function end(): void {
    const ended = widget
    widget = undefined
    ended?.destroy()
    if (ended) onChange?.()
  }

  /** The widget to act on; made anew when an option has changed, unless a purchase is under way. */
  function current(): PurchaseWidget {
    const acting = ((isUnderWay(getSnapshot().status) || isCurrent()) && widget) || make()
    // Whoever kept the handle of a component that has gone gets the answer of a destroyed widget.
    if (gone) end()
    return acting
  }

  return {
    getSnapshot,
    inTrouble: () => inTrouble,
    subscribe(listener) {
      onChange = listener
      gone = false
      return () => {
        onChange = undefined
        // StrictMode takes every effect back once and does it again in the same breath: that is no end.
        queueMicrotask(() => {
          gone = !onChange
          if (gone) end()
        })
      }
    },
    update(props) {
      newest = props
      newestKey = optionsKey(props)
      if (isCurrent()) source.props = props
    },
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    show() {
      if (!isCurrent()) void make().open()
    },
  }
}
