import { useEffect } from 'react'
import type { UsePurchaseWidgetOptions } from './options.ts'
import type { Slot } from './slot.ts'
import { useSlot } from './useSlot.ts'

/** A slot for what opens in a click, warmed up when the options say so. */
export function useOpenable<Read>(
  options: UsePurchaseWidgetOptions,
  read: (slot: Slot) => Read,
): [slot: Slot, read: Read] {
  const [slot, current] = useSlot(options, read)
  useEffect(() => {
    // Only before the first purchase: who comes after it may be another shopper.
    if (options.preload === 'eager' && slot.getSnapshot().status === 'idle') slot.preload()
  })
  return [slot, current]
}
