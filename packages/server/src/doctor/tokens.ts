/** Creates access tokens and looks at them from all sides. */
import { isApiError } from '../errors.ts'
import { asFailure, type Checkup, inTime, type Subject, type Visit } from './visit.ts'

export interface TokenCheckup {
  checks: Checkup[]
  /** For the check of the page. */
  live: string | null
}

const DAY = 86_400_000

const tokenSubject = (name: string): Subject => ({ name, variable: 'PURCHASE_WIDGET_API_URL' })

export async function checkToken(visit: Visit): Promise<TokenCheckup> {
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
