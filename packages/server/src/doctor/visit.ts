/** What the doctor's checks share: the service, one end for all calls, and how a failure becomes a row. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Deadline } from '../client/deadline.ts'
import { isApiError, PurchaseError, TimeoutError } from '../errors.ts'

export interface Checkup {
  name: string
  result: 'ok' | 'note' | 'failed' | 'skipped'
  detail: string
}

export interface Visit {
  client: PurchaseClient
  now: () => number
  /** The end of all calls: a service that is silent is not asked more. */
  deadline: Deadline
}

/** How long all calls together may take. */
export const CALLS_MS = 6_000

/** What a check is about, for its row, and the environment variable to look at when the address seems wrong. */
export interface Subject {
  name: string
  variable: string
}

export async function inTime<T>({ deadline }: Visit, call: Promise<T>): Promise<T> {
  return deadline.race(call).catch((error: unknown) => {
    if (error instanceof PurchaseError || !deadline.signal.aborted) throw error
    throw new TimeoutError('doctor', `no answer within ${CALLS_MS / 1000} s`)
  })
}

/** A row for a call that failed. */
export const asFailure =
  ({ name, variable }: Subject) =>
  (error: unknown): Checkup => {
    if (!(error instanceof PurchaseError)) throw error
    const isService = isApiError(error) && error.refusedBy === 'service'
    const detail = isService ? error.message : `${error.message} (look at ${variable})`
    return { name, result: 'failed', detail }
  }
