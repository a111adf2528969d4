// Promise: client/inputs
/** What each operation accepts, to the character, and what is said of what it does not. */
import { expect, test } from 'vitest'
import { describeIssues, type InputSchema, operations } from '../../src/client/operations.ts'
import { newUser } from '../support/service.ts'

const createTokenInput = operations.createAccessToken.input
const tokenInput = operations.listAllOrders.input
const orderFilterInput = operations.listOrders.input
const transactionInput = operations.retrieveTransaction.input
const subscriptionInput = operations.listSubscriptions.input
const newUserInput = operations.createUser.input
const userInput = operations.retrieveUser.input

const saidOf = (schema: InputSchema, input: unknown): string => {
  const { error } = schema.safeParse(input)
  return error ? describeIssues(error) : 'fine'
}

test.each<[string, InputSchema, object]>([
  ['no days', createTokenInput, {}],
  ['days', createTokenInput, { expirationDays: '30' }],
  ['a token', tokenInput, { accessToken: 't' }],
  ['an order id', orderFilterInput, { accessToken: 't', order_id: 'o' }],
  ['a custom id', orderFilterInput, { accessToken: 't', custom_id: 'c' }],
  ['an order id', transactionInput, { order_id: 'o' }],
  ['a custom id', transactionInput, { custom_id: 'c' }],
  ['a hash', transactionInput, { hash: 'h' }],
  ['a product', subscriptionInput, { product_id: 'p' }],
  ['a custom id', subscriptionInput, { custom_id: 'c' }],
  ['a user', subscriptionInput, { user_id: 'u' }],
  ['a user id', userInput, { user_id: 'u' }],
  ['an e-mail address', userInput, { email: 'e' }],
  ['a new user', newUserInput, newUser],
  ['the shortest phone', newUserInput, { ...newUser, phone: '+123456' }],
  ['the longest phone', newUserInput, { ...newUser, phone: '+123456789012345' }],
])('%s will do', (_, schema, input) => {
  expect(saidOf(schema, input)).toBe('fine')
})

test.each<[InputSchema, object, string | RegExp]>([
  [createTokenInput, { x: 'y' }, /x/],
  [tokenInput, {}, 'accessToken: must be a string'],
  [tokenInput, { accessToken: ' ' }, 'accessToken: must not be blank'],
  [orderFilterInput, { accessToken: 't' }, /^give order_id or custom_id/],
  [orderFilterInput, { accessToken: 't', order_id: '' }, 'order_id: must not be blank'],
  [orderFilterInput, { accessToken: 't', custom_id: 7 }, 'custom_id: must be a string'],
  [transactionInput, {}, 'give at least one of order_id, custom_id and hash'],
  [transactionInput, { order_id: '', custom_id: '', hash: '' }, /order_id.*; custom_id.*; hash.*/],
  [transactionInput, { id: 'o' }, /id/],
  [subscriptionInput, {}, 'give at least one of product_id, custom_id and user_id'],
  [subscriptionInput, { product_id: '', custom_id: '', user_id: '' }, /product_id.*; custom_id.*; user_id.*/],
  [subscriptionInput, { id: 's' }, /id/],
  [userInput, {}, 'give either user_id or email'],
  [userInput, { user_id: 'u', email: 'e' }, 'give either user_id or email'],
  [userInput, { user_id: '' }, 'user_id: must not be blank'],
  [userInput, { email: '' }, 'email: must not be blank'],
  [newUserInput, { ...newUser, phone: '+12345' }, /^phone: must be a plus/],
  [newUserInput, { ...newUser, phone: '+1234567890123456' }, /^phone: /],
  [newUserInput, { ...newUser, phone: '+0234567' }, /^phone: /],
  [newUserInput, { ...newUser, phone: ' +1234567' }, /^phone: /],
  [newUserInput, { ...newUser, phone: '+1234567 ' }, /^phone: /],
  [newUserInput, { ...newUser, phone: 1234567 }, 'phone: must be a string'],
  [newUserInput, { ...newUser, country_of_residence: 'USAX' }, /^country_of_residence: must be an alpha-3/],
  [newUserInput, { ...newUser, country_of_residence: 'XUSA' }, /^country_of_residence: /],
  [newUserInput, { ...newUser, country_of_residence: 'usa' }, /^country_of_residence: /],
  [newUserInput, { ...newUser, country_of_residence: 1 }, 'country_of_residence: must be a string'],
  [newUserInput, { ...newUser, state_of_residence: 'CAX' }, /^state_of_residence: must be an alpha-2/],
  [newUserInput, { ...newUser, state_of_residence: 'XCA' }, /^state_of_residence: /],
  [newUserInput, { ...newUser, state_of_residence: 'ca' }, /^state_of_residence: /],
  [newUserInput, { ...newUser, state_of_residence: 1 }, 'state_of_residence: must be a string'],
  [newUserInput, { ...newUser, middle_name: 'B' }, /middle_name/],
])('input %# is refused in these words', (schema, input, said) => {
  if (typeof said === 'string') expect(saidOf(schema, input)).toBe(said)
  else expect(saidOf(schema, input)).toMatch(said)
})
