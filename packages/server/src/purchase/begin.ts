/** Creates every purchase, for a page and for a link: the sale is decided, stored, and put into the widget's parameters. */
import { randomBytes } from 'node:crypto'
import { isSafe } from '../client/settings.ts'
import { STORE_MS, within } from '../deadline.ts'
import { InvalidInputError } from '../errors.ts'
import type { PurchaseRows } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { isObject, isRecord, unknownName } from '../unknown.ts'
import { widgetParams } from './carrier.ts'
import { decidable, isAmount, isDecimal, isReserved, isStorable, mayBeLinked } from './fields.ts'
import type { Carrier, CreatePurchase, Purchase, PurchaseDecision } from './purchase.ts'

/** What a page, a link or an app asks for. */
export interface Asked
  extends Pick<Purchase, 'shopper' | 'formerly' | 'surface' | 'preload'>,
    Pick<Purchase, 'openedBy' | 'redirectPage' | 'hostOrigin' | 'url'> {
  /** The id that the page created; null if one is to be created here. */
  readonly id: string | null
  /** Whether it may choose an amount that is open: never a link, which anyone may have written. */
  readonly mayChooseAmount: boolean
  readonly request: Request
  /** Untrusted; without reserved fields. */
  readonly params: Readonly<Record<string, string>>
  /** Each of an allowed origin. They count only where the page decides. */
  readonly returnUrl: string | null
  readonly failReturnUrl: string | null
  /** The merchant's page that asks, or the shop's front page. */
  readonly shopPage: string
}

export interface CreatedPurchase {
  readonly purchaseId: string
  /** Every parameter of the widget's address but the token. */
  readonly params: Record<string, string>
}

/** Rejects with what `createPurchase` throws, and with `InvalidInputError` for a decision that leaves price or product to the shopper by mistake. */
export type Begin = (asked: Asked) => Promise<CreatedPurchase>

export interface BeginOptions {
  createPurchase: CreatePurchase | undefined
  carrier: Carrier
  rows: Pick<PurchaseRows, 'begin'>
  tokens: Pick<TokenLease, 'get'>
  onError: (error: unknown) => void
  now: () => number
}

export function createBegin({ createPurchase, carrier, rows, tokens, onError, now }: BeginOptions): Begin {
  async function decide({ shopper, params, request, url, returnUrl, failReturnUrl }: Asked): Promise<Sale> {
    if (createPurchase) return checkDecision(await createPurchase({ shopper, params, request }), url)
    return { params, open: [], returnUrl, failReturnUrl, reference: null, validFor: DAY_MS }
  }

  return async (asked) => {
    const { validFor, ...sale } = await decide(asked)
    const { shopper, formerly, surface, preload, openedBy, redirectPage, hostOrigin, url } = asked
    const chosen = choices(sale, asked)
    const begunAt = now()
    const purchase: Purchase = {
      ...sale,
      failReturnUrl: failReturn(sale, asked),
      chosen: withoutPerson(chosen),
      id: asked.id ?? randomBytes(16).toString('base64url'),
      ...{ shopper, formerly, surface, preload, openedBy, redirectPage, hostOrigin, url },
      decidedBy: createPurchase ? 'server' : 'page',
      // If the shop has no id of the shopper, the order's `custom_id` is free, and the service lists orders by it.
      carrier: shopper.customId === undefined ? 'custom_id' : carrier,
      locale: chosen.locale ?? sale.params.locale ?? null,
      begunAt,
      validUntil: begunAt + validFor,
    }
    // A purchase that cannot be opened does not begin, so the page that asks about it is told why it was refused.
    await tokens.get()
    // If this write fails, the order's purchase is unknown later, which is still better than a shop that cannot sell.
    await within(STORE_MS, rows.begin(purchase), 'The store').catch(onError)
    return { purchaseId: purchase.id, params: widgetParams(purchase, chosen) }
  }
}

/**
 * Without an address for failures the shopper returns to the page where the purchase was created, never to the thank-you page. A page that
 * shows a frame or popup is still open, and stays.
 */
function failReturn(
  { returnUrl, failReturnUrl }: Pick<Purchase, 'returnUrl' | 'failReturnUrl'>,
  { surface, shopPage }: Pick<Asked, 'surface' | 'shopPage'>,
): string | null {
  const hasLeft = surface === 'redirect' || surface === 'launch'
  if (failReturnUrl !== null || returnUrl === null || !hasLeft) return failReturnUrl
  return shopPage === returnUrl ? new URL('/', shopPage).href : shopPage
}

/** The page's choices: open fields, and its language where none was decided. */
function choices(
  { params, open }: Pick<Purchase, 'params' | 'open'>,
  asked: Pick<Asked, 'params' | 'mayChooseAmount'>,
): Asked['params'] {
  const isFree = (name: string): boolean =>
    (open.includes(name) && (asked.mayChooseAmount || !isAmount(name))) ||
    (name === 'locale' && params.locale === undefined)
  return Object.fromEntries(Object.entries(asked.params).filter(([name]) => isFree(name)))
}

/** The record outlives the purchase: a person's details are for the widget alone. */
const withoutPerson = (chosen: Asked['params']): Purchase['chosen'] =>
  Object.fromEntries(Object.entries(chosen).filter(([name]) => mayBeLinked(name)))

// The decision of the merchant's `createPurchase`, checked once, on arrival. Messages name fields, never values; a field that is unknown may be one.

interface Sale extends Pick<Purchase, 'params' | 'open' | 'returnUrl' | 'failReturnUrl' | 'reference'> {
  readonly validFor: number
}

export const DAY_MS = 86_400_000
const MAX_VALUE_LENGTH = 1_000
const MAX_REFERENCE_LENGTH = 200

const fields = {
  params: true,
  open: true,
  returnUrl: true,
  failReturnUrl: true,
  reference: true,
  validFor: true,
} as const satisfies Record<keyof PurchaseDecision, true>

/** The fields that `open` may name: `createPurchase` can read anything else that a page may choose from its `params`. */
const openable: readonly string[] = [...decidable, 'locale']

/**
 * @param url the companion's address, the base of relative return addresses.
 * @throws InvalidInputError that names what is missing or wrong.
 */
export function checkDecision(decision: PurchaseDecision, url: string): Sale {
  if (!isObject(decision) || !isRecord(decision.params)) {
    throw invalid('return { params }, or throw PurchaseRefused')
  }
  if (unknownName(decision, fields) !== undefined) {
    throw invalid(`a decision has an unknown field: there are only ${Object.keys(fields).join(', ')}`)
  }
  const params = checkParams(decision.params)
  const open = checkOpen(decision.open ?? [])
  checkComplete((field) => params[field] !== undefined || open.includes(field))
  const { reference = null, validFor = DAY_MS } = decision
  if (reference !== null && !isText(reference, MAX_REFERENCE_LENGTH)) {
    throw invalid(`reference must be text of at most ${MAX_REFERENCE_LENGTH} characters, without NUL`)
  }
  if (!Number.isInteger(validFor) || validFor <= 0 || validFor > DAY_MS) {
    throw invalid('validFor must be whole milliseconds, at most 24 hours')
  }
  const returnUrl = checkReturn('returnUrl', decision.returnUrl, url)
  const failReturnUrl = checkReturn('failReturnUrl', decision.failReturnUrl, url)
  return { params, open, returnUrl, failReturnUrl, reference, validFor }
}

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest && isStorable(value)

function checkParams(decided: PurchaseDecision['params']): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(decided)) {
    if (value === undefined) continue
    if (isReserved(name)) throw invalid(`params.${name} is not yours to set`)
    if (!isText(value, MAX_VALUE_LENGTH) || value.trim() === '') {
      const field = openable.includes(name) ? `params.${name}` : 'a parameter in params'
      throw invalid(`${field} must be text of 1 to ${MAX_VALUE_LENGTH} characters, without NUL`)
    }
    if (isAmount(name) && !isDecimal(value)) throw invalid(`params.${name} must be a decimal such as 9.99`)
    params[name] = value
  }
  return params
}

function checkOpen(open: readonly string[]): readonly string[] {
  const isList = Array.isArray(open) && open.length <= 50 && open.every((name) => typeof name === 'string')
  if (!isList) throw invalid('open must be a list of fields')
  const reserved = open.find(isReserved)
  if (reserved !== undefined) throw invalid(`open: ${reserved} cannot be left to the page`)
  if (!open.every((name) => openable.includes(name))) {
    throw invalid(`open has an unknown field: there are only ${openable.join(', ')}`)
  }
  return [...open]
}

/** The shopper could choose any undecided field. */
function checkComplete(isSettled: (field: string) => boolean): void {
  if (!isSettled('product_id')) throw invalid('decide params.product_id, or name it in open')
  const [fewest = []] = [
    ['quote', 'quote_amount'],
    ['base', 'base_amount'],
  ]
    .map((pair) => pair.filter((field) => !isSettled(field)).map((field) => `params.${field}`))
    .sort((one, other) => one.length - other.length)
  if (fewest.length > 0) throw invalid(`decide ${fewest.join(' and ')}, or name it in open`)
}

/** An app's own scheme is its domain reversed, as in RFC 8252: no scheme that a browser executes has a dot. */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

function checkReturn(option: string, address: string | undefined, url: string): string | null {
  if (address === undefined) return null
  const parsed = typeof address === 'string' && address.length <= 2_000 ? URL.parse(address, url) : null
  const isRight = parsed !== null && (isSafe(parsed) || appScheme.test(parsed.protocol))
  if (!isRight || parsed.username || parsed.password) {
    throw invalid(
      `${option} must be https, http on loopback, or an app's own scheme such as com.example.shop:/return`,
    )
  }
  return parsed.href
}

const invalid = (problem: string): InvalidInputError => new InvalidInputError('createPurchase', `${problem}.`)
