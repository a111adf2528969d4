/** For whom the service is read: whoever takes up a request or a job says so, and every read that follows from it belongs to them. */
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * In the order in which they are served.
 *
 * - `webhook`: an order that a webhook with the key has named.
 * - `fulfilment`: any other order on its way to `onOrder`.
 * - `returned`: a shopper who has just come back.
 * - `shopper`: any other request of a shopper.
 * - `background`: hints of unauthenticated callers, and reconciling.
 */
export type Priority = 'webhook' | 'fulfilment' | 'returned' | 'shopper' | 'background'

export interface Reader {
  readonly priority: Priority
  /** The network that the request came from; empty when it is not known. */
  readonly network: string
  /** The id that the shopper's orders are listed by; empty when it is not known. */
  readonly shopper: string
}

const readers = new AsyncLocalStorage<Reader>()

const unknown: Reader = { priority: 'shopper', network: '', shopper: '' }

export const currentReader = (): Reader => readers.getStore() ?? unknown

/** Runs a task whose reads of the service belong to this reader; what is left out stays as it is around the task. */
export const readingAs = <T>(reader: Partial<Reader>, task: () => T): T =>
  readers.run({ ...currentReader(), ...reader }, task)
