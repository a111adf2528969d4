/**
 * Asks each lookup for something that does not exist: to be told so by the service is success. Which words say so is not shown (U6), so
 * the answer is held against one to an operation that no service has: who says the same to both is not the service.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { type ApiError, isApiError, wordsOf } from '../errors.ts'
import {
  asFailure,
  type Checkup,
  failed,
  inTime,
  noPermission,
  note,
  ok,
  type Subject,
  subjectOf,
  type Visit,
  wrongApiKey,
} from './checkup.ts'

interface Lookup {
  subject: Subject
  base: keyof PurchaseClient['addresses']
  ask: Promise<unknown>
  /** Whether the API key was sent, so that 401 is about the key. */
  hasKey: boolean
}

export function checkLookups(visit: Visit): Promise<Checkup[]> {
  const { client } = visit
  const { transactions, subscriptions, users } = client
  const lookup = (base: Lookup['base'], name: string, ask: Promise<unknown>): Promise<Checkup> =>
    checkLookup(visit, { base, ask, subject: subjectOf(client, base, name), hasKey: true })
  return Promise.all([
    lookup('baseUrl', 'transaction lookup', transactions.retrieve({ order_id: 'doctor' })),
    lookup('baseUrl', 'subscription lookup', subscriptions.list({ user_id: 'doctor' })),
    lookup('userBaseUrl', 'user operations', users.retrieve({ user_id: 'doctor' })),
  ])
}

/** Without creating a token: the service must refuse one that nobody created. */
export function checkTokenLookup(visit: Visit): Promise<Checkup> {
  return checkLookup(visit, {
    base: 'widgetApiUrl',
    subject: subjectOf(visit.client, 'widgetApiUrl', 'token operations'),
    ask: visit.client.accessTokens.expireDate('doctor'),
    hasKey: false,
  })
}

async function checkLookup(visit: Visit, { subject, base, ask, hasKey }: Lookup): Promise<Checkup> {
  const [answer, nothing] = await Promise.all([
    settle(inTime(visit, ask)),
    settle(inTime(visit, visit.client.probe(base))),
  ])
  const { error } = answer
  if (error !== null && !(isApiError(error) && error.status < 500)) return asFailure(subject)(error)
  // A service asks for the key first, and so says the same to both.
  if (error?.status === 401 && hasKey && error.refusedBy !== 'other') {
    return asFailure({ ...subject, ...wrongApiKey })(error)
  }
  if (saysTheSame(answer, nothing)) return notTheService(subject, error)
  return error === null ? ok(subject, 'answers') : judgeRefusal(subject, error)
}

interface Settled {
  /** Null when the call succeeded. */
  error: unknown
}

const settle = (call: Promise<unknown>): Promise<Settled> =>
  call.then(
    () => ({ error: null }),
    (error: unknown) => ({ error }),
  )

function saysTheSame(answer: Settled, nothing: Settled): boolean {
  if (!isApiError(answer.error)) return nothing.error === null
  if (!isApiError(nothing.error)) return false
  return answer.error.status === nothing.error.status && messageOf(answer.error) === messageOf(nothing.error)
}

/** What was said, without what was asked. */
const messageOf = (error: ApiError): string => wordsOf(error).replace(/\/\S*|\bdoctor\b|\b(GET|POST)\b/g, '')

function notTheService(subject: Subject, error: unknown): Checkup {
  const status = isApiError(error) ? error.status : 200
  return failed(subject, status, `answers ${status}, but not as the service does`)
}

function judgeRefusal(subject: Subject, error: ApiError): Checkup {
  const { status, refusedBy } = error
  if (refusedBy === 'other') return notTheService(subject, error)
  if (status === 403)
    return failed(subject, status, 'answers 403: the API key lacks the permission', noPermission)
  if (refusedBy === 'service') return ok(subject, 'answers')
  return note(
    subject,
    `answers ${status} in words that may be another server's: look at ${subject.setting}, ${subject.address}`,
  )
}
