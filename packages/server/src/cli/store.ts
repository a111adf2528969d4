/** The store that the merchant's module exports. */
import { InvalidInputError } from '../errors.ts'
import type { Store } from '../stores/store.ts'

/** @throws InvalidInputError when it exports none. */
export function storeIn({ store }: Record<string, unknown>, path: string): Store {
  // Made by one of this package's functions, as far as can be told.
  if (typeof store === 'object' && store !== null && 'forgets' in store) return store as Store
  throw new InvalidInputError(
    '--module',
    `${path} exports no store: export const store, made with sqliteStore, postgresStore or another of this package.`,
  )
}
