/** What each operation accepts, checked before anything is sent. Messages name fields, never values. */
import * as z from 'zod'

/** Gives the fields to send; a field that is undefined is not sent. Unknown fields are refused: they may be a misspelt filter. */
export type InputSchema = z.ZodType<Record<string, string | undefined>>

const text = z.string('must be a string').regex(/\S/, 'must not be blank')

/** An object of texts of which one at least is given. */
const anyOf = (fields: readonly string[], message: string): InputSchema =>
  z
    .strictObject(Object.fromEntries(fields.map((field) => [field, text.optional()])))
    .refine((given) => fields.some((field) => given[field] !== undefined), message)

export const noInput: InputSchema = z.strictObject({})

export const createTokenInput: InputSchema = z.strictObject({
  expirationDays: z.enum(['7', '30', '180', '365', 'infinite']).optional(),
})

export const tokenInput: InputSchema = z.strictObject({ accessToken: text })

export const orderFilterInput: InputSchema = z
  .strictObject({ accessToken: text, order_id: text.optional(), custom_id: text.optional() })
  .refine(
    ({ order_id, custom_id }) => (order_id ?? custom_id) !== undefined,
    'give order_id or custom_id; to read the orders of the whole business call orders.listAll',
  )

export const transactionInput: InputSchema = anyOf(
  ['order_id', 'custom_id', 'hash'],
  'give at least one of order_id, custom_id and hash',
)

export const subscriptionInput: InputSchema = anyOf(
  ['product_id', 'custom_id', 'user_id'],
  'give at least one of product_id, custom_id and user_id',
)

/** U15: the lists of countries and states are not shown, so only their shape is checked. */
export const newUserInput: InputSchema = z.strictObject({
  phone: z
    .string('must be a string')
    .regex(/^\+[1-9]\d{5,14}$/, 'must be a plus and digits, e.g. +14155550123'),
  first_name: text,
  last_name: text,
  date_of_birth: z.iso.date('must be a real date as YYYY-MM-DD'),
  country_of_residence: z.string('must be a string').regex(/^[A-Z]{3}$/, 'must be an alpha-3 code, e.g. USA'),
  email: z.email('must be an e-mail address'),
  state_of_residence: z
    .string('must be a string')
    .regex(/^[A-Z]{2}$/, 'must be an alpha-2 code of a US state, e.g. CA'),
})

export const userInput: InputSchema = z
  .strictObject({ user_id: text.optional(), email: text.optional() })
  .refine(
    ({ user_id, email }) => (user_id === undefined) !== (email === undefined),
    'give either user_id or email',
  )

/** One phrase per wrong field. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ')
}
