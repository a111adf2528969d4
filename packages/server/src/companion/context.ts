/** What a route works with: an authorised shopper, and the outside. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import type { OrderRecord } from '../client/wire.ts'
import type { Answer } from './answer.ts'
import type { Shopper } from './shopper.ts'
import type { OnUser } from './routes/user.ts'

export interface RouteContext {
  request: Request
  shopper: Shopper
  /** The last segment of the path, for routes that end in an id. */
  id: string
  client: PurchaseClient
  tokens: TokenLease
  onUser: OnUser
  /** Whether a return address may be passed to the widget, or from an order to a page. */
  allowsReturnTo: (address: string) => boolean
  /** Tells the doorbell of orders that a shopper has asked for. */
  notice: (orders: readonly OrderRecord[]) => void
}

export type Handler = (context: RouteContext) => Promise<Answer>
