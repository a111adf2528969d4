/** The only place that calls the service: sends one row of the operation table and reads the answer. */

import { type Deadline, startDeadline } from '../deadline.ts'
import {
  ApiError,
  codeOfFailure,
  InvalidInputError,
  keepWords,
  NetworkError,
  PurchaseError,
  safeCause,
  TimeoutError,
  UnexpectedResponseError,
} from '../errors.ts'
import { parseJson } from '../unknown.ts'
import { readErrorMessage, readRefusedBy, reportsError, ShapeError } from './answers.ts'
import { describeIssues, type Operation } from './operations.ts'
import { type Account, buildRequest, MAX_REFUSAL_BYTES, readAtMost } from './request.ts'

/** One attempt of one call, for a logger. Contains no value that was sent or received. */
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
  logger: (entry: CallLog) => void
}

type Attempt<Output> = { output: Output; status: number } | Failure

interface Failure {
  error: PurchaseError
  /** Whether it may be retried: not at all, since nothing was sent, or only if the operation may be repeated. */
  again: 'no' | 'unsent' | 'sent'
  status?: number | undefined
  retryAfterMs?: number | undefined
}

/**
 * Calls one operation, with its retries, within one deadline.
 *
 * @throws InvalidInputError before anything is sent; ApiError, NetworkError, TimeoutError or UnexpectedResponseError after.
 */
export async function call<Output>(
  transport: Transport,
  operation: Operation<Output>,
  input: unknown,
): Promise<Output> {
  const checked = operation.input.safeParse(input)
  if (!checked.success) throw new InvalidInputError(operation.name, describeIssues(checked.error))

  const deadline = startDeadline(transport.timeoutMs)
  try {
    for (let attempt = 1; ; attempt++) {
      const started = performance.now()
      const result = await sendOnce(transport, operation, checked.data, deadline)
      transport.logger({
        operation: operation.name,
        attempt,
        // Failures have no other class.
        outcome: 'output' in result ? 'ok' : (result.error.name as CallLog['outcome']),
        ...(result.status === undefined ? {} : { status: result.status }),
        durationMs: Math.round(performance.now() - started),
      })
      if ('output' in result) return result.output

      // Never sooner than without the header: by our clock its date may have passed already.
      const wait = Math.max(result.retryAfterMs ?? 0, backoffMs(attempt))
      const mayRetry = attempt <= retriesFor(operation, transport.maxRetries, result)
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
  input: Record<string, string | undefined>,
  deadline: Deadline,
): Promise<Attempt<Output>> {
  const { url, init } = buildRequest(transport, operation, input)
  let response: Response | undefined
  let text: string | null
  try {
    response = await deadline.race(transport.fetch(url, { ...init, signal: deadline.signal }))
    if (isRedirect(response.status)) return redirected(operation, response)
    const maxBytes = response.ok ? operation.maxAnswerBytes : MAX_REFUSAL_BYTES
    text = await deadline.race(readAtMost(response.body, maxBytes))
  } catch (error) {
    // Nothing was sent: the pacing of reads has refused this request.
    if (error instanceof PurchaseError) throw error
    return { ...notAnswered(transport, operation, error, deadline), status: response?.status }
  }
  const body = parseJson(text ?? '')
  if (!response.ok || reportsError(body)) return refused(operation, response, text, body)
  if (text === null) {
    const seen = `the answer has more than ${operation.maxAnswerBytes} bytes and was not read to its end.`
    return unexpected(operation, response, seen)
  }
  try {
    return { output: operation.output(body), status: response.status }
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    const isJson = text.trim() === '' || body !== undefined
    return unexpected(operation, response, isJson ? error.message : 'expected JSON, got something else.')
  }
}

/** Whether the operation may have taken effect without an answer, and must not be repeated. */
const mustNotRepeat = ({ retry }: Operation<unknown>): boolean => retry === 'unsent'

function retriesFor(operation: Operation<unknown>, maxRetries: number, { again }: Failure): number {
  if (again === 'no' || (again === 'sent' && mustNotRepeat(operation))) return 0
  return operation.retry === 'once' ? Math.min(maxRetries, 1) : maxRetries
}

/** Full jitter: anywhere between zero and a ceiling that doubles, so that many callers do not retry together. */
const backoffMs = (attempt: number): number => Math.random() * Math.min(250 * 2 ** attempt, 4_000)

/** U16: seconds or an HTTP date. */
function readRetryAfter(header: string): number | undefined {
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(waitMs) ? undefined : waitMs
}

/** A refusal is not read beyond the limit; its status alone shows that it is one. */
function refused(
  operation: Operation<unknown>,
  { status, ok, headers }: Response,
  text: string | null,
  body: unknown,
): Failure {
  const error = new ApiError(operation.name, `the service answered ${status}${ok ? ' with an error' : ''}.`, {
    status,
    outcomeUnknown: mustNotRepeat(operation) && status >= 500,
    refusedBy: readRefusedBy(text, body),
  })
  const words = readErrorMessage(body)
  if (words) keepWords(error, words)
  const again = status === 408 || status === 429 || status >= 500 ? 'sent' : 'no'
  return { error, again, status, retryAfterMs: readRetryAfter(headers.get('retry-after') ?? '') }
}

function unexpected(operation: Operation<unknown>, { status }: Response, seen: string): Failure {
  const outcomeUnknown = mustNotRepeat(operation)
  return { error: new UnexpectedResponseError(operation.name, seen, { outcomeUnknown }), again: 'no', status }
}

function notAnswered(
  { timeoutMs }: Transport,
  operation: Operation<unknown>,
  error: unknown,
  { signal }: Deadline,
): Failure {
  const unsent = unsentCodes.has(codeOfFailure(error) ?? '')
  const outcomeUnknown = mustNotRepeat(operation) && !unsent
  if (signal.aborted) {
    const late = `no complete answer within ${timeoutMs} ms.`
    return { error: new TimeoutError(operation.name, late, { outcomeUnknown }), again: 'no' }
  }
  const message = unsent
    ? 'could not connect to the service; check the base URLs and the network.'
    : 'the connection ended before the answer did.'
  const failure = new NetworkError(operation.name, message, { cause: safeCause(error), outcomeUnknown })
  return { error: failure, again: unsent ? 'unsent' : 'sent' }
}

/** Some runtimes report status 0 for a redirect that was not followed. */
const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status <= 399)

function redirected(operation: Operation<unknown>, { status, body }: Response): Failure {
  body?.cancel().catch(() => {})
  const message =
    'the service answered with a redirect, which is never followed because it would carry the credentials along; check the base URLs.'
  const error = new NetworkError(operation.name, message, {
    outcomeUnknown: mustNotRepeat(operation),
    status,
  })
  return { error, again: 'no', status: status || undefined }
}

/** Codes of failures before a connection was established. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
