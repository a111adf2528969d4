/**
 * Asks each operation of the service. The lookups are for something that does not exist: to be told so by the service is success. Which words
 * say so is not shown (U6), so the answer is held against one to an operation that no service has: who says the same to both is not the service.
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
  wrongSecretKey,
} from './checkup.ts'

export interface TokenCheckup {
  checks: Checkup[]
  /** For the check of the page. */
  live: string | null
}

const DAY = 86_400_000

const tokenSubject = ({ client }: Visit, name: string): Subject => subjectOf(client, 'widgetApiUrl', name)

export async function checkToken(visit: Visit): Promise<TokenCheckup> {
  const askedAt = visit.now()
  const first = await createToken(visit, 'access token')
  if (typeof first !== 'string') return { checks: [first], live: null }
  const checks: Checkup[] = [
    ok({ name: 'access token' }, 'both keys are right; a token was created'),
    ...(await checkExpiry(visit, first, askedAt)),
  ]
  if (visit.deadline.signal.aborted) return { checks, live: first }

  const second = await createToken(visit, 'token renewal')
  if (typeof second !== 'string') return { checks: [...checks, second], live: first }
  const rest = await Promise.all([checkRenewal(visit, first), checkReach(visit, second)])
  return { checks: [...checks, ...rest], live: second }
}

async function createToken(visit: Visit, name: string): Promise<string | Checkup> {
  const subject = tokenSubject(visit, name)
  const created = inTime(visit, visit.client.accessTokens.create({ expirationDays: '7' }))
  return created.then(
    ({ accessToken }) => accessToken,
    (error: unknown) => asFailure(aboutKeys(subject, error))(error),
  )
}

/** This operation alone takes the secret key; whether the API key is right, the lookups say. */
function aboutKeys(subject: Subject, error: unknown): Subject {
  if (!isApiError(error) || error.refusedBy === 'other') return subject
  if (error.status === 401) return { ...subject, ...wrongSecretKey }
  return error.status === 403 ? { ...subject, ...noPermission } : subject
}

async function checkExpiry(visit: Visit, accessToken: string, askedAt: number): Promise<Checkup[]> {
  const subject = tokenSubject(visit, 'token expiry')
  const asked = inTime(visit, visit.client.accessTokens.expireDate(accessToken))
  const expiry = await asked.catch(asFailure(subject))
  if ('name' in expiry) return [expiry]
  if (!expiry.expiresAt) return [failed(subject, 200, 'a token of 7 days never expires')]
  const skewMs = expiry.expiresAt.getTime() - 7 * DAY - askedAt
  const minutes = Math.round(Math.abs(skewMs) / 60_000)
  const clock = {
    ...subject,
    name: 'clock',
    setting: "this machine's clock",
    remedy: "set this machine's clock, or ask the service how long a token lives",
  }
  return [
    ok(subject, expiry.expiresAt.toISOString()),
    minutes > 10
      ? failed(clock, 200, `${minutes} minutes apart from the service's`)
      : ok(clock, `${Math.round(skewMs / 1000)} s apart from the service's`),
  ]
}

async function checkRenewal(visit: Visit, earlier: string): Promise<Checkup> {
  const subject = tokenSubject(visit, 'token renewal')
  try {
    await inTime(visit, visit.client.accessTokens.expireDate(earlier))
    return ok(subject, 'a new token leaves the one before it alive')
  } catch (error) {
    if (!isApiError(error)) return asFailure(subject)(error)
    return note(subject, 'a new token ends the one before it: share one store among all instances')
  }
}

/** U9: shows in numbers what whoever has the token may read. */
async function checkReach(visit: Visit, accessToken: string): Promise<Checkup> {
  const subject = tokenSubject(visit, 'order history')
  const orders = await inTime(visit, visit.client.orders.listAll({ accessToken })).catch(asFailure(subject))
  if (!Array.isArray(orders)) return orders
  const detail = `this one token opens ${orders.length} orders: it must never be seen outside`
  return orders.length > 0 ? note(subject, detail) : ok(subject, detail)
}

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
