/** Results of checks: a row that passed, or one that names what to fix; and how checks call the service. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { readAtMost } from '../client/request.ts'
import type { Deadline } from '../deadline.ts'
import { isUnexpectedResponseError, PurchaseError, TimeoutError } from '../errors.ts'
import { causeAt, type ServiceCause } from '../mistakes.ts'

/** Nothing to fix. `note`: worth knowing. */
export interface Fine {
  name: string
  result: 'ok' | 'note' | 'skipped'
  detail: string
}

export interface Failed {
  name: string
  result: 'failed'
  /** What was seen. */
  detail: string
  /** The environment variable, or the option of `createCompanion`, to look at. */
  setting: string
  /** The address that was called; null when none was. Contains no token. */
  address: string | null
  /** The HTTP status of the answer; null when there was none. */
  status: number | null
  /** What to do. */
  remedy: string
}

export type Checkup = Fine | Failed

/** The subject of a check, and what to do when its address seems wrong. */
export type Subject = Pick<Failed, 'name' | 'setting' | 'address' | 'remedy'>

type Named = Pick<Subject, 'name'>

export const ok = ({ name }: Named, detail: string): Fine => ({ name, result: 'ok', detail })
export const note = ({ name }: Named, detail: string): Fine => ({ name, result: 'note', detail })
export const skipped = ({ name }: Named, detail: string): Fine => ({ name, result: 'skipped', detail })

export const failed = (
  { name, setting, address, remedy }: Subject,
  status: number | null,
  detail: string,
): Failed => ({ name, result: 'failed', detail, setting, address, status, remedy })

/** A check that calls the service. */
export interface Lookup extends Named {
  /** Which part of the service. */
  base: keyof PurchaseClient['addresses']
}

export interface Visit {
  client: PurchaseClient
  /** The deadline of all calls: a service that does not answer is not called again. */
  deadline: Deadline
}

/** A row for a failed call. Errors other than this package's own are rethrown. */
export function asFailure({ client }: Visit, { name, base }: Lookup, error: unknown): Failed {
  if (!(error instanceof PurchaseError)) throw error
  const row = failedBy(name, causeAt(client.addresses, base, error))
  // Its message names what was expected.
  return isUnexpectedResponseError(error) ? { ...row, detail: error.problem } : row
}

export const failedBy = (name: string, cause: ServiceCause): Failed =>
  failed({ name, ...cause }, cause.status, cause.seen)

/** How long all calls together may take. */
export const CALLS_MS = 5_000

/** The result of a call, or the row of its failure. */
export const resultOf = <T>(visit: Visit, lookup: Lookup, call: Promise<T>): Promise<T | Failed> =>
  inTime(visit, call).catch((error: unknown) => asFailure(visit, lookup, error))

export const isFailed = (result: object): result is Failed => 'result' in result && result.result === 'failed'

export async function inTime<T>({ deadline }: Visit, call: Promise<T>): Promise<T> {
  return deadline.race(call).catch((error: unknown) => {
    if (error instanceof PurchaseError || !deadline.signal.aborted) throw error
    throw new TimeoutError('doctor', `no answer within ${CALLS_MS / 1000} s`)
  })
}

/** What was answered at an address. */
export interface Answered {
  subject: Subject
  status: number
  headers: Headers
  /** Empty unless it was to be read, and where it is too long. */
  body: string
}

const MAX_BODY_BYTES = 65_536

/**
 * Follows no redirect.
 *
 * @param address what to call: that of the subject, except where it has a token, which must not be printed.
 * @param readsBody otherwise the body is cancelled: the status has said it all, and the body may never end.
 * @returns a row instead if there is no answer.
 */
export async function ask(
  deadline: Deadline,
  subject: Subject,
  address: string,
  { readsBody = false, ...init }: RequestInit & { readsBody?: boolean } = {},
): Promise<Answered | Failed> {
  try {
    const response = await deadline.race(
      fetch(address, { ...init, redirect: 'manual', signal: deadline.signal }),
    )
    const { status, headers, body } = response
    const text = readsBody ? await deadline.race(readAtMost(body, MAX_BODY_BYTES)) : null
    if (!readsBody) await body?.cancel()
    return { subject, status, headers, body: text ?? '' }
  } catch {
    return failed(subject, null, deadline.signal.aborted ? 'no answer in time' : 'cannot be reached')
  }
}

export const isAnswered = (asked: Answered | Failed): asked is Answered => 'headers' in asked
