/**
 * The service's operations (section 4 of the interface) as one table, with the input that each accepts, checked before anything is sent. Only
 * `transport.ts` reads it.
 */
import * as z from 'zod'
import {
  readAccessToken,
  readCreatedUser,
  readExpiry,
  readOrder,
  readOrders,
  readSubscriptions,
  readUser,
} from './answers.ts'
import type * as wire from './wire.ts'

/** Returns the fields to send, without undefined ones. Unknown fields are refused: they may be a misspelt filter. */
type InputSchema = z.ZodType<Record<string, string | undefined>>

const textLike = (pattern: RegExp, problem: string): z.ZodString =>
  z.string('must be a string').regex(pattern, problem)

const text = textLike(/\S/, 'must not be blank')

const anyOf = (...fields: readonly string[]): InputSchema =>
  z
    .strictObject(Object.fromEntries(fields.map((field) => [field, text.optional()])))
    .refine(
      (given) => fields.some((field) => given[field] !== undefined),
      `give at least one of ${fields.join(', ')}`,
    )

const tokenInput: InputSchema = z.strictObject({ accessToken: text })

const orderFilterInput: InputSchema = z
  .strictObject({ accessToken: text, order_id: text.optional(), custom_id: text.optional() })
  .refine(
    ({ order_id, custom_id }) => (order_id ?? custom_id) !== undefined,
    'give order_id or custom_id; to read the orders of the whole business call orders.listAll',
  )

/** U15: the lists of countries and states are not specified, so only their format is checked. */
const newUserInput: InputSchema = z.strictObject({
  phone: textLike(/^\+[1-9]\d{5,14}$/, 'must be a plus and digits, e.g. +14155550123'),
  first_name: text,
  last_name: text,
  date_of_birth: z.iso.date('must be a real date as YYYY-MM-DD'),
  country_of_residence: textLike(/^[A-Z]{3}$/, 'must be an alpha-3 code, e.g. USA'),
  email: z.email('must be an e-mail address'),
  state_of_residence: textLike(/^[A-Z]{2}$/, 'must be an alpha-2 code of a US state, e.g. CA'),
})

const userInput: InputSchema = z
  .strictObject({ user_id: text.optional(), email: text.optional() })
  .refine(
    ({ user_id, email }) => (user_id === undefined) !== (email === undefined),
    'give either user_id or email',
  )

/** One row: what is sent where, with which credential, how the answer is read, and whether the request may be retried. */
export interface Operation<Output> {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** GET sends its input as the query, POST as a JSON body. */
  readonly at: readonly [base: 'widgetApiUrl' | 'baseUrl' | 'userBaseUrl', path: string]
  /**
   * The business's credentials that it sends (section 5): the headers `api-key` and `secret-key`, and the body's field `api_key`; 4.6 wants
   * the key in both (U20). With none, the access token in the query is the credential.
   */
  readonly credentials: readonly ('api-key' | 'secret-key' | 'api_key')[]
  readonly input: InputSchema
  readonly output: (body: unknown) => Output
  /**
   * - `always`: a read; retried up to `maxRetries` times after a network failure, 408, 429 or 5xx.
   * - `once`: likewise, but retried once at most.
   * - `unsent`: retried only when the connection failed before a byte was sent.
   */
  readonly retry: 'always' | 'once' | 'unsent'
  /** Bytes that a successful answer may have. Any more are not read. */
  readonly maxAnswerBytes: number
}

const MIB = 1_048_576
/** Orders or subscriptions of one shopper or product: some ten thousand. */
const LIST = 16 * MIB
const EVERYTHING = 128 * MIB

export const operations: {
  readonly createAccessToken: Operation<wire.AccessToken>
  readonly readAccessTokenExpiry: Operation<wire.AccessTokenExpiry>
  readonly listOrders: Operation<wire.OrderRecord[]>
  readonly listAllOrders: Operation<wire.OrderRecord[]>
  readonly listSubscriptions: Operation<wire.Subscription[]>
  readonly retrieveTransaction: Operation<wire.Order>
  readonly createUser: Operation<wire.CreatedUser>
  readonly retrieveUser: Operation<wire.User>
} = {
  createAccessToken: {
    name: 'accessTokens.create',
    method: 'POST',
    at: ['widgetApiUrl', '/api/widget/refresh/access_token'],
    credentials: ['api-key', 'secret-key'],
    input: z.strictObject({ expirationDays: z.enum(['7', '30', '180', '365', 'infinite']).optional() }),
    output: readAccessToken,
    retry: 'once',
    maxAnswerBytes: MIB,
  },
  readAccessTokenExpiry: {
    name: 'accessTokens.expireDate',
    method: 'GET',
    at: ['widgetApiUrl', '/api/widget/refresh/access_token/expire_date'],
    credentials: [],
    input: tokenInput,
    output: readExpiry,
    retry: 'always',
    maxAnswerBytes: MIB,
  },
  listOrders: {
    name: 'orders.list',
    method: 'GET',
    at: ['widgetApiUrl', '/api/widget/order_history'],
    credentials: [],
    input: orderFilterInput,
    output: readOrders,
    retry: 'always',
    maxAnswerBytes: LIST,
  },
  listAllOrders: {
    name: 'orders.listAll',
    method: 'GET',
    at: ['widgetApiUrl', '/api/widget/order_history'],
    credentials: [],
    input: tokenInput,
    output: readOrders,
    retry: 'always',
    maxAnswerBytes: EVERYTHING,
  },
  listSubscriptions: {
    name: 'subscriptions.list',
    method: 'POST',
    at: ['baseUrl', '/api/business/transactions/user_subscription'],
    credentials: ['api-key'],
    input: anyOf('product_id', 'custom_id', 'user_id'),
    output: readSubscriptions,
    retry: 'always',
    maxAnswerBytes: LIST,
  },
  retrieveTransaction: {
    name: 'transactions.retrieve',
    method: 'POST',
    at: ['baseUrl', '/api/business/transactions/data'],
    credentials: ['api-key'],
    input: anyOf('order_id', 'custom_id', 'hash'),
    output: readOrder,
    retry: 'always',
    maxAnswerBytes: MIB,
  },
  createUser: {
    name: 'users.create',
    method: 'POST',
    at: ['userBaseUrl', '/api/user/create_widget_user'],
    credentials: ['api-key', 'api_key'],
    input: newUserInput,
    output: readCreatedUser,
    retry: 'unsent',
    maxAnswerBytes: MIB,
  },
  retrieveUser: {
    name: 'users.retrieve',
    method: 'POST',
    at: ['userBaseUrl', '/api/user/fetch_user_details'],
    credentials: ['api_key'],
    input: userInput,
    output: readUser,
    retry: 'always',
    maxAnswerBytes: MIB,
  },
}

/** An operation that no service has. Only its status tells anything. */
export const noOperation = (base: Operation<unknown>['at'][0]): Operation<unknown> => ({
  name: 'doctor',
  method: 'POST',
  at: [base, '/api/no-such-operation'],
  credentials: [],
  input: z.strictObject({}),
  output: () => undefined,
  retry: 'once',
  maxAnswerBytes: MIB,
})

/** The address of an operation, by its name; undefined if the service has no such operation. */
export const baseOf = (name: string): Operation<unknown>['at'][0] | undefined =>
  Object.values(operations).find((operation) => operation.name === name)?.at[0]

/** One phrase per wrong field; names fields, never values. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ')
}
