/**
 * Where a component's widget lives, from one render to the next.
 *
 * A render only hands over the newest options. The loader's widget is made when it is first needed, and made anew when
 * an option has really changed: at once where it shows in the page, at the next `open()` elsewhere, since a purchase
 * under way in a dialog or a window must not be lost to a change of the page behind it.
 */
import {
  createPurchaseWidget,
  type PurchaseWidget,
  type WidgetEventMap,
  type WidgetState,
} from '@purchase-widget/loader'
import { loaderOptions } from './loaderOptions.ts'
import type { PurchaseWidgetEvents } from './options.ts'
import { eventProps, type Options } from './props.ts'
import { sameOptions } from './sameOptions.ts'

/** What a component's `ref` gives: the loader's widget, valid across renders. React destroys it. */
export type PurchaseWidgetHandle = Pick<
  PurchaseWidget,
  'open' | 'close' | 'focus' | 'preload' | 'getSnapshot'
>

export interface Slot extends PurchaseWidgetHandle {
  subscribe: PurchaseWidget['subscribe']
  /** Hands over what the newest render was given. */
  update(options: Options, events: PurchaseWidgetEvents): void
  /** Opens a widget of the newest options, unless that was done: for a widget that shows without a click. */
  show(): void
  /** Preloads, when the options ask for it at this moment. */
  warm(moment: 'eager' | 'intent'): void
  /** Keeps the widget until the undo is called, and not taken back at once, as StrictMode does. */
  hold(): () => void
}

type Handlers = {
  [Prop in keyof PurchaseWidgetEvents]: (event: WidgetEventMap[(typeof eventProps)[Prop]]) => void
}

const eventNames = Object.keys(eventProps) as (keyof Handlers)[]
const idle: WidgetState = { status: 'idle' }

export function createSlot(): Slot {
  const listeners = new Set<() => void>()
  /** What the newest render was given; its functions are the ones to call. */
  let newest: Options = {}
  let handlers: Handlers = {}
  /** Like `newest`, but the same object until a value changes. */
  let options: Options = newest
  let made: { widget: PurchaseWidget; options: Options; undo: (() => void)[] } | undefined
  /** False once the component is gone. */
  let held = true

  const getSnapshot = (): WidgetState => made?.widget.getSnapshot() ?? idle
  const isOpen = (): boolean => !['idle', 'closed', 'destroyed'].includes(getSnapshot().status)
  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  function make(): PurchaseWidget {
    end()
    const widget = createPurchaseWidget(loaderOptions(options, () => newest))
    const forward = <Prop extends keyof Handlers>(prop: Prop): (() => void) =>
      widget.on<(typeof eventProps)[Prop]>(eventProps[prop], (event) => handlers[prop]?.(event))
    made = { widget, options, undo: [widget.subscribe(notify), ...eventNames.map(forward)] }
    return widget
  }

  function end(): void {
    for (const undo of made?.undo ?? []) undo()
    made?.widget.destroy()
    made = undefined
    notify()
  }

  /** The widget to act on; made anew when an option has changed, unless a purchase is under way. */
  function current(): PurchaseWidget {
    const widget = made && (made.options === options || isOpen()) ? made.widget : make()
    // Whoever kept the handle of a component that is gone gets the answer of a destroyed widget.
    if (!held) end()
    return widget
  }

  return {
    getSnapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    update(nextOptions, nextEvents) {
      if (!sameOptions(options, nextOptions)) options = nextOptions
      newest = nextOptions
      handlers = nextEvents
    },
    open: () => current().open(),
    close: () => made?.widget.close(),
    focus: () => made?.widget.focus(),
    preload: () => current().preload(),
    show() {
      if (made?.options !== options) void make().open()
    },
    warm(moment) {
      if (options.preload === moment) current().preload()
    },
    hold() {
      held = true
      return () => {
        held = false
        queueMicrotask(() => held || end())
      }
    },
  }
}
