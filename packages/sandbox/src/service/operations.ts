/** The seven operations of the interface. */
import type { ServiceOperation } from './operation.ts'
import { orderOperations } from './orders.ts'
import { getSubscription } from './subscriptions.ts'
import { tokenOperations } from './tokens.ts'
import { userOperations } from './users.ts'

export const operations: readonly ServiceOperation[] = [
  ...tokenOperations,
  ...orderOperations,
  getSubscription,
  ...userOperations,
]
