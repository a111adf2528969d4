/** Checks from the merchant's server that credentials, service and widget page will do. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { type Deadline, startDeadline } from '../client/deadline.ts'
import { type ApiError, isApiError, PurchaseError, TimeoutError } from '../errors.ts'
import { type Checkup, type PageHeaders, pageNeeds, readPageHeaders } from './pageHeaders.ts'
import { buildWidgetUrl } from '../purchase/widgetUrl.ts'

export interface DoctorOptions {
  client: PurchaseClient
  /**
   * Create two access tokens, to check the credentials, expiry and clock, and whether a new token ends the one before it.
   * That may end the tokens of widgets which are open (U8).
   */
  createTokens: boolean
  /** Reads the widget page. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  now?: () => number
}

export interface Diagnosis {
  checks: Checkup[]
  /** Response headers that the merchant's own page needs, beside what it has. */
  pageNeeds: PageHeaders
  /** False when a check failed. */
  healthy: boolean
}

/** How long all calls to the service may take together. */
export const CALLS_MS = 6_000
/** How long the widget page may take after them. */
const PAGE_MS = 4_000
const DAY = 86_400_000

interface Visit {
  client: PurchaseClient
  now: () => number
  /** The end of all calls: a service that is silent is not asked more. */
  deadline: Deadline
}

async function inTime<T>({ deadline }: Visit, call: Promise<T>): Promise<T> {
  return deadline.race(call).catch((error: unknown) => {
    if (error instanceof PurchaseError || !deadline.signal.aborted) throw error
    throw new TimeoutError('doctor', `no answer within ${CALLS_MS / 1000} s`)
  })
}

/** What a check is about, for its row, and the environment variable to look at when the address seems wrong. */
interface Subject {
  name: string
  variable: string
}

/**
 * Runs every check; one that fails does not stop the others. Takes ten seconds at most, also when nothing answers. Calls of
 * a client whose own `timeoutMs` is longer go on in the background.
 */
export async function runDoctor({
  client,
  createTokens,
  fetch = globalThis.fetch,
  now = Date.now,
}: DoctorOptions): Promise<Diagnosis> {
  const visit: Visit = { client, now, deadline: startDeadline(CALLS_MS) }
  const [token, lookups] = await Promise.all([
    createTokens ? checkToken(visit) : skipToken(visit),
    checkLookups(visit),
  ]).finally(visit.deadline.stop)
  const page = await checkPage(client.widgetUrl, token.live, fetch)
  const checks = [...token.checks, ...lookups, ...page]
  return {
    checks,
    pageNeeds: pageNeeds(client.widgetUrl),
    healthy: checks.every(({ result }) => result !== 'failed'),
  }
}

interface TokenCheckup {
  checks: Checkup[]
  /** For the check of the page. */
  live: string | null
}

const tokenSubject = (name: string): Subject => ({ name, variable: 'PURCHASE_WIDGET_API_URL' })

/** Creates a token and looks at it from all sides. */
async function checkToken(visit: Visit): Promise<TokenCheckup> {
  const askedAt = visit.now()
  const first = await createToken(visit, 'access token')
  if (typeof first !== 'string') return { checks: [first], live: null }
  const checks: Checkup[] = [
    { name: 'access token', result: 'ok', detail: 'both keys are right; a token was created' },
    ...(await checkExpiry(visit, first, askedAt)),
  ]
  if (visit.deadline.signal.aborted) return { checks, live: first }

  const second = await createToken(visit, 'token renewal')
  if (typeof second !== 'string') return { checks: [...checks, second], live: first }
  const rest = await Promise.all([checkRenewal(visit, first), checkReach(visit, second)])
  return { checks: [...checks, ...rest], live: second }
}

/** Creates none, and still finds out whether the service is there: it must refuse a token that nobody created. */
async function skipToken(visit: Visit): Promise<TokenCheckup> {
  const detail = 'no token was created, as you asked'
  const asked = visit.client.accessTokens.expireDate('doctor')
  const checks: Checkup[] = [
    { name: 'access token', result: 'skipped', detail },
    await checkLookup(visit, tokenSubject('token operations'), asked, false),
  ]
  return { checks, live: null }
}

async function createToken(visit: Visit, name: string): Promise<string | Checkup> {
  const created = inTime(visit, visit.client.accessTokens.create({ expirationDays: '7' }))
  return created.then(({ accessToken }) => accessToken, asFailure(tokenSubject(name)))
}

async function checkExpiry(visit: Visit, accessToken: string, askedAt: number): Promise<Checkup[]> {
  const asked = inTime(visit, visit.client.accessTokens.expireDate(accessToken))
  const expiry = await asked.catch(asFailure(tokenSubject('token expiry')))
  if ('name' in expiry) return [expiry]
  if (!expiry.expiresAt)
    return [{ name: 'token expiry', result: 'failed', detail: 'a token of 7 days never expires' }]
  const skewMs = expiry.expiresAt.getTime() - 7 * DAY - askedAt
  const minutes = Math.round(Math.abs(skewMs) / 60_000)
  return [
    { name: 'token expiry', result: 'ok', detail: expiry.expiresAt.toISOString() },
    minutes > 10
      ? {
          name: 'clock',
          result: 'failed',
          detail: `${minutes} minutes apart from the service's: set this machine's clock, or ask the service how long a token lives`,
        }
      : { name: 'clock', result: 'ok', detail: `${Math.round(skewMs / 1000)} s apart from the service's` },
  ]
}

async function checkRenewal(visit: Visit, earlier: string): Promise<Checkup> {
  const subject = tokenSubject('token renewal')
  try {
    await inTime(visit, visit.client.accessTokens.expireDate(earlier))
    return { name: subject.name, result: 'ok', detail: 'a new token leaves the one before it alive' }
  } catch (error) {
    if (!isApiError(error)) return asFailure(subject)(error)
    const detail = 'a new token ends the one before it: share one lease among all instances (a Redis store)'
    return { name: subject.name, result: 'note', detail }
  }
}

/** U9: shows in numbers what whoever has the token may read. */
async function checkReach(visit: Visit, accessToken: string): Promise<Checkup> {
  const subject = tokenSubject('order history')
  const orders = await inTime(visit, visit.client.orders.listAll({ accessToken })).catch(asFailure(subject))
  if (!Array.isArray(orders)) return orders
  const detail = `this one token opens ${orders.length} orders: it must never be seen outside`
  return { name: subject.name, result: orders.length > 0 ? 'note' : 'ok', detail }
}

function checkLookups(visit: Visit): Promise<Checkup[]> {
  const { transactions, subscriptions, users } = visit.client
  const variable = 'PURCHASE_BASE_URL'
  const userVariable = 'PURCHASE_USER_BASE_URL, or PURCHASE_BASE_URL when that is not set'
  return Promise.all([
    checkLookup(
      visit,
      { name: 'transaction lookup', variable },
      transactions.retrieve({ order_id: 'doctor' }),
    ),
    checkLookup(visit, { name: 'subscription lookup', variable }, subscriptions.list({ user_id: 'doctor' })),
    checkLookup(
      visit,
      { name: 'user operations', variable: userVariable },
      users.retrieve({ user_id: 'doctor' }),
    ),
  ])
}

/**
 * Asks for something that does not exist: to be told so by the service is success.
 *
 * @param hasKey whether the API key was sent, so that 401 is about the key.
 */
async function checkLookup(
  visit: Visit,
  subject: Subject,
  lookup: Promise<unknown>,
  hasKey = true,
): Promise<Checkup> {
  try {
    await inTime(visit, lookup)
    return { name: subject.name, result: 'ok', detail: 'answers' }
  } catch (error) {
    if (!isApiError(error) || error.status >= 500 || (hasKey && error.status === 401)) {
      return asFailure(subject)(error)
    }
    return judgeRefusal(subject, error)
  }
}

function judgeRefusal({ name, variable }: Subject, { status, refusedBy }: ApiError): Checkup {
  if (refusedBy === 'other') {
    const detail = `answers ${status}, but not as the service does: look at ${variable}`
    return { name, result: 'failed', detail }
  }
  if (status === 403) return { name, result: 'failed', detail: 'the API key lacks the permission (5.3)' }
  return refusedBy === 'service'
    ? { name, result: 'ok', detail: 'answers' }
    : {
        name,
        result: 'note',
        detail: `answers ${status} in words that may be another server's: look at ${variable}`,
      }
}

async function checkPage(
  widgetUrl: string,
  token: string | null,
  fetch: typeof globalThis.fetch,
): Promise<Checkup[]> {
  const address = token === null ? `${widgetUrl}/widget/` : buildWidgetUrl(widgetUrl, token, {})
  const deadline = startDeadline(PAGE_MS)
  try {
    const response = await deadline.race(fetch(address, { redirect: 'manual', signal: deadline.signal }))
    await response.body?.cancel()
    return readPageHeaders(response.status, response.headers)
  } catch {
    const detail = `cannot be reached at ${new URL(widgetUrl).origin}: look at PURCHASE_WIDGET_URL`
    return [{ name: 'widget page', result: 'failed', detail }]
  } finally {
    deadline.stop()
  }
}

/** A row for a call that failed. */
const asFailure =
  ({ name, variable }: Subject) =>
  (error: unknown): Checkup => {
    if (!(error instanceof PurchaseError)) throw error
    const isService = isApiError(error) && error.refusedBy === 'service'
    const detail = isService ? error.message : `${error.message} (look at ${variable})`
    return { name, result: 'failed', detail }
  }
