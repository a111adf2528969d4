/** The seven operations, in the order of section 4 of the interface. */
import type { ServiceOperation } from '../operation.ts'
import { createAccessToken } from './createAccessToken.ts'
import { createWidgetUser } from './createWidgetUser.ts'
import { fetchUserDetails } from './fetchUserDetails.ts'
import { getOrderHistory } from './getOrderHistory.ts'
import { getSubscription } from './getSubscription.ts'
import { getTokenExpiry } from './getTokenExpiry.ts'
import { getTransaction } from './getTransaction.ts'

export const operations: readonly ServiceOperation[] = [
  createAccessToken,
  getTokenExpiry,
  getOrderHistory,
  getSubscription,
  getTransaction,
  createWidgetUser,
  fetchUserDetails,
]
