import type { PurchaseWidget, WidgetState } from '@purchase-widget/loader'
import type { UsePurchaseWidgetOptions } from './options.ts'
import type { Slot } from './slot.ts'
import { useSlot } from './useSlot.ts'

export interface UsePurchaseWidget {
  /** Where the widget is in its life; the same object until it changes. */
  state: WidgetState
  /** Opens the widget. Call it in the click, with nothing awaited before. Never rejects; while open: the same promise, and focus. */
  open: PurchaseWidget['open']
  /** Closes the widget. Idempotent. */
  close: PurchaseWidget['close']
  /** Warms up: connection and token, before the shopper asks. */
  preload: PurchaseWidget['preload']
}

const stateOf = (slot: Slot): WidgetState => slot.getSnapshot()

/**
 * A purchase widget to open from a click of your own.
 *
 * Options and callbacks may be written inline: only a change of value counts. A change applies to the next `open()`; a
 * purchase under way stays as it was opened. The widget goes with the component.
 */
export function usePurchaseWidget(options: UsePurchaseWidgetOptions): UsePurchaseWidget {
  const [{ open, close, preload }, state] = useSlot(options, stateOf)
  return { state, open, close, preload }
}
