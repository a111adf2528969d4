/** Calls the page’s own server (protocol.ts). */
import type { Sentence, Words } from './languages.ts'
import type { Checkout, ChooseOffer, PayCheckout, ProveIdentity, StartCheckout } from './protocol.ts'

/** Why the server refused or did not complete a request. */
export interface Refusal {
  /**
   * - `token`: the access token is unknown or has expired.
   * - `gone`: the server no longer knows this visit.
   * - `invalid`: the person typed something invalid; `field` names it.
   * - `unanswered`: no valid response arrived, so the outcome is unknown.
   */
  reason: 'token' | 'gone' | 'invalid' | 'unanswered'
  /** The server's message, in English, for developers. */
  message: string
  field?: string
}

export type Answer = { checkout: Checkout; refusal?: never } | { refusal: Refusal; checkout?: never }

export const startCheckout = (body: StartCheckout): Promise<Answer> => send('checkouts', body)
export const readCheckout = (id: string): Promise<Answer> => send(pathOf(id))
export const chooseOffer = (id: string, body: ChooseOffer): Promise<Answer> => send(pathOf(id, 'offer'), body)
export const payCheckout = (id: string, body: PayCheckout): Promise<Answer> => send(pathOf(id, 'pay'), body)
export const proveIdentity = (id: string, body: ProveIdentity): Promise<Answer> =>
  send(pathOf(id, 'identity'), body)
export const cancelSubscription = (id: string): Promise<Answer> => send(pathOf(id, 'cancel-subscription'), {})

const TIMEOUT_MS = 30_000

const pathOf = (id: string, action?: string): string =>
  ['checkouts', encodeURIComponent(id), ...(action ? [action] : [])].join('/')

async function send(path: string, body?: object): Promise<Answer> {
  const request: RequestInit = { signal: AbortSignal.timeout(TIMEOUT_MS) }
  if (body) {
    request.method = 'POST'
    request.headers = { 'content-type': 'application/json' }
    request.body = JSON.stringify(body)
  }
  try {
    const response = await fetch(`/widget/api/${path}`, request)
    return read(response.status, await response.json())
  } catch (cause) {
    return {
      refusal: unanswered(cause instanceof SyntaxError ? 'The answer is not JSON.' : 'No answer came.'),
    }
  }
}

function read(status: number, body: unknown): Answer {
  if (status < 300 && isCheckout(body)) return { checkout: body }
  const { message, field } = refusalBody(body)
  if (status === 401) return { refusal: { reason: 'token', message } }
  if (status === 404) return { refusal: { reason: 'gone', message } }
  // The payment was interrupted, so the page has to read how the order is.
  if (status >= 400 && status < 500 && status !== 409)
    return { refusal: { reason: 'invalid', message, ...(field ? { field } : {}) } }
  return { refusal: unanswered(message) }
}

const unanswered = (message: string): Refusal => ({ reason: 'unanswered', message })

/** The server is this page's own, so this only distinguishes its response from a stray one, and does not check every field. */
function isCheckout(body: unknown): body is Checkout {
  return typeof body === 'object' && body !== null && 'id' in body && 'step' in body && 'offer' in body
}

function refusalBody(body: unknown): { message: string; field?: string } {
  const { message, field } = Object(body)
  return {
    message: typeof message === 'string' ? message : 'The answer has another shape.',
    ...(typeof field === 'string' ? { field } : {}),
  }
}

/** The error sentence for each field of this page. */
export const fieldSentences = {
  email: 'emailInvalid',
  card_number: 'cardInvalid',
  expiry_date: 'expiryInvalid',
  security_code: 'codeInvalid',
  camera: 'cameraNeeded',
  product_id: 'overLimit',
} as const satisfies Record<string, Sentence>

const isKnown = (field: string): field is keyof typeof fieldSentences => Object.hasOwn(fieldSentences, field)

/** The reason for a refusal, in words for the shopper. */
export function sentenceFor({ reason, field }: Refusal, words: Words): string {
  if (reason === 'unanswered') return words.unreachable
  if (reason !== 'invalid') return words.startAgain
  return field && isKnown(field) ? words[fieldSentences[field]] : words.cannotSell
}
