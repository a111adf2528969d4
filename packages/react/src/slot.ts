/**
 * Holds a component's widget from one render to the next. The widget is created once the component is mounted, so that a server creates none;
 * from then on it follows the props by `update()`. Before the first widget opens, the slot shows the purchase during which the page was
 * reloaded: every component is busy with it.
 */
import {
  createPurchaseWidget,
  isUnderWay,
  type PurchaseWidget,
  type WidgetEventType,
  type WidgetState,
  widgetEvents,
} from '@purchase-widget/loader'
import { optionsOf, type Props } from './options.ts'
import { notify, resume } from './report.ts'

export const idle: { status: 'idle' } = { status: 'idle' }

/** Until something of the widget is visible. */
export const isNotYetVisible = ({ status }: WidgetState): boolean =>
  ['idle', 'opening', 'loading'].includes(status)

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

export function createSlot(): Slot {
  let widget: PurchaseWidget | undefined
  /** The state of the purchase during which the page was reloaded; undefined until the companion is asked. */
  let resumed: WidgetState | undefined
  let hasError = false
  const ask = (): void => void resume(component, enterResumed)
  const component = createComponent(() => widget?.destroy(), ask)

  /** As it is once the component has unmounted. */
  const isDestroyed = (): boolean => widget?.getSnapshot().status === 'destroyed'
  const own = (): WidgetState => (!isDestroyed() && widget?.getSnapshot()) || idle
  const changes = createChanges(own)

  function hear(type: WidgetEventType, event: unknown): void {
    if (isDestroyed()) return
    // Another opening starts without an error.
    if (type === 'error' || own().status === 'opening') hasError = type === 'error'
    component.tell(type, event)
    if (type === 'result' && changes.areDue()) show()
  }

  /** The widget, with the newest options. A caller who kept the handle of an unmounted component gets the destroyed one. */
  function current(): PurchaseWidget {
    const options = optionsOf(component.props)
    if (widget) {
      changes.add(widget.update(options))
      return widget
    }
    const made = createPurchaseWidget(options)
    for (const type of widgetEvents) made.on(type, (event) => made === widget && hear(type, event))
    changes.add(true)
    widget = made
    return made
  }

  /** Returns false if the component is hidden, or has opened a widget, which reports its own state: once it is shown again, it asks again. */
  function enterResumed(state: WidgetState): boolean {
    const isShown = own().status === 'idle' && component.isMounted()
    resumed = isShown ? state : undefined
    if (isShown) component.tell('statechange', state)
    return isShown
  }

  function show(): void {
    const acting = current()
    if (changes.take()) void acting.open()
  }

  return {
    getSnapshot: () => (own().status === 'idle' && resumed) || own(),
    hasError: () => hasError,
    subscribe(listener) {
      // Activity has hidden the component, and perhaps a purchase in it.
      if (isDestroyed()) widget = resumed = undefined
      if (!resumed) {
        resumed = idle
        ask()
      }
      return component.subscribe(listener)
    },
    update: component.update,
    open: () => current().open(),
    close: () => widget?.close(),
    preload: () => current().preload(),
    follow() {
      try {
        current()
      } catch {
        // The click that opens the widget reports a mistake in the options; after a render it would take the page down.
      }
    },
    show,
  }
}

/** The changes of the options with which a widget that shows without a click has not opened yet. */
function createChanges(own: () => WidgetState) {
  let hasChanged = false
  let areDue = false
  return {
    add(changed: boolean): void {
      hasChanged ||= changed
    },
    /** Whether they wait for a result: an open widget replaces its frame itself, but not while its result is looked up. */
    areDue: (): boolean => areDue,
    /** Returns whether to open with them now. */
    take(): boolean {
      const opens = hasChanged && !isUnderWay(own())
      areDue = hasChanged && own().status === 'confirming'
      hasChanged = areDue
      return opens
    },
  }
}

/**
 * The newest props, and a listener while the component is mounted.
 *
 * @param onEnd Called once the component has unmounted for good.
 * @param onRestore Called when the history restores the page, which may have been left for a payment.
 */
function createComponent(onEnd: () => void, onRestore: () => void) {
  let listener: (() => void) | undefined
  const component = {
    props: {} as Props,
    isMounted: () => !!listener,
    tell(type: WidgetEventType, event: unknown): void {
      listener?.()
      try {
        notify(component, type, event)
      } catch (error) {
        // As in the loader, a callback that throws does not affect the others. Not in every environment.
        globalThis.reportError?.(error)
      }
    },
    update(props: Props): void {
      component.props = props
    },
    subscribe(given: () => void): () => void {
      listener = given
      const onShow = ({ persisted }: PageTransitionEvent): void => {
        if (persisted) onRestore()
      }
      addEventListener('pageshow', onShow)
      return () => {
        removeEventListener('pageshow', onShow)
        listener = undefined
        // StrictMode undoes every effect once and runs it again at once: the component has not unmounted.
        queueMicrotask(() => {
          if (!listener) onEnd()
        })
      }
    },
  }
  return component
}
