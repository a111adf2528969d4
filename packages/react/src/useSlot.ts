import type { WidgetState } from '@purchase-widget/loader'
import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from 'react'
import type { PurchaseWidgetEvents } from './options.ts'
import type { Options } from './props.ts'
import { useWithDefaults } from './provider.tsx'
import { createSlot, type Slot } from './slot.ts'

/** One slot for the life of a component. It knows the newest options before anything can be clicked. */
export function useSlot({ options, events }: { options: Options; events: PurchaseWidgetEvents }): Slot {
  const [slot] = useState(createSlot)
  const complete = useWithDefaults(options)
  useInsertionEffect(() => slot.update(complete, events))
  useEffect(() => slot.hold(), [slot])
  return slot
}

/** The state of the slot's widget: `idle` on the server and while there is none. */
export const useSlotState = (slot: Slot): WidgetState =>
  useSyncExternalStore(slot.subscribe, slot.getSnapshot, slot.getSnapshot)
