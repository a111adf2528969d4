// Promise: client/inputs
/** The inputs that each operation accepts, to the character, and the messages about others. */
import { expect, test } from 'vitest'
import { createPurchaseClient } from '../../src/index.ts'
import { newUser } from '../support/service.ts'
import { settings } from '../support/settings.ts'

let sent = 0
const client = createPurchaseClient({
  ...settings,
  fetch: async () => {
    sent++
    return Response.json({})
  },
})
const { accessTokens, orders, transactions, subscriptions, users } = client

/** Untyped code can pass anything. */
type Call = (input: never) => Promise<unknown>

/** `sent`, or the message of the refusal. */
async function saidOf(call: Call, input: unknown): Promise<string> {
  sent = 0
  const error = await call(input as never).catch((reason: Error) => reason)
  if (sent > 0) return 'sent'
  expect(error).toMatchObject({ name: 'InvalidInputError' })
  return (error as Error).message.replace(/^[\w.]+: /, '')
}

const userWith = (field: keyof typeof newUser, value: unknown): object => ({ ...newUser, [field]: value })
const { email: _, ...userWithoutEmail } = newUser

test.each<[string, Call, object]>([
  ['no days', accessTokens.create, {}],
  ...['7', '30', '180', '365', 'infinite'].map((expirationDays): [string, Call, object] => [
    `${expirationDays} days`,
    accessTokens.create,
    { expirationDays },
  ]),
  ['a token', orders.listAll, { accessToken: 't' }],
  ['an order id', orders.list, { accessToken: 't', order_id: 'o' }],
  ['a custom id', orders.list, { accessToken: 't', custom_id: 'c' }],
  ['an order id', transactions.retrieve, { order_id: 'o' }],
  ['a custom id', transactions.retrieve, { custom_id: 'c' }],
  ['a hash', transactions.retrieve, { hash: 'h' }],
  ['a product', subscriptions.list, { product_id: 'p' }],
  ['a custom id', subscriptions.list, { custom_id: 'c' }],
  ['a user', subscriptions.list, { user_id: 'u' }],
  ['a user id', users.retrieve, { user_id: 'u' }],
  ['an e-mail address', users.retrieve, { email: 'e' }],
  ['a new user', users.create, newUser],
  ['the shortest phone', users.create, userWith('phone', '+123456')],
  ['the longest phone', users.create, userWith('phone', '+123456789012345')],
])('%s is valid', async (_, call, input) => {
  expect(await saidOf(call, input)).toBe('sent')
})

const ofThree = /^(\w+: must not be blank; ){2}\w+: must not be blank\.?$/

test.each<[Call, unknown, string | RegExp]>([
  [accessTokens.create, { expirationDays: '8' }, /^expirationDays/],
  [accessTokens.create, { x: 'y' }, /x/],
  [accessTokens.expireDate, undefined, /accessToken/],
  [orders.listAll, {}, 'accessToken: must be a string'],
  [orders.listAll, { accessToken: ' ' }, 'accessToken: must not be blank'],
  [orders.list, { order_id: 'x' }, /accessToken/],
  // Promise: client/filtered
  [orders.list, { accessToken: 't' }, /^give order_id or custom_id.*listAll/],
  [orders.list, { accessToken: 't', order_id: undefined, custom_id: undefined }, /^give order_id/],
  [
    orders.list,
    { accessToken: 't', order_id: '', custom_id: '\t\n' },
    /must not be blank; .*must not be blank/,
  ],
  [orders.list, { accessToken: 't', order_id: null }, 'order_id: must be a string'],
  [orders.list, { accessToken: 't', order_id: ['x'] }, 'order_id: must be a string'],
  [orders.list, { accessToken: 't', order_id: '' }, 'order_id: must not be blank'],
  [orders.list, { accessToken: 't', custom_id: 7 }, 'custom_id: must be a string'],
  [orders.list, { accessToken: 't', order_id: 'x', customId: 'y' }, /customId/],
  [transactions.retrieve, {}, 'give at least one of order_id, custom_id, hash'],
  [transactions.retrieve, { order_id: '', custom_id: '', hash: '' }, ofThree],
  [transactions.retrieve, { id: 'o' }, /id/],
  [subscriptions.list, {}, 'give at least one of product_id, custom_id, user_id'],
  [subscriptions.retrieve, {}, 'give at least one of product_id, custom_id, user_id'],
  [subscriptions.list, { product_id: '', custom_id: '', user_id: '' }, ofThree],
  [subscriptions.list, { id: 's' }, /id/],
  [users.retrieve, {}, 'give either user_id or email'],
  [users.retrieve, { user_id: 'u', email: 'e' }, 'give either user_id or email'],
  [users.retrieve, { user_id: '' }, 'user_id: must not be blank'],
  [users.retrieve, { email: '' }, 'email: must not be blank'],
  [users.create, userWithoutEmail, /^email/],
  [users.create, userWith('email', 'ada'), /^email: /],
  [users.create, userWith('first_name', ' '), 'first_name: must not be blank'],
  [users.create, userWith('last_name', ''), 'last_name: must not be blank'],
  [users.create, userWith('date_of_birth', '1990-02-30'), /^date_of_birth: must be a real date/],
  [users.create, userWith('date_of_birth', '10/12/1990'), /^date_of_birth: /],
  [users.create, userWith('phone', '+12345'), /^phone: must be a plus/],
  ...['4155550123', '+1234567890123456', '+0234567', ' +1234567', '+1234567 '].map(
    (phone): [Call, unknown, RegExp] => [users.create, userWith('phone', phone), /^phone: /],
  ),
  [users.create, userWith('phone', 1234567), 'phone: must be a string'],
  [users.create, userWith('country_of_residence', 'US'), /^country_of_residence: must be an alpha-3/],
  ...['USAX', 'XUSA', 'usa', 1].map((country): [Call, unknown, RegExp] => [
    users.create,
    userWith('country_of_residence', country),
    /^country_of_residence: must be a/,
  ]),
  [users.create, userWith('state_of_residence', 'California'), /^state_of_residence: must be an alpha-2/],
  ...['CAX', 'XCA', 'ca', 1].map((state): [Call, unknown, RegExp] => [
    users.create,
    userWith('state_of_residence', state),
    /^state_of_residence: must be a/,
  ]),
  [users.create, { ...newUser, middle_name: 'B' }, /middle_name/],
])('input %# is refused before sending, with this message', async (call, input, said) => {
  const text = await saidOf(call, input)
  if (typeof said === 'string') expect(text.replace(/\.$/, '')).toBe(said)
  else expect(text).toMatch(said)
})
