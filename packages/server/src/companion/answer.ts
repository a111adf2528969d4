/** Answers of the companion, and refusals. */

export type RefusalCode =
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'forbidden_origin'
  | 'purchase_refused'
  | 'page_token_disabled'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'conflict'
  | 'too_large'
  | 'request_timeout'
  | 'too_many_requests'
  | 'service_unavailable'
  | 'internal_error'

const statusOf: Record<RefusalCode, number> = {
  not_found: 404,
  method_not_allowed: 405,
  unauthorized: 401,
  forbidden: 403,
  forbidden_origin: 403,
  purchase_refused: 403,
  page_token_disabled: 403,
  unsupported_media_type: 415,
  invalid_request: 400,
  conflict: 409,
  too_large: 413,
  request_timeout: 408,
  too_many_requests: 429,
  service_unavailable: 503,
  internal_error: 500,
}

interface RefusalOptions {
  headers?: Record<string, string>
  instead?: Response | null
  /** A failure that `onError` gets, although the answer does not show it. */
  cause?: unknown
}

/** Thrown by guards and routes; becomes `{ error: { code, message } }`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly headers: Record<string, string>
  /** What the merchant answers instead, such as the way to a sign-in page. */
  readonly instead: Response | null

  constructor(
    code: RefusalCode,
    message: string,
    { headers = {}, instead = null, cause }: RefusalOptions = {},
  ) {
    super(message, { cause })
    this.code = code
    this.headers = headers
    this.instead = instead
  }
}

/** Nothing that the companion says may be kept by a cache or sniffed. */
const jsonHeaders = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: jsonHeaders })

export const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      'cache-control': 'no-store',
      // Said so that middleware's, such as helmet's, does not stand: it would cut a popup's tie to its host.
      'cross-origin-opener-policy': 'unsafe-none',
      // Where the shopper came from is not the widget's business, nor the token in the widget's address anybody else's.
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      location,
    },
  })

/** @param message what is said instead of the refusal's own. */
export function refuse({ code, headers }: Refusal, message: string): Response {
  const answer = json({ error: { code, message } }, statusOf[code])
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
  return answer
}
