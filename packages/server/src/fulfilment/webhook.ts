/** Webhooks: reads which order one is about, in any format (U13), and derives the key in the address of the service's own. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { InvalidInputError } from '../errors.ts'
import { isObject, isRecord, parseJson } from '../unknown.ts'

/**
 * Identifies an order that may have changed. A hint only: the order itself is read from the service.
 *
 * `type`: the service's list, or a webhook with the key, reported the order as complete, so an order that is not complete yet is read
 * again. `listed`: no webhook has named the order or its shopper; it was found in a list.
 */
export type OrderHint = Seen | { custom_id: string }

export interface Seen {
  order_id: string
  type?: 'order_complete'
  listed?: true
}

const isId = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

const hintFields = new Map<string, (value: unknown) => boolean>([
  ['order_id', isId],
  ['custom_id', isId],
  ['type', (value) => value === 'order_complete'],
  ['listed', (value) => value === true],
])

/**
 * A job that names no order would be retried for ever.
 *
 * @throws InvalidInputError for anything but a hint, which plain JavaScript can pass.
 */
export function checkHint(hint: unknown): void {
  const given = isRecord(hint) ? Object.entries(hint).filter(([, value]) => value !== undefined) : []
  const hasId = given.some(([name]) => name === 'order_id' || name === 'custom_id')
  if (hasId && given.every(([name, value]) => hintFields.get(name)?.(value))) return
  throw new InvalidInputError(
    'syncOrder',
    'it needs { order_id } or { custom_id }, each text that is not blank, and no other field.',
  )
}

/** The key of the hint's job. */
export const keyOf = (hint: OrderHint): string => JSON.stringify(hint)

export const hintOf = (key: string): OrderHint => JSON.parse(key) as OrderHint

/** The hint for an order that was seen in this state. */
export const seen = (order_id: string, type: unknown, isListed: boolean): Seen => ({
  order_id,
  ...(type === 'order_complete' ? { type: 'order_complete' } : {}),
  ...(isListed ? { listed: true } : {}),
})

/** The hint of an unauthenticated caller. What it says of a state is left out: an order that is never paid would be read again and again. */
export const unproven = (hint: OrderHint): OrderHint =>
  'order_id' in hint ? seen(hint.order_id, undefined, hint.listed === true) : hint

type JsonObject = Readonly<Record<string, unknown>>

const DEEPEST = 5
const MAX_OBJECTS = 200

/**
 * Finds an order id anywhere; else the `id` of an object that looks like an order; else a custom id. Null when there is none. The order's
 * state is the `type` beside its id.
 *
 * @param body JSON, or a form.
 */
export function readHint(body: string): OrderHint | null {
  const objects = objectsIn(parseJson(body) ?? Object.fromEntries(new URLSearchParams(body)))
  const order =
    firstText(objects, ['order_id', 'orderId']) ?? firstText(objects.filter(looksLikeOrder), ['id'])
  if (order) return seen(order.text, order.beside.type, false)
  const shopper = firstText(objects, ['custom_id', 'customId'])
  return shopper ? { custom_id: shopper.text } : null
}

const looksLikeOrder = (value: JsonObject): boolean =>
  'type' in value && ('custom_id' in value || 'quote' in value || 'product_id' in value)

/** The first text under one of these keys, and the object that has it. */
function firstText(objects: readonly JsonObject[], keys: readonly string[]) {
  for (const beside of objects) {
    for (const value of keys.map((key) => beside[key])) {
      const text = typeof value === 'number' ? String(value) : value
      if (typeof text === 'string' && text.trim() !== '' && text.length <= 128) return { text, beside }
    }
  }
  return undefined
}

/** The field of the shopper's own text (section 2.2), which says nothing about the order. */
const SHOPPERS_WORDS = 'partner_data'

/** The objects of a document, outermost first, as many as a webhook may reasonably have. */
function objectsIn(document: unknown): JsonObject[] {
  const found: JsonObject[] = []
  let layer: unknown[] = [document]
  for (let depth = 0; depth < DEEPEST && layer.length > 0; depth++) {
    const inner: unknown[] = []
    for (const value of layer.slice(0, MAX_OBJECTS)) {
      if (!isObject(value)) continue
      if (isRecord(value)) found.push(value)
      const entries = Object.entries(value).filter(([name]) => name !== SHOPPERS_WORDS)
      inner.push(...entries.slice(0, MAX_OBJECTS).map(([, one]) => one))
    }
    layer = inner
  }
  return found.slice(0, MAX_OBJECTS)
}

/** 192 of the HMAC's bits. */
const LENGTH = 32

/** 32 url-safe characters, the same for every instance that has the same secret key. */
export async function webhookKeyOf(client: Pick<PurchaseClient, 'deriveKey'>): Promise<string> {
  return client.deriveKey('webhook address').slice(0, LENGTH)
}
