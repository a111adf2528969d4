/** Reads what a page or a link asks for. All of it is untrusted, and bounded here. */
import { isReserved, isStorable, mayBeLinked } from '../purchase/fields.ts'
import type { PurchaseSurface, RedirectPage } from '../purchase/purchase.ts'
import { isRecord } from '../unknown.ts'
import { Refusal } from './answer.ts'

/** What `POST /launch` and `POST /token` were sent. */
export interface AskedByPage {
  /** Without fields that are not a page's to set. */
  params: Record<string, string>
  /** Of an allowed origin each; null where it is not given, or the server decides. */
  returnUrl: string | null
  failReturnUrl: string | null
  surface: Exclude<PurchaseSurface, 'launch'>
  redirectPage: RedirectPage
  preload: boolean
}

const MOST_PARAMS = 40
const LONGEST_VALUE = 1_000
const name = /^[A-Za-z][\w.-]{0,63}$/

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
    throw wrong(`params.${field} must be an address of an allowed origin`)
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
  if (!isRecord(value)) throw wrong('params must be an object')
  const entries = Object.entries(value)
  if (entries.length > MOST_PARAMS) throw wrong(`params may have at most ${MOST_PARAMS} fields`)
  const params: Record<string, string> = {}
  for (const [field, text] of entries) {
    if (!name.test(field)) throw wrong('params: a field has no valid name')
    if (typeof text !== 'string' || text.length > LONGEST_VALUE || !isStorable(text)) {
      throw wrong(`params.${field} must be text of at most ${LONGEST_VALUE} characters, without NUL`)
    }
    params[field] = text
  }
  return params
}

function oneOf<Value>(field: string, value: unknown, known: readonly Value[]): Value {
  const found = known.find((one) => one === value)
  if (found === undefined) throw wrong(`${field} must be one of ${known.join(', ')}`)
  return found
}

/** What a link asks for. */
export interface AskedByLink {
  params: Record<string, string>
  redirectPage: RedirectPage
}

/**
 * What a link may choose: anybody can write one, so price, wallet, state and person are not among it; whatever else it carries,
 * such as tracking parameters, is ignored.
 *
 * @param linkParams what the merchant lets links choose beside the product and the language.
 */
export function readLink(query: URLSearchParams, linkParams: readonly string[]): AskedByLink {
  const chosen = ['product_id', 'locale', ...linkParams].flatMap((field) => {
    const value = query.get(field)
    return value === null ? [] : [[field, value]]
  })
  return {
    params: readParams(Object.fromEntries(chosen)),
    redirectPage: oneOf('redirect_page', query.get('redirect_page') ?? 'self', redirectPages),
  }
}

/** The purchase that a page opens by a link: its id is the page's own. */
export interface AskedById {
  id: string
  surface: AskedByPage['surface']
  preload: boolean
}

/** As 128 random bits in base64url. */
export const isPurchaseId = (text: string): boolean => /^[\w-]{22}$/.test(text)

/** Null for a link that names no purchase. `surface` and `preload` count only beside one. */
export function readById(query: URLSearchParams): AskedById | null {
  const id = query.get('purchase')
  if (id === null) return null
  if (!isPurchaseId(id)) throw wrong('purchase must be 128 random bits in base64url, 22 characters')
  return {
    id,
    surface: oneOf('surface', query.get('surface') ?? 'iframe', surfaces),
    preload: query.get('preload') === '1',
  }
}

/** Whether a merchant may let links choose a parameter of this name. */
export const isLinkParam = (field: unknown): boolean =>
  typeof field === 'string' && name.test(field) && mayBeLinked(field)

const wrong = (problem: string): Refusal => new Refusal('invalid_request', `${problem}.`)
