/** Each of the seven operations, called with valid input. */
import type { NewUser, PurchaseClient } from '../../src/index.ts'

/** The values that the calls send: tests search for them where they must not be. */
export interface Inputs {
  accessToken: string
  email: string
  order_id: string
  custom_id: string
  user: NewUser
}

export const everyOperation = (
  client: PurchaseClient,
  { accessToken, email, order_id, custom_id, user }: Inputs,
): Record<string, () => Promise<unknown>> => ({
  createAccessToken: () => client.accessTokens.create({ expirationDays: '7' }),
  getTokenExpiry: () => client.accessTokens.expireDate(accessToken),
  getOrderHistory: () => client.orders.list({ accessToken, order_id }),
  getSubscription: () => client.subscriptions.list({ custom_id }),
  getTransaction: () => client.transactions.retrieve({ order_id }),
  createWidgetUser: () => client.users.create(user),
  fetchUserDetails: () => client.users.retrieve({ email }),
})
