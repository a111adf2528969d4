/** Asks the merchant's server for the result of a purchase. */
import { warnOfOrder } from '#words'
import { delay } from '../delay.ts'
import { nullProto } from '../names.ts'
import type { Settings } from '../settings.ts'
import type { OrderSummary, ReturnInfo } from '../types.ts'
import { routeOf } from '../url.ts'
import { type Answer, outcomeOf, type Refusal } from './result.ts'

/** The shopper came back: the status and address that the return page reported, if they are known. */
export type Returned = Partial<Pick<ReturnInfo, 'status' | 'url'>>

/** Sends one request; rejects when the server does not answer. */
export type Ask = (returned?: Returned) => Promise<Answer>

export type Server = { [Name in 'companion' | 'headers' | 'confirm']?: Settings[Name] | undefined }

/** Sends one request to the companion, with the page's session. */
export async function callCompanion(
  { companion = '', headers }: Server,
  route: string,
  init: RequestInit = {},
): Promise<Response> {
  const added = typeof headers === 'function' ? await headers() : headers
  return fetch(
    routeOf(companion, route),
    nullProto({
      credentials: 'include',
      ...init,
      headers: nullProto({ ...init.headers, ...added }),
    } as RequestInit),
  )
}

const statuses: readonly string[] = ['none', 'pending', 'complete', 'failed'] satisfies Answer['status'][]

async function askCompanion(
  server: Server,
  id: string,
  returned: boolean,
  wasPreloaded: boolean | undefined,
): Promise<Answer> {
  const told = [returned && 'returned=1', wasPreloaded && 'opened=1'].filter(Boolean).join('&')
  const response = await callCompanion(server, `purchases/${id}${told && `?${told}`}`)
  // A rate-limited request checked nothing: the answer comes later.
  if (response.status === 429) return { status: 'none', fresh: false }
  const answer: Answer | null = response.ok ? await response.json() : null
  if (!answer || !statuses.includes(answer.status)) throw Error(`HTTP ${response.status}`)
  return nullProto(answer)
}

/** The code and message of a refusal, truncated; undefined for anything else. */
export function parseRefusal(value: unknown): Refusal | undefined {
  const { code, message }: { code?: unknown; message?: unknown } = nullProto(Object(value))
  return typeof code === 'string' && typeof message === 'string'
    ? { code: code.slice(0, 60), message: message.slice(0, 500) }
    : undefined
}

const statusOf = { success: 'complete', failure: 'failed' } as const

/** The answer of a merchant's own server is taken as it is. */
const answerOf = (order: OrderSummary | null | undefined): Answer => {
  const outcome = outcomeOf(order)
  return order
    ? { status: outcome ? statusOf[outcome] : 'pending', state: 'matched', order }
    : { status: 'none' }
}

/**
 * Returns undefined if there is no server to ask.
 *
 * @param wasPreloaded Each request tells the companion that the shopper sees what was preloaded: from now on it keeps that purchase like any other.
 */
export function createAsk(server: Server, purchaseId: string, wasPreloaded?: boolean): Ask | undefined {
  const { companion, confirm } = server
  if (companion) return (returned) => askCompanion(server, purchaseId, !!returned, wasPreloaded)
  if (!confirm) return undefined
  // A merchant's function may throw, or return no promise.
  return async (returned) => {
    const order = await confirm({ purchaseId, ...(returned?.url && { returnUrl: returned.url }) })
    warnOfOrder(order)
    return answerOf(order)
  }
}

/** How long to wait for an order that is on its way, and for a server that does not answer. */
const ORDER_TIMEOUT_MS = 30_000
const NO_ANSWER_TIMEOUT_MS = 7_000
/** How long to wait for a payment, while the shopper reads that it is being processed. */
const PAYMENT_TIMEOUT_MS = 1_800_000
/** How long one request may take. Over a lost connection it may never end by itself. */
const REQUEST_TIMEOUT_MS = 15_000

/** Milliseconds until the next request: what the server learns in the first ten seconds, the shopper reads a second later. */
const pauseAfter = (waited: number): number =>
  waited === 0 ? 500 : waited < 10_000 ? 1_000 : waited < ORDER_TIMEOUT_MS ? 3_000 : 16_000

function timeoutAfter(answer: Answer | null | undefined, isPending: boolean): number {
  if (isPending) return PAYMENT_TIMEOUT_MS
  if (answer) return ORDER_TIMEOUT_MS
  // A request that has timed out has already waited.
  return answer === null ? 0 : NO_ANSWER_TIMEOUT_MS
}

/** Asks once. Resolves to undefined if the request fails, and to null if it times out. Never resolves once `signal` has aborted. */
export async function askOnce(
  ask: () => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer | null | undefined> {
  const late = delay(REQUEST_TIMEOUT_MS, signal).then(() => null)
  const answer = await Promise.race([ask().catch(() => undefined), late])
  return signal?.aborted ? late : answer
}

/**
 * Asks until the purchase has ended, at the intervals of `pauseAfter`. Resolves to the last answer, or to nothing if the server could not be
 * asked. It waits for an order that is on its way, for an answer that was not fresh, and, once the shopper has come back, for an order that
 * the server does not know yet. After a return that says success, it also waits when the answer is an older failure.
 *
 * @param onPending Called when the server first says that an order is on its way; it then waits half an hour for it.
 */
export async function untilEnded(
  ask: Ask,
  returned?: Returned,
  signal?: AbortSignal,
  onPending?: (answer: Answer) => void,
): ReturnType<typeof askOnce> {
  let isPending = false
  for (let waited = 0; ; ) {
    const answer = await askOnce(() => ask(returned), signal)
    if (answer?.status === 'pending' && onPending && !isPending) {
      isPending = true
      onPending(answer)
    }
    const waits =
      !answer ||
      answer.fresh === false ||
      answer.status === 'pending' ||
      (answer.status === 'none' && returned) ||
      (answer.status === 'failed' && returned?.status === 'success')
    // A server that could not ask the service has not answered.
    if (!waits || waited >= timeoutAfter(answer, isPending))
      return answer?.fresh === false ? undefined : answer
    const pause = pauseAfter(waited)
    await delay(pause, signal)
    waited += pause
  }
}
