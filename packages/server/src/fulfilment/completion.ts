/** `complete()` of one call of `onOrder`, and what became of it. */
import { InvalidInputError } from '../errors.ts'
import type { Complete } from '../purchase/purchase.ts'
import type { Handled, IdempotencyRecord } from '../stores/store.ts'
import { FailedAfterCommit } from './attempts.ts'

export interface Completion {
  readonly complete: Complete
  /** Runs `onOrder`, and rejects with what it or `complete` did; also where it has not waited for `complete`. */
  watch(task: () => void | Promise<void>): Promise<void>
  /** Sees to it that the state is marked, once `onOrder` has resolved. */
  settle(): Promise<void>
}

export function createCompletion(handled: Handled, record: IdempotencyRecord): Completion {
  const isRecorded = (): Promise<boolean> => handled.has(record.orderId, record.type)
  let outcome: boolean | Promise<boolean> | null = null
  let isNew = false

  function complete(transaction?: unknown): boolean | Promise<boolean> {
    if (!handled.addWithin) throw new InvalidInputError('complete', withoutTransactions)
    // Also where the next line throws: it was asked for.
    outcome = false
    outcome = handled.addWithin(transaction, record)
    Promise.resolve(outcome).then(
      (added) => (isNew ||= added),
      () => {},
    )
    return outcome
  }

  return {
    // What a store gives for a connection is as `Complete` says.
    complete: complete as Complete,
    async watch(task) {
      try {
        await task()
      } catch (error) {
        // Where onOrder throws at once, nobody has waited for it yet.
        await Promise.allSettled([outcome])
        throw isNew && (await isRecorded()) ? new FailedAfterCommit(error) : error
      }
      await outcome
    },
    async settle() {
      if (outcome === null) await handled.add(record)
      else if (!(await isRecorded())) throw new Error(notCommitted)
    },
  }
}

const withoutTransactions =
  'this store has no transactions. Use sqliteStore or postgresStore, or leave complete() out: the order is then marked as handled after onOrder.'

const notCommitted =
  'onOrder called complete() in a transaction that was not committed. Throw when the transaction fails, so that the order is tried again.'
