/** CORS: pages of exactly the allowed origins may call from another origin, with cookies or an `Authorization` header. */
import { type Answer, Refusal } from './answer.ts'

const PREFLIGHT_SECONDS = '600'

/** Adds what lets an allowed page read the answer. A cache between may not give one page what another has got. */
export function withCors(answer: Answer, request: Request, allowedOrigins: () => readonly string[]): Answer {
  const origin = request.headers.get('origin')
  const granted =
    origin !== null && allowedOrigins().includes(origin)
      ? { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
      : {}
  return { ...answer, headers: { ...answer.headers, vary: 'origin', ...granted } }
}

/** Answers what a browser asks before it lets a page call. */
export function answerPreflight(request: Request, allowedOrigins: readonly string[]): Answer {
  if (!allowedOrigins.includes(request.headers.get('origin') ?? '')) {
    throw new Refusal('forbidden_origin', 'This page may not call the companion.')
  }
  const headers = {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': PREFLIGHT_SECONDS,
  }
  return { status: 204, headers, body: null }
}
