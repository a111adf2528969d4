import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from 'react'
import type { Props } from './props.ts'
import { useDefaults } from './provider.ts'
import { withResumed } from './resumed.ts'
import { createSlot, type Slot } from './slot.ts'

/**
 * One slot for the life of a component, and what the component reads of it: it renders anew only when that has changed. The slot knows the
 * newest props before anything can be clicked, loads early what they say, and takes up the purchase in which the page was reloaded.
 */
export function useSlot<Read>(props: Props, read: (slot: Slot) => Read): [slot: Slot, read: Read] {
  const [slot] = useState(() => withResumed(createSlot()))
  const complete = useDefaults(props)
  useInsertionEffect(() => slot.update(complete))
  const get = (): Read => read(slot)
  const state = useSyncExternalStore(slot.subscribe, get, get)
  useEffect(() => slot.follow())
  return [slot, state]
}
