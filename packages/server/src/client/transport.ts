/** The only place that talks to the service: sends one row of the operation table and reads the answer. */

import { type Deadline, startDeadline } from '../deadline.ts'
import {
  ApiError,
  InvalidInputError,
  keepWords,
  NetworkError,
  PurchaseError,
  TimeoutError,
  UnexpectedResponseError,
} from '../errors.ts'
import { parseJson } from '../unknown.ts'
import { readError, readErrorMessage, readRefusedBy, ShapeError } from './answers.ts'
import { traced } from './diagnostics.ts'
import { codeOf, safeCause } from './foreignErrors.ts'
import { describeIssues, type Operation } from './operations.ts'
import { LONGEST_REFUSAL, readAnswer } from './readAnswer.ts'
import {
  type Account,
  type Again,
  type BuiltRequest,
  backoffMs,
  buildRequest,
  readRetryAfter,
  retriesFor,
} from './request.ts'

/** One attempt of one call, as a logger sees it. Holds no value that was sent or received. */
export interface CallLog {
  operation: string
  /** 1 for the first. */
  attempt: number
  outcome: 'ok' | 'ApiError' | 'NetworkError' | 'TimeoutError' | 'UnexpectedResponseError'
  /** The HTTP status, when there was an answer. */
  status?: number
  durationMs: number
}

export interface Transport extends Account {
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
  now: () => number
  logger: (entry: CallLog) => void
}

/** What came of one attempt. */
type Attempt<Output> = { ok: true; output: Output; status: number } | Failure

interface Failure {
  ok: false
  error: PurchaseError
  again: Again
  status?: number
  retryAfterMs?: number
}

/**
 * Calls one operation, with its retries, within one deadline.
 *
 * @throws InvalidInputError before anything is sent; ApiError, NetworkError, TimeoutError or UnexpectedResponseError after.
 */
export const call = <Output>(
  transport: Transport,
  operation: Operation<Output>,
  input: unknown,
): Promise<Output> => traced('operation', operation.name, () => callInTime(transport, operation, input))

async function callInTime<Output>(
  transport: Transport,
  operation: Operation<Output>,
  input: unknown,
): Promise<Output> {
  const { name } = operation
  const checked = operation.input.safeParse(input)
  if (!checked.success) throw new InvalidInputError(name, describeIssues(checked.error))

  const request = buildRequest(transport, operation, checked.data)
  const deadline = startDeadline(transport.timeoutMs)
  try {
    for (let attempt = 1; ; attempt++) {
      const started = transport.now()
      const result = await sendOnce(transport, operation, request, deadline)
      transport.logger({
        operation: name,
        attempt,
        outcome: result.ok ? 'ok' : outcomeOf(result.error),
        ...(result.status === undefined ? {} : { status: result.status }),
        durationMs: transport.now() - started,
      })
      if (result.ok) return result.output

      const wait = result.retryAfterMs ?? backoffMs(attempt)
      const mayRetry = attempt <= retriesFor(operation, transport.maxRetries, result.again)
      if (!mayRetry || wait >= deadline.remainingMs()) throw result.error
      await sleep(wait)
    }
  } finally {
    deadline.stop()
  }
}

async function sendOnce<Output>(
  transport: Transport,
  operation: Operation<Output>,
  { url, init }: BuiltRequest,
  deadline: Deadline,
): Promise<Attempt<Output>> {
  const { name } = operation
  const mustNotRepeat = operation.retry === 'unsent'
  let status: number | undefined
  let text: string | null
  let retryAfterMs: number | undefined
  try {
    const response = await deadline.race(transport.fetch(url, { ...init, signal: deadline.signal }))
    status = response.status
    if (isRedirect(status)) {
      response.body?.cancel().catch(() => {})
      return redirected(name, status, mustNotRepeat)
    }
    retryAfterMs = readRetryAfter(response.headers.get('retry-after'), transport.now())
    const longest = isSuccess(status) ? operation.longestAnswer : LONGEST_REFUSAL
    text = await deadline.race(readAnswer(response, longest))
  } catch (error) {
    // Nothing was sent: whoever paces the requests has refused this one.
    if (error instanceof PurchaseError) throw error
    return { ...notAnswered(transport, name, error, deadline, mustNotRepeat), ...(status ? { status } : {}) }
  }

  if (text === null && isSuccess(status)) return tooLong(operation, status)
  // What a refusal says beyond the limit is given up; that it is one stands in its status.
  text ??= ''
  const body = parseJson(text)
  const failure = isSuccess(status) ? readError(body) : { message: readErrorMessage(body) }
  if (failure) {
    const outcomeUnknown = mustNotRepeat && status >= 500
    const again = status === 408 || status === 429 || status >= 500 ? 'sent' : 'no'
    const message = `the service answered ${status}${isSuccess(status) ? ' with an error' : ''}.`
    const error = new ApiError(name, message + (outcomeUnknown ? howToFindOut : ''), {
      status,
      outcomeUnknown,
      refusedBy: readRefusedBy(text, body),
    })
    if (failure.message) keepWords(error, failure.message)
    return {
      ok: false,
      error,
      again,
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }
  try {
    return { ok: true, output: operation.output(body), status }
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    const seen =
      text.trim() !== '' && body === undefined ? 'expected JSON, got something else' : error.message
    const unexpected = new UnexpectedResponseError(name, seen + (mustNotRepeat ? `.${howToFindOut}` : ''), {
      outcomeUnknown: mustNotRepeat,
    })
    return { ok: false, error: unexpected, again: 'no', status }
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

function tooLong({ name, longestAnswer, retry }: Operation<unknown>, status: number): Failure {
  const outcomeUnknown = retry === 'unsent'
  const message = `the answer has more than ${longestAnswer} bytes and was not read to its end.`
  return {
    ok: false,
    error: new UnexpectedResponseError(name, message + (outcomeUnknown ? howToFindOut : ''), {
      outcomeUnknown,
    }),
    again: 'no',
    status,
  }
}

const howToFindOut =
  ' The user may exist all the same: look with users.retrieve({ email }) before you try again.'

/** No answer, or half of one. */
function notAnswered(
  transport: Transport,
  name: string,
  error: unknown,
  deadline: Deadline,
  mustNotRepeat: boolean,
): Failure {
  const unsent = neverSent(error)
  const outcomeUnknown = mustNotRepeat && !unsent
  const hint = outcomeUnknown ? howToFindOut : ''
  if (deadline.signal.aborted) {
    const message = `no complete answer within ${transport.timeoutMs} ms.${hint}`
    return { ok: false, error: new TimeoutError(name, message, { outcomeUnknown }), again: 'no' }
  }
  const message = unsent
    ? 'could not connect to the service; check the base URLs and the network.'
    : 'the connection ended before the answer did.'
  return {
    ok: false,
    error: new NetworkError(name, message + hint, { cause: safeCause(error), outcomeUnknown }),
    again: unsent ? 'unsent' : 'sent',
  }
}

/** Status 0 is how some runtimes hide a redirect that was not followed. */
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status <= 399)

function redirected(name: string, status: number, mustNotRepeat: boolean): Failure {
  const message =
    'the service answered with a redirect, which is never followed because it would carry the credentials along; check the base URLs.'
  const hint = mustNotRepeat ? howToFindOut : ''
  return {
    ok: false,
    error: new NetworkError(name, message + hint, { outcomeUnknown: mustNotRepeat, status }),
    again: 'no',
    ...(status ? { status } : {}),
  }
}

/** Codes of failures before a connection stood. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function neverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const code = codeOf(cause) ?? codeOf(error)
  return code !== undefined && unsentCodes.has(code)
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function outcomeOf(error: PurchaseError): CallLog['outcome'] {
  return error.name as Exclude<CallLog['outcome'], 'ok'>
}
