/**
 * Calls each operation of the service. The lookups ask for something that does not exist: a refusal by the service is success. Its wording is
 * not specified (U6), so the answer is compared with one to an operation that no service has: a server that answers both alike is another one.
 */
import { type ApiError, isApiError, isRefusal, wordsOf } from '../errors.ts'
import { API_KEY, BOTH_KEYS, SECRET_KEY, serviceCause } from '../mistakes.ts'
import {
  asFailure,
  CALLS_MS,
  type Checkup,
  type Failed,
  failed,
  failedBy,
  inTime,
  isFailed,
  type Lookup,
  note,
  ok,
  resultOf,
  skipped,
  type Visit,
} from './checkup.ts'

export interface TokenCheckup {
  checks: Checkup[]
  live: string | null
}

const DAY = 86_400_000

const tokenLookup = (name: string): Lookup => ({ base: 'widgetApiUrl', name })

const creation = tokenLookup('access token')
const renewal = tokenLookup('token renewal')

/** @param lookups show whether the service accepts the API key. */
export async function checkToken(visit: Visit, lookups: Promise<Checkup[]>): Promise<TokenCheckup> {
  const askedAt = Date.now()
  const first = await createToken(visit, creation, lookups)
  if (typeof first !== 'string') return { checks: [first], live: null }
  const created = ok(creation, 'both keys are right; a token was created')
  const checks = [created, ...(await checkExpiry(visit, first, askedAt))]
  // A service that does not answer one operation gets no request for another token.
  if (visit.deadline.signal.aborted) return { checks, live: first }

  const second = await createToken(visit, renewal, lookups)
  if (typeof second !== 'string') return { checks: [...checks, second], live: first }
  const rest = await Promise.all([checkRenewal(visit, first), checkReach(visit, second)])
  return { checks: [...checks, ...rest], live: second }
}

/** Creates no token, and still checks that the service answers: it must refuse a token that was never created. */
export async function skipToken(visit: Visit): Promise<TokenCheckup> {
  const token = skipped(creation, 'no token was created, as you asked')
  const asked = visit.client.accessTokens.expireDate('doctor')
  return { checks: [token, await checkLookup(visit, tokenLookup('token operations'), asked)], live: null }
}

async function createToken(
  visit: Visit,
  lookup: Lookup,
  lookups: Promise<Checkup[]>,
): Promise<string | Failed> {
  const created = await resultOf(visit, lookup, visit.client.accessTokens.create({ expirationDays: '7' }))
  if (!isFailed(created)) return created.accessToken
  if (created.setting !== BOTH_KEYS) return created
  // Only this operation uses the secret key; the lookups use the other.
  const isKeyRefused = (check: Checkup): boolean =>
    check.result === 'failed' && check.setting === API_KEY && check.status === created.status
  const setting = (await lookups).some(isKeyRefused) ? API_KEY : SECRET_KEY
  return { ...created, setting, detail: created.detail.replace(BOTH_KEYS, setting) }
}

async function checkExpiry(visit: Visit, accessToken: string, askedAt: number): Promise<Checkup[]> {
  const lookup = tokenLookup('token expiry')
  const expiry = await resultOf(visit, lookup, visit.client.accessTokens.expireDate(accessToken))
  if (isFailed(expiry)) return [expiry]
  const { expiresAt } = expiry
  const { widgetApiUrl: address } = visit.client.addresses
  const remedy = 'ask the service how long a token is valid'
  if (!expiresAt) {
    const subject = { ...lookup, setting: 'expirationDays', address, remedy }
    return [failed(subject, 200, 'a token of 7 days never expires')]
  }
  const told = ok(lookup, expiresAt.toISOString())
  const clock = {
    ...{ name: 'clock', setting: 'the system clock', address },
    remedy: `set the system clock, or ${remedy}`,
  }
  // A date may have no time (U5).
  if (expiresAt.getTime() % DAY === 0) {
    return [told, skipped(clock, 'not compared: the service tells the day of the expiry without a time')]
  }
  const skewMs = expiresAt.getTime() - 7 * DAY - askedAt
  const minutes = Math.round(Math.abs(skewMs) / 60_000)
  return [
    told,
    minutes > 10
      ? failed(clock, 200, `${minutes} minutes apart from the service's`)
      : ok(clock, `${Math.round(skewMs / 1000)} s apart from the service's`),
  ]
}

/** U8: whether the service still knows the token before the last one. */
async function checkRenewal(visit: Visit, earlier: string): Promise<Checkup> {
  return inTime(visit, visit.client.accessTokens.expireDate(earlier)).then(
    () => ok(renewal, 'a new token leaves the one before it alive'),
    (error: unknown) =>
      isRefusal(error)
        ? note(renewal, 'a new token ends the one before it: share one store among all instances')
        : asFailure(visit, renewal, error),
  )
}

/** U9: shows how many orders anyone with the token can read. */
async function checkReach(visit: Visit, accessToken: string): Promise<Checkup> {
  const lookup = tokenLookup('order history')
  const orders = await resultOf(visit, lookup, visit.client.orders.listAll({ accessToken }))
  // The orders of a large business take longer than all calls of the doctor may.
  if (isFailed(orders) && visit.deadline.signal.aborted) {
    return note(lookup, `not counted: the orders of the whole business did not come in ${CALLS_MS / 1_000} s`)
  }
  if (isFailed(orders)) return orders
  const detail = `this one token opens ${orders.length} orders: it must never be seen outside`
  return orders.length > 0 ? note(lookup, detail) : ok(lookup, detail)
}

export function checkLookups(visit: Visit): Promise<Checkup[]> {
  const { transactions, subscriptions, users } = visit.client
  const asked: [Lookup['base'], name: string, ask: Promise<unknown>][] = [
    ['baseUrl', 'transaction lookup', transactions.retrieve({ order_id: 'doctor' })],
    ['baseUrl', 'subscription lookup', subscriptions.list({ user_id: 'doctor' })],
    ['userBaseUrl', 'user operations', users.retrieve({ user_id: 'doctor' })],
  ]
  return Promise.all(asked.map(([base, name, ask]) => checkLookup(visit, { base, name }, ask)))
}

async function checkLookup(visit: Visit, lookup: Lookup, ask: Promise<unknown>): Promise<Checkup> {
  const { base, name } = lookup
  const [error, toNothing] = await Promise.all([
    failureOf(inTime(visit, ask)),
    failureOf(inTime(visit, visit.client.probe(base))),
  ])
  if (error !== null && !isRefusal(error)) return asFailure(visit, lookup, error)
  // A service checks the key first, and so answers both alike. Token operations have no key.
  if (error?.status === 401 && base !== 'widgetApiUrl') return asFailure(visit, lookup, error)
  if (isSameAnswer(error, toNothing)) {
    const { addresses } = visit.client
    return failedBy(name, serviceCause(addresses, base, 'service_address', error?.status ?? 200))
  }
  if (error?.status === 403) return asFailure(visit, lookup, error)
  if (error === null || error.refusedBy === 'service') return ok(lookup, 'answers')
  const address = visit.client.addresses[base]
  return note(lookup, `answers ${error.status} in words that may be another server's: check ${address}`)
}

/** Null when the call succeeded. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

function isSameAnswer(answer: ApiError | null, nothing: unknown): boolean {
  if (answer === null) return nothing === null
  return isApiError(nothing) && answer.status === nothing.status && messageOf(answer) === messageOf(nothing)
}

/** The words of the answer, without those of the request. */
const messageOf = (error: ApiError): string => wordsOf(error).replace(/\/\S*|\bdoctor\b|\b(GET|POST)\b/g, '')
