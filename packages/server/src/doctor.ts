/** Checks from the merchant's server that credentials, service and widget page will do. */
import type { PurchaseClient } from './client.ts'
import { isApiError, PurchaseError } from './errors.ts'
import { type Checkup, type PageHeaders, pageNeeds, readPageHeaders } from './pageHeaders.ts'
import { buildWidgetUrl } from './widgetUrl.ts'

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

const DAY = 86_400_000

/** Runs every check; one that fails does not stop the others. */
export async function runDoctor({
  client,
  createTokens,
  fetch = globalThis.fetch,
  now = Date.now,
}: DoctorOptions): Promise<Diagnosis> {
  const checks: Checkup[] = []
  const token = createTokens ? await checkToken(client, now, checks) : null
  if (!createTokens) {
    checks.push({ name: 'access token', result: 'skipped', detail: 'no token was created, as you asked' })
  }
  checks.push(await checkLookup('transaction lookup', client.transactions.retrieve({ order_id: 'doctor' })))
  checks.push(await checkLookup('subscription lookup', client.subscriptions.list({ user_id: 'doctor' })))
  checks.push(await checkLookup('user operations', client.users.retrieve({ user_id: 'doctor' })))
  checks.push(...(await checkPage(client.widgetUrl, token, fetch)))
  return {
    checks,
    pageNeeds: pageNeeds(client.widgetUrl),
    healthy: checks.every(({ result }) => result !== 'failed'),
  }
}

/** Creates a token, looks at it from all sides, and gives it for the check of the page. */
async function checkToken(
  client: PurchaseClient,
  now: () => number,
  checks: Checkup[],
): Promise<string | null> {
  const askedAt = now()
  const first = await client.accessTokens.create({ expirationDays: '7' }).catch(asFailure('access token'))
  if (!('accessToken' in first)) {
    checks.push(first)
    return null
  }
  checks.push({ name: 'access token', result: 'ok', detail: 'both keys are right; a token was created' })
  checks.push(...(await checkExpiry(client, first.accessToken, askedAt)))

  const second = await client.accessTokens.create({ expirationDays: '7' }).catch(asFailure('token renewal'))
  if (!('accessToken' in second)) {
    checks.push(second)
    return first.accessToken
  }
  checks.push(await checkRenewal(client, first.accessToken))
  checks.push(await checkReach(client, second.accessToken))
  return second.accessToken
}

async function checkExpiry(client: PurchaseClient, accessToken: string, askedAt: number): Promise<Checkup[]> {
  const expiry = await client.accessTokens.expireDate(accessToken).catch(asFailure('token expiry'))
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

async function checkRenewal(client: PurchaseClient, earlier: string): Promise<Checkup> {
  const name = 'token renewal'
  try {
    await client.accessTokens.expireDate(earlier)
    return { name, result: 'ok', detail: 'a new token leaves the one before it alive' }
  } catch (error) {
    if (!isApiError(error)) return asFailure(name)(error)
    const detail = 'a new token ends the one before it: share one lease among all instances (a Redis store)'
    return { name, result: 'note', detail }
  }
}

/** U9: shows in numbers what whoever has the token may read. */
async function checkReach(client: PurchaseClient, accessToken: string): Promise<Checkup> {
  const orders = await client.orders.listAll({ accessToken }).catch(asFailure('order history'))
  if (!Array.isArray(orders)) return orders
  const detail = `this one token opens ${orders.length} orders: it must never be seen outside`
  return { name: 'order history', result: orders.length > 0 ? 'note' : 'ok', detail }
}

/** Asks for something that does not exist: to be told so is success. */
async function checkLookup(name: string, lookup: Promise<unknown>): Promise<Checkup> {
  try {
    await lookup
    return { name, result: 'ok', detail: 'answers' }
  } catch (error) {
    if (!isApiError(error) || error.status === 401 || error.status >= 500) return asFailure(name)(error)
    if (error.status === 403)
      return { name, result: 'failed', detail: 'the API key lacks the permission (5.3)' }
    return { name, result: 'ok', detail: 'answers' }
  }
}

async function checkPage(
  widgetUrl: string,
  token: string | null,
  fetch: typeof globalThis.fetch,
): Promise<Checkup[]> {
  const address = token === null ? `${widgetUrl}/widget/` : buildWidgetUrl(widgetUrl, token, {})
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await response.body?.cancel()
    return readPageHeaders(response.status, response.headers)
  } catch {
    return [
      { name: 'widget page', result: 'failed', detail: `cannot be reached at ${new URL(widgetUrl).origin}` },
    ]
  }
}

const asFailure =
  (name: string) =>
  (error: unknown): Checkup => {
    if (!(error instanceof PurchaseError)) throw error
    return { name, result: 'failed', detail: error.message }
  }
