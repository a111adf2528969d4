/**
 * Where a component's widget lives, from one render to the next.
 *
 * A render only hands over its props. The loader's widget is made when it is first needed, and made anew when an option
 * has really changed: at once where it shows in the page, at the next `open()` elsewhere, since a purchase under way in
 * a dialog or a window must not be lost to a change of the page behind it.
 */
import {
  type ConfirmHint,
  createPurchaseWidget,
  type PurchaseWidget,
  type PurchaseWidgetOptions,
  type WidgetState,
} from '@purchase-widget/loader'
import type { PurchaseWidgetEvents } from './options.ts'
import { containerOf, optionsKey, type Props } from './props.ts'

/** What a component's `ref` gives: the loader's widget, valid across renders. React destroys it. */
export type PurchaseWidgetHandle = Pick<PurchaseWidget, 'open' | 'close' | 'preload' | 'getSnapshot'>

export interface Slot extends PurchaseWidgetHandle {
  /** For the one component whose slot this is. Once it has gone for good, the widget is destroyed. */
  subscribe: PurchaseWidget['subscribe']
  /** Hands over what the newest render was given. */
  update(props: Props): void
  /** Opens a widget of the newest options, unless that was done: for a widget that shows without a click. */
  show(): void
}

type EventName = keyof PurchaseWidgetEvents extends `on${infer Name}` ? Name : never

const eventNames = 'Success Failure Close Ready Error Return StateChange'.split(' ') as EventName[]

const idle: WidgetState = { status: 'idle' }

export function createSlot(): Slot {
  let newest: Props
  let widget: PurchaseWidget | undefined
  /** What the widget was made of, or newer props of the same value: its functions are the ones to call. */
  let own: Props
  let key: string | undefined
  let container: unknown
  let onChange: (() => void) | undefined
  /** The component has gone, for good. */
  let gone = false

  const getSnapshot = (): WidgetState => widget?.getSnapshot() ?? idle
  const isCurrent = (): boolean => !!widget && key === optionsKey(newest) && container === containerOf(newest)

  function make(): PurchaseWidget {
    end()
    own = newest
    key = optionsKey(own)
    container = containerOf(own)
    const made = createPurchaseWidget({
      ...own,
      container,
      accessToken:
        typeof own.accessToken === 'function' ? () => (own.accessToken as () => string)() : own.accessToken,
      confirm: own.confirm && ((hint: ConfirmHint) => own.confirm?.(hint)),
      interpretMessage: (data: unknown) => own.interpretMessage?.(data),
      // The types of the components' props say what goes together; the loader checks it again.
    } as PurchaseWidgetOptions)
    for (const name of eventNames) {
      made.on(name.toLowerCase() as Lowercase<typeof name>, (event) => {
        if (made !== widget) return
        onChange?.()
        // An event goes to the callback of its name; TypeScript does not follow the name through the loop.
        newest[`on${name}`]?.(event as never)
      })
    }
    widget = made
    return made
  }

  function end(): void {
    const ended = widget
    widget = undefined
    ended?.destroy()
    onChange?.()
  }

  /** The widget to act on; made anew when an option has changed, unless a purchase is under way. */
  function current(): PurchaseWidget {
    const underWay = !/idle|closed/.test(getSnapshot().status)
    const acting = ((underWay || isCurrent()) && widget) || make()
    // Whoever kept the handle of a component that has gone gets the answer of a destroyed widget.
    if (gone) end()
    return acting
  }

  return {
    getSnapshot,
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
      if (isCurrent()) own = props
    },
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    show() {
      if (!isCurrent()) void make().open()
    },
  }
}
