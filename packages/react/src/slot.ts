/**
 * Where a component's widget lives, from one render to the next.
 *
 * A render only hands over its props. The loader's widget is made when it is first needed, and made anew when an option
 * has really changed: at once where it shows in the page, at the next `open()` elsewhere, since a purchase under way in
 * a dialog or a window must not be lost to a change of the page behind it.
 */
import { createPurchaseWidget, type PurchaseWidget, type WidgetState } from '@purchase-widget/loader'
import {
  eventOf,
  eventProps,
  type Handlers,
  loaderOptions,
  type Options,
  optionsOf,
  type Props,
} from './props.ts'
import { sameOptions } from './sameOptions.ts'

/** What a component's `ref` gives: the loader's widget, valid across renders. React destroys it. */
export type PurchaseWidgetHandle = Pick<
  PurchaseWidget,
  'open' | 'close' | 'focus' | 'preload' | 'getSnapshot'
>

export interface Slot extends PurchaseWidgetHandle {
  /** For the one component whose slot this is. Once it has gone for good, the widget is destroyed. */
  subscribe: PurchaseWidget['subscribe']
  /** Hands over what the newest render was given. */
  update(props: Props): void
  /** Opens a widget of the newest options, unless that was done: for a widget that shows without a click. */
  show(): void
}

const idle: WidgetState = { status: 'idle' }

export function createSlot(): Slot {
  let newest: Props = {}
  /** Options of `newest`; the same object until a value changes. */
  let options: Options = {}
  /** The widget, and the options that it was made of. */
  let widget: PurchaseWidget | undefined
  let madeOf: Options | undefined
  let onChange: (() => void) | undefined
  /** False once the component has gone. */
  let held = true

  const getSnapshot = (): WidgetState => widget?.getSnapshot() ?? idle

  function make(): PurchaseWidget {
    end()
    const made = createPurchaseWidget(loaderOptions(options, () => newest))
    const forward = <Prop extends keyof Handlers>(prop: Prop): unknown =>
      made.on<(typeof eventOf)[Prop]>(eventOf[prop], (event) => {
        const { [prop]: handler }: Handlers = newest
        if (made === widget) handler?.(event)
      })
    eventProps.forEach(forward)
    made.subscribe(() => onChange?.())
    madeOf = options
    widget = made
    return made
  }

  /** Without a last event: who has gone doesn't want to hear of it. */
  function end(): void {
    const ended = widget
    widget = madeOf = undefined
    ended?.destroy()
    onChange?.()
  }

  /** The widget to act on; made anew when an option has changed, unless a purchase is under way. */
  function current(): PurchaseWidget {
    const underWay = !/idle|closed/.test(getSnapshot().status)
    const acting = widget && (underWay || madeOf === options) ? widget : make()
    // Whoever kept the handle of a component that has gone gets the answer of a destroyed widget.
    if (!held) end()
    return acting
  }

  return {
    getSnapshot,
    subscribe(listener) {
      onChange = listener
      held = true
      return () => {
        onChange = undefined
        held = false
        // StrictMode takes every effect back once and does it again at once: that is no end.
        queueMicrotask(() => held || end())
      }
    },
    update(props) {
      newest = props
      const next = optionsOf(props)
      if (!sameOptions(options, next)) options = next
    },
    open: () => current().open(),
    close: () => widget?.close(),
    focus: () => widget?.focus(),
    preload: () => current().preload(),
    show() {
      if (madeOf !== options) void make().open()
    },
  }
}
