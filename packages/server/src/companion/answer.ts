/** Answers of the companion: plain values, made into a `Response` at the edge. */

export interface Answer {
  status: number
  /** A list for a header that comes more than once. */
  headers: Readonly<Record<string, string | string[]>>
  body: string | null
}

export type RefusalCode =
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'forbidden_origin'
  | 'purchase_refused'
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
  instead?: Answer | null
  /** A failure that `onError` gets, although the answer does not show it. */
  cause?: unknown
}

/** Thrown by guards and routes; becomes `{ error: { code, message } }`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly headers: Record<string, string>
  /** What the merchant answers instead, such as the way to a sign-in page. */
  readonly instead: Answer | null

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

export function json(body: unknown, status = 200): Answer {
  return jsonText(JSON.stringify(body), status)
}

/** The same, for a body that is JSON already. */
export function jsonText(body: string, status = 200): Answer {
  return { status, headers: jsonHeaders, body }
}

export function seeOther(location: string): Answer {
  return {
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
    body: null,
  }
}

/** @param message what is said instead of the refusal's own. */
export function refuse({ code, headers, instead }: Refusal, message: string): Answer {
  if (instead) return instead
  const answer = json({ error: { code, message } }, statusOf[code])
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** A response that the merchant has made, as plain values. */
export async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return { status: response.status, headers, body: await response.text() }
}

/** The answer as a response of the platform. */
export function toResponse({ status, headers, body }: Answer): Response {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  return new Response(body, { status, headers: lines })
}
