import type { PurchaseWidget, WidgetState } from '@purchase-widget/loader'
import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from 'react'
import { type Props, type UsePurchaseWidgetOptions, useDefaults } from './options.ts'
import { createSlot, type Slot } from './slot.ts'

export interface UsePurchaseWidget {
  /** The stage of the widget's life; the same object until it changes. */
  state: WidgetState
  /** Opens the widget. Call it in the click, with no `await` before it. Never rejects; while open, returns the same promise and focuses it. */
  open: PurchaseWidget['open']
  /** Closes the widget. Idempotent. */
  close: PurchaseWidget['close']
  /** Loads a frame or dialog invisibly, which the next opening shows. For a window it loads only the loader's second file. */
  preload: PurchaseWidget['preload']
}

/**
 * A purchase widget to open from a click of your own.
 *
 * Options and callbacks may be written inline: only a changed value counts. A change applies to the next `open()`; a
 * purchase under way stays as it was opened. The widget is destroyed with the component.
 */
export function usePurchaseWidget(options: UsePurchaseWidgetOptions): UsePurchaseWidget {
  const [{ open, close, preload }, state] = useSlot(options, stateOf)
  return { state, open, close, preload }
}

const stateOf = (slot: Slot): WidgetState => slot.getSnapshot()

/**
 * One slot for the life of a component, and the value that the component reads from it: the component renders again only when that changes.
 * The slot receives the newest props before anything can be clicked, and preloads what they request.
 */
export function useSlot<Read>(props: Props, read: (slot: Slot) => Read): [slot: Slot, read: Read] {
  const [slot] = useState(createSlot)
  const complete = useDefaults(props)
  useInsertionEffect(() => slot.update(complete))
  const get = (): Read => read(slot)
  const state = useSyncExternalStore(slot.subscribe, get, get)
  useEffect(slot.follow)
  return [slot, state]
}
