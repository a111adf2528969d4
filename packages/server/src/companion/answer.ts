/** Answers of the companion: plain values, made into a `Response` at the edge. */

export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

export type RefusalCode =
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | 'forbidden'
  | 'forbidden_origin'
  | 'unsupported_media_type'
  | 'invalid_request'
  | 'conflict'
  | 'too_large'
  | 'too_many_requests'
  | 'service_unavailable'
  | 'internal_error'

const statusOf: Record<RefusalCode, number> = {
  not_found: 404,
  method_not_allowed: 405,
  unauthorized: 401,
  forbidden: 403,
  forbidden_origin: 403,
  unsupported_media_type: 415,
  invalid_request: 400,
  conflict: 409,
  too_large: 413,
  too_many_requests: 429,
  service_unavailable: 503,
  internal_error: 500,
}

/** Thrown by guards and routes; becomes `{ error: { code, message } }`. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly headers: Record<string, string>

  constructor(code: RefusalCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
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
  // Where the shopper came from is not the widget's business, nor the token in the widget's address anybody else's.
  return {
    status: 303,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', location },
    body: null,
  }
}

export function refuse({ code, message, headers }: Refusal): Answer {
  const answer = json({ error: { code, message } }, statusOf[code])
  return { ...answer, headers: { ...answer.headers, ...headers } }
}
