/**
 * Failures of a call to the service: one class per failure, one guard per class; and the safe parts of other errors.
 *
 * No message, stack or `cause` contains a credential, an access token or any value that was sent or received.
 */

const howToFindOut =
  ' The user may exist all the same: look with users.retrieve({ email }) before you try again.'

/** The common part of every failure of this package. */
export abstract class PurchaseError extends Error {
  /** The operation that failed, e.g. `orders.list`; `configuration` before any operation. */
  readonly operation: string
  /**
   * True when the operation may have taken effect although no answer says so. Only operations that must not be
   * repeated blindly set it: see `users.create`.
   */
  readonly outcomeUnknown: boolean

  constructor(
    operation: string,
    message: string,
    options: { cause?: unknown; outcomeUnknown?: boolean } = {},
  ) {
    const { cause, outcomeUnknown = false } = options
    const text = `${operation}: ${message}${outcomeUnknown ? howToFindOut : ''}`
    super(text, cause === undefined ? undefined : { cause })
    this.operation = operation
    this.outcomeUnknown = outcomeUnknown
  }

  /** The message without the operation. */
  get problem(): string {
    return this.message.slice(`${this.operation}: `.length)
  }
}

/** The service refused: a status outside 2xx, or a body whose `error` is true (U6). */
export class ApiError extends PurchaseError {
  override readonly name = 'ApiError'
  /** The HTTP status. 200 when only the body reported the error. */
  readonly status: number
  /**
   * Who refused, judged by the body. `service`: its `error` is true. `other`: a web page, as of a gateway or of another server.
   * `unclear`, the default: anything else.
   */
  readonly refusedBy: 'service' | 'unclear' | 'other'

  constructor(
    operation: string,
    message: string,
    options: { status: number; outcomeUnknown?: boolean; refusedBy?: ApiError['refusedBy'] },
  ) {
    super(operation, message, options)
    this.status = options.status
    this.refusedBy = options.refusedBy ?? 'unclear'
  }
}

/** The service was not reached, redirected, or the connection ended before the answer did. */
export class NetworkError extends PurchaseError {
  override readonly name = 'NetworkError'
  /** The HTTP status of a redirect, which is never followed; null when there was no answer, or when the runtime hides it. */
  readonly status: number | null

  constructor(
    operation: string,
    message: string,
    options: { cause?: unknown; outcomeUnknown?: boolean; status?: number } = {},
  ) {
    super(operation, message, options)
    this.status = options.status || null
  }
}

/** The call took longer than `timeoutMs`, retries and body included. */
export class TimeoutError extends PurchaseError {
  override readonly name = 'TimeoutError'
}

/** The service answered 2xx with something that no rule of docs/assumptions.md covers. Names types, never values. */
export class UnexpectedResponseError extends PurchaseError {
  override readonly name = 'UnexpectedResponseError'
}

/** The input or the configuration is wrong. Nothing was sent. */
export class InvalidInputError extends PurchaseError {
  override readonly name = 'InvalidInputError'
}

/** A wrong option or environment variable. */
export const misconfigured = (problem: string, cause?: unknown): InvalidInputError =>
  new InvalidInputError('configuration', problem, { cause })

/**
 * Thrown by a merchant's `createPurchase` when this shopper may not buy this: a 403 with the code `purchase_refused`.
 *
 * @example throw new PurchaseRefused('This item is sold out.')
 */
export class PurchaseRefused extends PurchaseError {
  override readonly name = 'PurchaseRefused'

  /** @param sentence that the shopper reads. */
  constructor(sentence: string) {
    super('createPurchase', sentence)
  }
}

type Guard<Failure> = (error: unknown) => error is Failure

const guardOf =
  <Failure extends PurchaseError>(name: string): Guard<Failure> =>
  (error): error is Failure =>
    error instanceof Error && error.name === name && 'operation' in error

/** Whether the service refused. Like every guard here, it also accepts errors of another copy of this package. */
export const isApiError: Guard<ApiError> = guardOf('ApiError')
export const isNetworkError: Guard<NetworkError> = guardOf('NetworkError')
export const isTimeoutError: Guard<TimeoutError> = guardOf('TimeoutError')
export const isUnexpectedResponseError: Guard<UnexpectedResponseError> = guardOf('UnexpectedResponseError')
export const isInvalidInputError: Guard<InvalidInputError> = guardOf('InvalidInputError')
export const isPurchaseRefused: Guard<PurchaseRefused> = guardOf('PurchaseRefused')

/** What a check of this package finds wrong; null if it finds nothing. */
export function problemOf(check: () => unknown): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (!isInvalidInputError(error)) throw error
    return error.problem
  }
}

export interface ErrorContext {
  /** The request's route, such as `POST /token`, `fulfilment`, which calls `onOrder`, or `start`. */
  readonly during: string
  /** The service's id of the order that the failure concerns. */
  readonly orderId?: string
  /** The number of the attempt, from 1. It is retried unless it has become a dead letter. */
  readonly attempt?: number
}

/** Whether the service refused, in any shape, and did not fail or ask to wait. */
export const isRefusal = (error: unknown): error is ApiError =>
  isApiError(error) && error.refusedBy !== 'other' && error.status < 500 && ![408, 429].includes(error.status)

/**
 * Whether the service does not know the object, as opposed to refusing us or failing. The status for that is not specified, nor is the body (U6):
 * 200 is a refusal that only the body reports, and a 404 may have no body. A gateway's own 404 says nothing about the object.
 */
export const meansUnknown = (error: unknown): boolean =>
  isRefusal(error) && [200, 400, 404, 410, 422].includes(error.status)

/** What a lookup returns for something that the service does not know. */
export const whenUnknown =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (meansUnknown(error)) return instead
    throw error
  }

const words = new WeakMap<ApiError, string>()

export const keepWords = (error: ApiError, text: string): void => void words.set(error, text)

/** For comparing two refusals, never for printing. */
export const wordsOf = (error: ApiError): string => words.get(error) ?? ''

// The safe parts of an error that other code threw: messages and stacks of fetch, URL and JSON failures quote addresses and bodies.

/** An error with only the name and the code of another, or of its cause. */
export function safeCause(error: unknown): Error {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const name = inner instanceof Error ? inner.name : typeof inner
  const code = codeOf(inner)
  const cause = new Error(code ? `${name} (${code})` : name)
  delete cause.stack
  return cause
}

/** The system's or library's code of an error, e.g. `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' && /^[A-Z0-9_]{2,40}$/.test(error.code) ? error.code : undefined
}

/** The code of an error, or of its cause. */
export const codeOfFailure = (error: unknown): string | undefined =>
  codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined)

/** Text that may be a value: an e-mail address, a word of eight or more characters with a digit in it, or a very long word. */
const valueLike = /\S+@\S+|(?=\S{8})\S*\d\S*|\S{32,}/g

/** The beginning of a message of the merchant's own code, without words that look like a value. */
export const withoutValues = (text: string): string =>
  text.slice(0, 2_000).replace(valueLike, '[redacted]').slice(0, 300)
