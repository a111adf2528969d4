/**
 * Asks each lookup for something that does not exist: to be told so by the service is success. Which words say so is not shown (U6), so
 * the answer is held against one to an operation that no service has: who says the same to both is not the service.
 */
import type { Account } from '../client/request.ts'
import { type ApiError, isApiError } from '../errors.ts'
import { asFailure, type Checkup, inTime, type Subject, type Visit } from './visit.ts'

type Base = keyof Account['bases']

interface Lookup extends Subject {
  base: Base
  ask: Promise<unknown>
  /** Whether the API key was sent, so that 401 is about the key. */
  hasKey: boolean
}

const userVariable = 'PURCHASE_USER_BASE_URL, or PURCHASE_BASE_URL when that is not set'

export function checkLookups(visit: Visit): Promise<Checkup[]> {
  const { transactions, subscriptions, users } = visit.client
  const business = { base: 'baseUrl', variable: 'PURCHASE_BASE_URL', hasKey: true } as const
  const lookups: Lookup[] = [
    { ...business, name: 'transaction lookup', ask: transactions.retrieve({ order_id: 'doctor' }) },
    { ...business, name: 'subscription lookup', ask: subscriptions.list({ user_id: 'doctor' }) },
    {
      base: 'userBaseUrl',
      variable: userVariable,
      name: 'user operations',
      ask: users.retrieve({ user_id: 'doctor' }),
      hasKey: true,
    },
  ]
  return Promise.all(lookups.map((lookup) => checkLookup(visit, lookup)))
}

/** Without creating a token: the service must refuse one that nobody created. */
export function checkTokenLookup(visit: Visit): Promise<Checkup> {
  return checkLookup(visit, {
    base: 'widgetApiUrl',
    variable: 'PURCHASE_WIDGET_API_URL',
    name: 'token operations',
    ask: visit.client.accessTokens.expireDate('doctor'),
    hasKey: false,
  })
}

async function checkLookup(visit: Visit, lookup: Lookup): Promise<Checkup> {
  const [answer, nothing] = await Promise.all([
    settle(inTime(visit, lookup.ask)),
    settle(inTime(visit, visit.client.probe(lookup.base))),
  ])
  const { error } = answer
  const isRefusal = isApiError(error) && error.status < 500 && !(lookup.hasKey && error.status === 401)
  if (error !== null && !isRefusal) return asFailure(lookup)(error)
  if (saysTheSame(answer, nothing)) return notTheService(lookup, error)
  return error === null ? answers(lookup) : judgeRefusal(lookup, error)
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
  return answer.error.status === nothing.error.status && wordsOf(answer.error) === wordsOf(nothing.error)
}

/** The message without what names the operation that was asked for. */
const wordsOf = ({ message, operation }: ApiError): string =>
  message.slice(operation.length).replace(/\/\S*|\[redacted\]|\b(GET|POST)\b/g, '')

const answers = ({ name }: Subject): Checkup => ({ name, result: 'ok', detail: 'answers' })

const notTheService = ({ name, variable }: Subject, error: unknown): Checkup => ({
  name,
  result: 'failed',
  detail: `answers ${isApiError(error) ? error.status : 200}, but not as the service does: look at ${variable}`,
})

function judgeRefusal(subject: Subject, error: ApiError): Checkup {
  const { name, variable } = subject
  const { status, refusedBy } = error
  if (refusedBy === 'other') return notTheService(subject, error)
  if (status === 403) return { name, result: 'failed', detail: 'the API key lacks the permission (5.3)' }
  if (refusedBy === 'service') return answers(subject)
  const detail = `answers ${status} in words that may be another server's: look at ${variable}`
  return { name, result: 'note', detail }
}
