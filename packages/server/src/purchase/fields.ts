/** The role of each field of an order (section 2.2) in a purchase. */
import { withoutLast } from '../client/settings.ts'
import { orderFields } from '../client/wire.ts'

export type OrderField = (typeof orderFields)[number]

/**
 * - `sold`: what is bought, for how much, and where it goes. On an order it was either sold or opened.
 * - `person`, `tracking`: the shopper types it, or a campaign adds it. It counts only where it was sold.
 * - `shopper`, `return`: the companion sets it.
 * - `outcome`: the service sets it.
 */
type Role = 'sold' | 'person' | 'tracking' | 'shopper' | 'return' | 'outcome'

const roles = {
  id: 'outcome',
  custom_id: 'shopper',
  user_id: 'shopper',
  product_id: 'sold',
  type: 'outcome',
  base: 'sold',
  base_amount: 'sold',
  quote: 'sold',
  quote_amount: 'sold',
  address: 'sold',
  transaction_id: 'outcome',
  full_name: 'person',
  date_of_birth: 'person',
  phone: 'person',
  email: 'person',
  state: 'person',
  country: 'person',
  city: 'person',
  street: 'person',
  postal_code: 'person',
  utm_source: 'tracking',
  clickID: 'tracking',
  campaignID: 'tracking',
  fail_reason: 'outcome',
  redirect_url: 'return',
  fail_redirect_url: 'return',
  redirect_page: 'return',
  hash: 'outcome',
} as const satisfies Record<OrderField, Role>

/** The fields that a merchant decides about, in the order in which differences are listed. */
export const decidable: readonly OrderField[] = orderFields.filter((field) =>
  ['sold', 'person', 'tracking'].includes(roles[field]),
)

/** Whether an order that has this field must have been sold with it. */
export const isSold = (field: OrderField): boolean => roles[field] === 'sold'

const lowerCase = (names: readonly string[]): Set<string> => new Set(names.map((name) => name.toLowerCase()))

const reserved = lowerCase([
  ...['accessToken', 'partner_data'],
  ...orderFields.filter((field) => !decidable.includes(field)),
])

/** Whether a parameter of the widget is for the companion or the service to set: never for a page, and not for `createPurchase` either. */
export const isReserved = (name: string): boolean => reserved.has(name.toLowerCase())

export const isAmount = (field: string): boolean => field === 'quote_amount' || field === 'base_amount'

const notByLink = lowerCase(['address', ...orderFields.filter((field) => roles[field] === 'person')])

/** Whether anyone may write this parameter into a link: never a wallet or a person's details. */
export const mayBeLinked = (name: string): boolean => !isReserved(name) && !notByLink.has(name.toLowerCase())

export const isParamName = (name: string): boolean => /^[A-Za-z][\w.-]{0,63}$/.test(name)

export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

// Amounts as the service writes them: decimal text, which a floating-point number would change.

const decimal = /^(\d{1,40})(?:\.(\d{1,40}))?$/

export const isDecimal = (text: string): boolean => decimal.test(text)

/** Whether two amounts are equal: `1.10` is `1.1`. Text that is not a decimal equals nothing. */
export function sameAmount(one: string, other: string): boolean {
  const [first, second] = [normalise(one), normalise(other)]
  return first !== null && first === second
}

function normalise(text: string): string | null {
  const [, whole, fraction = ''] = decimal.exec(text) ?? []
  if (whole === undefined) return null
  return `${BigInt(whole)}.${withoutLast('0', fraction)}`
}
