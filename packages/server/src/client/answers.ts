/** Reads the service's answers, once, on arrival. Each function follows a U-row of docs/assumptions.md. */
import type { ApiError } from '../errors.ts'
import { isRecord, isText } from '../unknown.ts'
import type * as wire from './wire.ts'
import { orderFields } from './wire.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Thrown by the readers; the transport turns it into an `UnexpectedResponseError`. Contains no text of the answer. */
export class ShapeError extends Error {
  constructor(expected: string, body: unknown) {
    super(`expected ${expected}, got ${describe(body)}.`)
  }
}

/** U1: under one of three names, at the top or up to two levels of `data` down, or a bare string. */
export function readAccessToken(body: unknown): wire.AccessToken {
  const named = objectsIn(body).flatMap((layer) => [layer.accessToken, layer.access_token, layer.token])
  const found = [body, ...named].find(isText)
  if (found === undefined) throw new ShapeError('an access token', body)
  return { accessToken: found }
}

/** U2: a date under one of four names or bare, at the top or under `data`; `infinite` and null never expire. */
export function readExpiry(body: unknown): wire.AccessTokenExpiry {
  const keys = ['expire_date', 'expireDate', 'expires_at', 'expiresAt']
  for (const layer of layersOf(body)) {
    const value = isRecord(layer) ? keys.map((key) => layer[key]).find((v) => v !== undefined) : layer
    if (value === null || value === 'infinite') return { expiresAt: null }
    const date = readDate(value)
    if (date) return { expiresAt: date }
  }
  throw new ShapeError('an expiry date', body)
}

/** U3: an array, or an object with one array inside. */
export function readOrders(body: unknown): wire.OrderRecord[] {
  return listIn(body, 'a list of orders').map(readOrderRecord)
}

/** The order object of section 2.2, bare or enveloped. */
export function readOrder(body: unknown): wire.Order {
  for (const layer of objectsIn(body)) {
    const { id, type } = layer
    if (isText(id) && isText(type)) return { ...readOrderRecord(layer), id, type }
  }
  throw new ShapeError('an order with id and type', body)
}

/** U4: one subscription, or several; null where there is none. */
export function readSubscriptions(body: unknown): wire.Subscription[] {
  if (layersOf(body).includes(null)) return []
  const one = objectsIn(body).find((layer) => 'product_id' in layer || 'user_id' in layer)
  return one ? [readSubscription(one)] : listIn(body, 'a subscription').map(readSubscription)
}

export function readCreatedUser(body: unknown): wire.CreatedUser {
  for (const { id, user_id } of objectsIn(body)) {
    if (isText(id) && isText(user_id)) return { id, user_id }
  }
  throw new ShapeError('id and user_id of the new user', body)
}

export function readUser(body: unknown): wire.User {
  const user = objectsIn(body).find((layer) => isText(layer.user_id))
  if (!user || !isText(user.user_id)) throw new ShapeError('a user with user_id', body)
  return {
    user_id: user.user_id,
    ...pick(
      user,
      ['country', 'created_at', 'fkyc_status', 'lkyc_status', 'phone', 'phone_country'],
      readText,
    ),
    limits: readLimits(user.limits),
    linked_payment_methods: readPaymentMethods(user.linked_payment_methods),
    raw: user,
  }
}

/** U6: whether a body reports an error, whatever its status. */
export const reportsError = (body: unknown): boolean => objectsIn(body).some(({ error }) => error === true)

/** The first text that an error body offers as its message. */
export function readErrorMessage(body: unknown): string | null {
  const candidates = objectsIn(body).flatMap(({ message, error }) => [
    message,
    isRecord(error) ? error.message : error,
  ])
  return candidates.find(isText) ?? null
}

/**
 * U6: who refused, for `ApiError.refusedBy`: by a body as text and, if it is JSON, by its value.
 *
 * @param text null if it was too long to be read to its end, as only a web page is.
 */
export function readRefusedBy(text: string | null, body: unknown): ApiError['refusedBy'] {
  if (reportsError(body)) return 'service'
  return text === null || text.trimStart().startsWith('<') ? 'other' : 'unclear'
}

/** U5: ISO 8601 (UTC when no zone is given), epoch seconds or epoch milliseconds. */
function readDate(value: unknown): Date | undefined {
  if (typeof value === 'number') return readEpoch(value)
  if (typeof value !== 'string') return undefined
  if (/^\d{9,13}$/.test(value)) return readEpoch(Number(value))
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(value)
  if (!iso) return undefined
  const hasZone = iso[1] !== undefined || value.length === 10
  return validDate(new Date(`${value.replace(' ', 'T')}${hasZone ? '' : 'Z'}`))
}

function readEpoch(value: number): Date | undefined {
  const secondsEndBefore = 1e11 // the year 5138 in seconds, 1973 in milliseconds
  return value > 0 ? validDate(new Date(value < secondsEndBefore ? value * 1000 : value)) : undefined
}

const validDate = (date: Date): Date | undefined => (Number.isNaN(date.getTime()) ? undefined : date)

function readOrderRecord(value: unknown): wire.OrderRecord {
  const raw = asObject(value, 'an order')
  const { partner_data } = raw
  return {
    ...pick(raw, orderFields, readText),
    ...(isRecord(partner_data) ? { partner_data } : {}),
    raw,
  }
}

function readSubscription(value: unknown): wire.Subscription {
  const raw = asObject(value, 'a subscription')
  const { status, failed_to_paid, next_paid } = raw
  return {
    ...pick(raw, ['user_id', 'custom_id', 'business_user_id', 'product_id', 'interval_time'], readText),
    ...pick(raw, ['start_date', 'last_paid_date', 'next_paid_date', 'expire_date'], readDate),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof failed_to_paid === 'boolean' ? { failed_to_paid } : {}),
    ...(typeof next_paid === 'boolean' ? { next_paid } : {}),
    raw,
  }
}

const readLimits = (value: unknown): wire.Limits =>
  pick(
    isRecord(value) ? value : {},
    ['crypto_remaining', 'crypto_spending', 'digital_goods_remaining', 'digital_goods_spending'],
    readText,
  )

const readPaymentMethods = (value: unknown): wire.PaymentMethod[] =>
  recordsOf(value).flatMap(({ method, cards }) =>
    isText(method) ? [{ method, cards: recordsOf(cards).map(readCard) }] : [],
  )

const readCard = (card: JsonObject): wire.Card =>
  pick(card, ['brand', 'card_id', 'created_at', 'last_digits'], readText)

const recordsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isRecord) : [])

/** The body itself and the contents of its envelopes: section 4.7 nests two `data` deep. */
function layersOf(body: unknown): unknown[] {
  const layers: unknown[] = [body]
  let inner = body
  while (isRecord(inner) && 'data' in inner && layers.length < 3) {
    inner = inner.data
    layers.push(inner)
  }
  return layers
}

const objectsIn = (body: unknown): JsonObject[] => layersOf(body).filter(isRecord)

function listIn(body: unknown, expected: string): unknown[] {
  for (const layer of layersOf(body)) {
    if (Array.isArray(layer)) return layer
    const arrays = isRecord(layer) ? Object.values(layer).filter((value) => Array.isArray(value)) : []
    if (arrays.length === 1 && arrays[0]) return arrays[0]
  }
  throw new ShapeError(expected, body)
}

function asObject(value: unknown, expected: string): JsonObject {
  if (!isRecord(value)) throw new ShapeError(expected, value)
  return value
}

/** The fields that can be read. */
function pick<Field extends string, Value>(
  from: JsonObject,
  fields: readonly Field[],
  read: (value: unknown) => Value | undefined,
): { [F in Field]?: Value } {
  const picked: { [F in Field]?: Value } = {}
  for (const field of fields) {
    const value = read(from[field])
    if (value !== undefined) picked[field] = value
  }
  return picked
}

/** The service may send an empty string for a field without a value, or omit it (U3). */
const readText = (value: unknown): string | undefined => (isText(value) ? value : undefined)

/** The type alone: names of fields come from the service too. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (isRecord(value)) return `an object of ${Object.keys(value).length} fields`
  return value === null ? 'null' : typeof value
}
