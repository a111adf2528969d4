/** Checks what the merchant's `createPurchase` decided, once, where it comes in. Messages name fields, never values. */

import { isSafe } from '../client/settings.ts'
import { InvalidInputError } from '../errors.ts'
import { isObject, isRecord } from '../unknown.ts'
import { decidable, isAmount, isDecimal, isReserved, isStorable } from './fields.ts'
import type { PurchaseDecision } from './purchase.ts'

/** What is sold, and where the shopper goes afterwards. */
export interface Sale {
  readonly params: Readonly<Record<string, string>>
  readonly open: readonly string[]
  readonly returnUrl: string | null
  /** Null where the merchant has named none. */
  readonly failReturnUrl: string | null
  readonly reference: string | null
  readonly validFor: number
}

export const DAY_MS = 86_400_000
const LONGEST_VALUE = 1_000
const LONGEST_REFERENCE = 200

const fields = {
  params: true,
  open: true,
  returnUrl: true,
  failReturnUrl: true,
  reference: true,
  validFor: true,
} as const satisfies Record<keyof PurchaseDecision, true>

/** What `open` may name: whatever else a page may choose, `createPurchase` can read from its `params`. */
const openable: readonly string[] = [...decidable, 'locale']

/**
 * @param url the companion's address, which relative return addresses start from.
 * @throws InvalidInputError that names what is missing or wrong.
 */
export function checkDecision(decision: PurchaseDecision, url: string): Sale {
  if (!isObject(decision) || !isRecord(decision.params)) {
    throw wrong('return { params }, or throw PurchaseRefused')
  }
  const unknown = Object.keys(decision).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) {
    throw wrong(`a decision has no ${unknown}, only ${Object.keys(fields).join(', ')}`)
  }
  const params = checkParams(decision.params)
  const open = checkOpen(decision.open ?? [])
  checkComplete((field) => params[field] !== undefined || open.includes(field))
  const { reference = null, validFor = DAY_MS } = decision
  const isText =
    typeof reference === 'string' && reference.length <= LONGEST_REFERENCE && isStorable(reference)
  if (reference !== null && !isText) {
    throw wrong(`reference must be text of at most ${LONGEST_REFERENCE} characters, without NUL`)
  }
  if (!Number.isInteger(validFor) || validFor <= 0 || validFor > DAY_MS) {
    throw wrong('validFor must be whole milliseconds, at most 24 hours')
  }
  const returnUrl = checkReturn('returnUrl', decision.returnUrl, url)
  const failReturnUrl = checkReturn('failReturnUrl', decision.failReturnUrl, url)
  return { params, open, returnUrl, failReturnUrl, reference, validFor }
}

function checkParams(decided: PurchaseDecision['params']): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, value] of Object.entries(decided)) {
    if (value === undefined) continue
    if (isReserved(name)) throw wrong(`params.${name} is not yours to set`)
    if (
      typeof value !== 'string' ||
      value.trim() === '' ||
      value.length > LONGEST_VALUE ||
      !isStorable(value)
    ) {
      throw wrong(`params.${name} must be text of 1 to ${LONGEST_VALUE} characters, without NUL`)
    }
    if (isAmount(name) && !isDecimal(value)) throw wrong(`params.${name} must be a decimal such as 9.99`)
    params[name] = value
  }
  return params
}

function checkOpen(open: readonly string[]): readonly string[] {
  if (!Array.isArray(open) || open.length > 50) throw wrong('open must be a list of fields')
  const misplaced = open.find((name) => typeof name !== 'string' || isReserved(name))
  if (misplaced !== undefined) throw wrong(`open: ${String(misplaced)} cannot be left to the page`)
  const unknown = open.find((name) => !openable.includes(name))
  if (unknown !== undefined) throw wrong(`open: there is no field ${unknown}, only ${openable.join(', ')}`)
  return [...open]
}

/** What nobody has decided, the shopper could. */
function checkComplete(isSettled: (field: string) => boolean): void {
  if (!isSettled('product_id')) throw wrong('decide params.product_id, or name it in open')
  const missing = [
    ['quote', 'quote_amount'],
    ['base', 'base_amount'],
  ].map((pair) => pair.filter((field) => !isSettled(field)))
  if (missing.every((fields) => fields.length > 0)) {
    const [inQuote = [], inBase = []] = missing
    const fields = inBase.length < inQuote.length ? inBase : inQuote
    throw wrong(`decide ${fields.map((field) => `params.${field}`).join(' and ')}, or name it in open`)
  }
}

/** A scheme that an app has registered is its domain backwards, as RFC 8252 has it: nothing that a browser runs has a dot. */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

function checkReturn(option: string, address: string | undefined, url: string): string | null {
  if (address === undefined) return null
  const parsed = typeof address === 'string' && address.length <= 2_000 ? URL.parse(address, url) : null
  const isRight = parsed !== null && (isSafe(parsed) || appScheme.test(parsed.protocol))
  if (!isRight || parsed.username || parsed.password) {
    throw wrong(
      `${option} must be https, http on loopback, or an app's own scheme such as com.example.shop:/return`,
    )
  }
  return parsed.href
}

const wrong = (problem: string): InvalidInputError => new InvalidInputError('createPurchase', `${problem}.`)
