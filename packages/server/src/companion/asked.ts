/** Reads bodies, and the input of a page or a link. All of it is untrusted, and limited here in bytes and in time. */
import { readAtMost } from '../client/request.ts'
import { within } from '../deadline.ts'
import type { Asked } from '../purchase/begin.ts'
import { isPurchaseId } from '../purchase/carrier.ts'
import { isParamName, isReserved, isStorable } from '../purchase/fields.ts'
import type { PurchaseSurface, RedirectPage } from '../purchase/purchase.ts'
import { isRecord, parseJson } from '../unknown.ts'
import { Refusal } from './answer.ts'

/** Milliseconds for a whole body: one that stalls must not hold its connection. */
const BODY_MS = 5_000
const JSON_LIMIT = 16_384

/** The body, of at most `maxSize` bytes. */
export async function readText(request: Request, maxSize: number): Promise<string> {
  const text = await within(BODY_MS, read(request, maxSize)).catch((error: unknown) => {
    // Node's adapter and web streams reject with this where a body parser in front has left nothing to read.
    if (error instanceof TypeError && /unusable|already|locked/i.test(error.message)) {
      throw new Refusal(
        'invalid_request',
        'The body was already read. Mount the companion before what reads it: in Fastify, in an onRequest hook.',
      )
    }
    throw new Refusal('request_timeout', `The body did not arrive within ${BODY_MS / 1_000} s.`, {
      headers: { connection: 'close' },
    })
  })
  if (text === null) throw new Refusal('too_large', `The body may have at most ${maxSize} bytes.`)
  return text
}

/**
 * Null for a longer body: the rest is left unread, since cancelling would end the connection before the answer. Hono's own limit
 * creates a new `Request` for a body without a length, which Node's adapter does not support: proxies send such bodies.
 */
async function read(request: Request, maxSize: number): Promise<string | null> {
  const { headers } = request
  const length = headers.has('transfer-encoding') ? null : headers.get('content-length')
  if (length !== null) return Number(length) > maxSize ? null : request.text()
  // Not before: Node's adapter creates a `Request` and its stream for whoever reads this property.
  return readAtMost(request.body, maxSize, { preventCancel: true })
}

/** The body must be JSON: a form of another site cannot send that without a preflight. */
export async function readJson(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new Refusal('unsupported_media_type', 'Send JSON with Content-Type: application/json.')
  }
  const body = parseJson(await readText(request, JSON_LIMIT))
  if (!isRecord(body)) throw new Refusal('invalid_request', 'The body must be a JSON object.')
  return body
}

/** The input of `POST /launch` and `POST /token`. */
export interface AskedByPage
  extends Pick<Asked, 'params' | 'returnUrl' | 'failReturnUrl' | 'redirectPage' | 'preload'> {
  surface: Exclude<PurchaseSurface, 'launch'>
}

const MAX_PARAMS = 40
const MAX_VALUE_LENGTH = 1_000

const surfaces: readonly AskedByPage['surface'][] = ['iframe', 'modal', 'popup', 'redirect']
const redirectPages: readonly RedirectPage[] = ['new', 'self']

/**
 * @param allowsReturnTo null where the server decides: return addresses of the page are ignored.
 * @throws Refusal that names the field.
 */
export function readPageRequest(
  body: Readonly<Record<string, unknown>>,
  allowsReturnTo: ((address: string) => boolean) | null,
): AskedByPage {
  const given = readParams(body.params ?? {})
  const returnOf = (field: 'redirect_url' | 'fail_redirect_url'): string | null => {
    const address = given[field]
    if (address === undefined || !allowsReturnTo) return null
    if (allowsReturnTo(address)) return address
    throw invalid(`params.${field} must be an address of an allowed origin`)
  }
  return {
    params: Object.fromEntries(Object.entries(given).filter(([field]) => !isReserved(field))),
    returnUrl: returnOf('redirect_url'),
    failReturnUrl: returnOf('fail_redirect_url'),
    surface: oneOf('surface', body.surface ?? 'iframe', surfaces),
    redirectPage: oneOf('redirect_page', body.redirectPage ?? 'self', redirectPages),
    preload: oneOf('preload', body.preload ?? false, [true, false]),
  }
}

function readParams(value: unknown): Record<string, string> {
  if (!isRecord(value)) throw invalid('params must be an object')
  const entries = Object.entries(value)
  if (entries.length > MAX_PARAMS) throw invalid(`params may have at most ${MAX_PARAMS} fields`)
  const params: Record<string, string> = {}
  for (const [field, text] of entries) {
    if (!isParamName(field)) throw invalid('params: a field has no valid name')
    if (typeof text !== 'string' || text.length > MAX_VALUE_LENGTH || !isStorable(text)) {
      throw invalid(`params.${field} must be text of at most ${MAX_VALUE_LENGTH} characters, without NUL`)
    }
    params[field] = text
  }
  return params
}

function oneOf<Value>(field: string, value: unknown, known: readonly Value[]): Value {
  const found = known.find((one) => one === value)
  if (found === undefined) throw invalid(`${field} must be one of ${known.join(', ')}`)
  return found
}

/**
 * The choices of a link: anyone can write one, so it cannot choose price, wallet, state or personal details; anything else in it,
 * such as tracking parameters, is ignored.
 *
 * @param linkParams the merchant's further parameters that links may choose, besides the product and the language.
 */
export function readLink(
  query: URLSearchParams,
  linkParams: readonly string[],
): Pick<AskedByPage, 'params' | 'redirectPage'> {
  const chosen = ['product_id', 'locale', ...linkParams].flatMap((field) => {
    const value = query.get(field)
    return value === null ? [] : [[field, value]]
  })
  return {
    params: readParams(Object.fromEntries(chosen)),
    redirectPage: oneOf('redirect_page', query.get('redirect_page') ?? 'self', redirectPages),
  }
}

/** The purchase that a page opens by a link: the page has created its id. */
export interface AskedById extends Pick<AskedByPage, 'surface' | 'preload'> {
  id: string
}

/** Null for a link that names no purchase. `surface` and `preload` count only together with one. */
export function readById(query: URLSearchParams): AskedById | null {
  const id = query.get('purchase')
  if (id === null) return null
  if (!isPurchaseId(id)) throw invalid('purchase must be 128 random bits in base64url, 22 characters')
  return {
    id,
    surface: oneOf('surface', query.get('surface') ?? 'iframe', surfaces),
    preload: query.get('preload') === '1',
  }
}

const invalid = (problem: string): Refusal => new Refusal('invalid_request', `${problem}.`)
