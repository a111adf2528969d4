/** The store that the merchant's module exports, if it does. */
import type { Store } from '../stores/store.ts'

export function storeIn({ store }: Record<string, unknown>): Store | undefined {
  const isStore = typeof store === 'object' && store !== null && 'forgets' in store
  // Made by one of this package's functions, as far as can be told.
  return isStore ? (store as Store) : undefined
}
