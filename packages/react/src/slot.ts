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
  type WidgetState,
} from '@purchase-widget/loader'
import type { PurchaseWidgetEvents } from './options.ts'
import type { Properties, Props } from './props.ts'
import { sameOptions } from './sameOptions.ts'

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

type Functions = Record<string, ((...args: unknown[]) => unknown) | undefined>

type EventName = keyof PurchaseWidgetEvents extends `on${infer Name}` ? Name : never
const eventNames = [
  'Success',
  'Failure',
  'Close',
  'Ready',
  'Error',
  'Return',
  'StateChange',
] satisfies EventName[]

const idle: WidgetState = { status: 'idle' }

export function createSlot(): Slot {
  /** What the newest render was given: of each function, the one to call. */
  let newest: Functions = {}
  /** Of each function among the options, one that stays the same and calls the newest. */
  const lasting: Functions = {}
  /** The newest options; the same object until a value changes. */
  let options: Properties = {}
  /** The widget, and the options that it was made of. */
  let widget: PurchaseWidget | undefined
  let madeOf: Properties | undefined
  /** The component's listener; null once the component has gone. */
  let onChange: (() => void) | null | undefined

  const getSnapshot = (): WidgetState => widget?.getSnapshot() ?? idle

  function make(): PurchaseWidget {
    end()
    const container = (options.container as { current?: Element } | undefined)?.current ?? options.container
    const made = createPurchaseWidget({ ...options, container } as PurchaseWidgetOptions)
    for (const name of eventNames) {
      made.on(name.toLowerCase() as Lowercase<typeof name>, (event) => {
        if (made === widget) newest[`on${name}`]?.(event)
      })
    }
    made.subscribe(() => onChange?.())
    madeOf = options
    widget = made
    return made
  }

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
    if (onChange === null) end()
    return acting
  }

  return {
    getSnapshot,
    subscribe(listener) {
      onChange = listener
      return () => {
        onChange = null
        // StrictMode takes every effect back once and does it again at once: that is no end.
        queueMicrotask(() => onChange || end())
      }
    },
    update(props) {
      // Only its functions are called, and their types were checked where they were written.
      newest = props as unknown as Functions
      const next: Properties = { ...props }
      for (const name in newest) {
        if (/^on[A-Z]/.test(name)) delete next[name]
        else if (typeof next[name] === 'function') {
          lasting[name] ??= (...args) => newest[name]?.(...args)
          next[name] = lasting[name]
        }
      }
      if (!sameOptions(options, next)) options = next
    },
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    show() {
      if (madeOf !== options) void make().open()
    },
  }
}
