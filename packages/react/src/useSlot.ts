import type { WidgetState } from '@purchase-widget/loader'
import { useInsertionEffect, useState, useSyncExternalStore } from 'react'
import type { Props } from './props.ts'
import { useDefaults } from './provider.ts'
import { createSlot, type Slot } from './slot.ts'

/** One slot for the life of a component. It knows the newest props before anything can be clicked. */
export function useSlot(props: Props): [slot: Slot, state: WidgetState] {
  const [slot] = useState(createSlot)
  const complete = useDefaults(props)
  useInsertionEffect(() => slot.update(complete))
  return [slot, useSyncExternalStore(slot.subscribe, slot.getSnapshot, slot.getSnapshot)]
}
