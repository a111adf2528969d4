/** Answers of the companion, and refusals. */
import type { Words } from '../languages.ts'

/** The status of each, and the shopper's sentence in their language: null for the merchant's own sentence, whose language we do not know. */
const refusals = {
  not_found: [404, 'ended'],
  method_not_allowed: [405, 'ended'],
  unauthorized: [401, 'signIn'],
  forbidden: [403, 'ended'],
  forbidden_origin: [403, 'ended'],
  purchase_refused: [403, null],
  page_token_disabled: [403, 'ended'],
  unsupported_media_type: [415, 'ended'],
  invalid_request: [400, 'ended'],
  conflict: [409, 'ended'],
  too_large: [413, 'ended'],
  request_timeout: [408, 'failed'],
  too_many_requests: [429, 'tooMany'],
  service_unavailable: [503, 'away'],
  internal_error: [500, 'failed'],
} as const

export type RefusalCode = keyof typeof refusals

export const wordOf = ({ code }: Refusal): keyof Words | null => refusals[code][1]

/** Thrown by guards and routes; becomes `{ error: { code, message } }`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly headers: Record<string, string>
  /** The merchant's own answer instead, such as a redirect to a sign-in page. */
  readonly instead: Response | null

  /** @param options `cause`: a failure that `onError` receives, although the answer does not show it. */
  constructor(
    code: RefusalCode,
    message: string,
    options: { headers?: Record<string, string>; instead?: Response | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.headers = options.headers ?? {}
    this.instead = options.instead ?? null
  }
}

/** Answers of the companion must not be cached or sniffed. */
const jsonHeaders = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })

/** Of each answer to a navigation. */
export const windowHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  // Set explicitly, so that middleware such as helmet does not replace it: that would cut a popup's connection to its host.
  'cross-origin-opener-policy': 'unsafe-none',
  // The widget need not know where the shopper came from, nor anyone else the token in the widget's address.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { ...windowHeaders, location } })

/** @param message replaces the refusal's own. */
export const refuse = ({ code, headers }: Refusal, message: string): Response =>
  json({ error: { code, message } }, refusals[code][0], headers)
