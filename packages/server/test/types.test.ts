// Promise: companion/types
/** Errors that TypeScript reports before anything runs. */
import type { DatabaseSync } from 'node:sqlite'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { createCompanion, createTokenLease, type PurchaseClient, type TokenLease } from '../src/index.ts'
import type { Complete } from '../src/purchase/purchase.ts'
import { newUser } from './support/service.ts'

const authorize = (): null => null

/** Never called: it only has to compile. */
export function forbidden(client: PurchaseClient, tokens: TokenLease): void {
  // @ts-expect-error an empty filter would ask for every order
  client.orders.list({ accessToken: 'x' })
  // @ts-expect-error at least one of three
  client.transactions.retrieve({})
  // @ts-expect-error at least one of three
  client.subscriptions.list({})
  // @ts-expect-error one of two
  client.users.retrieve({})
  // @ts-expect-error not both
  client.users.retrieve({ user_id: 'x', email: 'y' })
  // @ts-expect-error not a life that the service offers
  client.accessTokens.create({ expirationDays: '8' })
  // @ts-expect-error a number is not a life either
  createTokenLease({ client, expirationDays: 7 })
  // @ts-expect-error all fields are required
  client.users.create({ email: newUser.email })
  // @ts-expect-error who asks must be known
  createCompanion({ client, tokens })
  // @ts-expect-error a shopper has at least one id
  createCompanion({ client, tokens, authorize: () => ({}) })
  // @ts-expect-error amounts are decimal text, not numbers
  createCompanion({ authorize, createPurchase: () => ({ params: { quote_amount: 9.99 } }) })
  // @ts-expect-error what is sold must be said
  createCompanion({ authorize, createPurchase: () => ({}) })
  // @ts-expect-error misspelt
  createCompanion({ authorize, onorder: () => {} })
  // @ts-expect-error misspelt
  client.orders.list({ accessToken: 'x', orderId: 'y' })
}

/** Never called either. */
export function completes(complete: Complete, shop: DatabaseSync, client: PoolClient): void {
  if (complete(shop)) complete(shop) satisfies boolean
  // @ts-expect-error it was forgotten to wait for it
  if (complete(client)) complete(client)
  // @ts-expect-error nor is it true for an adapter
  if (complete({ query: () => client.query('') })) complete(shop)
}

test('code that must not compile does not', () => {
  expect(forbidden).toBeTypeOf('function')
})
