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
  type PurchaseWidgetOptions,
  type WidgetError,
  type WidgetEventType,
  type WidgetState,
  widgetEvents,
} from '@purchase-widget/loader'
import { containerOf, keyOf, optionsOf, type Props } from './props.ts'
import { idle, isUnderWay } from './states.ts'

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
  inTrouble(): boolean | undefined
}

/** A widget, and what it was made of. */
interface Made {
  readonly widget: PurchaseWidget
  /** For its functions, where a newer render leaves them out. */
  readonly props: Props
  readonly key: string
  readonly container: unknown
  inTrouble?: boolean
}

export function createSlot(): Slot {
  let newest: Props
  let options: object
  let key: string
  let made: Made | undefined
  let onChange: (() => void) | undefined
  let gone = false // for good

  const getSnapshot = (): WidgetState => made?.widget.getSnapshot() ?? idle
  const isCurrent = (): boolean => made?.key === key && made.container === containerOf(newest)

  function make(): PurchaseWidget {
    end()
    const container = containerOf(newest)
    // The types of the components' props say what goes together; the loader checks it again.
    const widget = createPurchaseWidget({ ...options, container } as PurchaseWidgetOptions)
    const mine: Made = { widget, props: newest, key, container }
    hearAll(widget, (type, event) => {
      if (mine !== made) return
      if (type === 'error') mine.inTrouble = true
      if (type === 'error' || type === 'statechange') onChange?.()
      tell(newest, type, event)
    })
    made = mine
    return widget
  }

  function end(): void {
    const ended = made
    made = undefined
    ended?.widget.destroy()
    if (ended) onChange?.()
  }

  /** The widget to act on; made anew when an option has changed, unless a purchase is under way. */
  function current(): PurchaseWidget {
    const acting = ((isUnderWay(getSnapshot()) || isCurrent()) && made?.widget) || make()
    // Whoever kept the handle of a component that has gone gets the answer of a destroyed widget.
    if (gone) end()
    return acting
  }

  return {
    getSnapshot,
    inTrouble: () => made?.inTrouble,
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
      options = optionsOf(props, () => ({ ...made?.props, ...newest }))
      key = keyOf(options)
    },
    open: () => current().open(),
    close: () => made?.widget.close(),
    preload: () => current().preload(),
    show() {
      if (!isCurrent()) void make().open()
    },
  }
}

function hearAll(widget: PurchaseWidget, listener: (type: WidgetEventType, event: unknown) => void): void {
  for (const type of Object.keys(widgetEvents) as WidgetEventType[])
    widget.on(type, (event) => listener(type, event))
}

/** An event goes to the callback of its name; TypeScript does not follow the name through a loop. An error that nobody hears is reported. */
export function tell(props: Props, type: WidgetEventType, event: unknown): void {
  const callback = props[widgetEvents[type]]
  if (callback) callback(event as never)
  else if (type === 'error') report(event as WidgetError)
}

const report = ({ code, message }: WidgetError): void => console.error(`${code}: ${message}`)
