/** What a companion remembers with, when the merchant named nothing. */
import type { OnOrder } from '../fulfilment/doorbell.ts'
import { InvalidInputError } from '../errors.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'

const advice =
  'onOrder without a store is called again for old orders after every restart, and a webhook that was acknowledged may be ' +
  'lost. Pass store: redisStore(…) of @purchase-widget/server/redis, or store: memoryStore() if you want it so.'

let hasWarned = false

/**
 * @throws InvalidInputError in production for an `onOrder` without a store; elsewhere that is one warning.
 */
export function storeOf({ store, onOrder }: { store?: Store; onOrder?: OnOrder }): Store {
  if (store) return store
  if (onOrder) {
    // Not every runtime has `process`.
    if (globalThis.process?.env?.NODE_ENV === 'production') {
      throw new InvalidInputError('configuration', advice)
    }
    if (!hasWarned) console.warn(`[purchase-widget] ${advice}`)
    hasWarned = true
  }
  return memoryStore()
}
