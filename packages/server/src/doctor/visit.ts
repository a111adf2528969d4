/** What the doctor's checks share: the service, and one end for all calls. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Deadline } from '../client/deadline.ts'
import { PurchaseError, TimeoutError } from '../errors.ts'

export interface Visit {
  client: PurchaseClient
  now: () => number
  /** The end of all calls: a service that is silent is not asked more. */
  deadline: Deadline
}

/** How long all calls together may take. */
export const CALLS_MS = 5_000

export async function inTime<T>({ deadline }: Visit, call: Promise<T>): Promise<T> {
  return deadline.race(call).catch((error: unknown) => {
    if (error instanceof PurchaseError || !deadline.signal.aborted) throw error
    throw new TimeoutError('doctor', `no answer within ${CALLS_MS / 1000} s`)
  })
}
