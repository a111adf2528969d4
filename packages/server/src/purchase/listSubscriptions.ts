/** The subscriptions of one user, one custom id or one product. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { meansUnknown } from '../client/meansUnknown.ts'
import type { Subscription } from '../client/wire.ts'
import { isApiError } from '../errors.ts'

/** One at a time: whether several must all match, or any, is not shown (U28). */
export type SubscriptionIdentifier = { user_id: string } | { custom_id: string } | { product_id: string }

/**
 * Only records that carry the identifier themselves; none for an identifier that the service does not know. A service that answers with one
 * subscription hides the others (U4).
 */
export async function listSubscriptions(
  client: Pick<PurchaseClient, 'subscriptions'>,
  identifier: SubscriptionIdentifier,
): Promise<Subscription[]> {
  const listed = await client.subscriptions.list(identifier).catch((error: unknown) => {
    if (isApiError(error) && meansUnknown(error)) return []
    throw error
  })
  const wanted: Partial<Subscription> = identifier
  return listed.filter((one) =>
    (['user_id', 'custom_id', 'product_id'] as const).every(
      (field) => wanted[field] === undefined || one[field] === wanted[field],
    ),
  )
}

/** A subscription has no id: what two answers both have is the same record. */
export const distinct = (subscriptions: readonly Subscription[]): Subscription[] => [
  ...new Map(subscriptions.map((one) => [JSON.stringify(one.raw), one])).values(),
]
