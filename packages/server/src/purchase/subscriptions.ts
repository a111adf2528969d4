/** What the service says about subscriptions (4.4). */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { meansUnknown } from '../client/refusals.ts'
import type { Order, Subscription } from '../client/wire.ts'
import { isApiError } from '../errors.ts'

type Client = Pick<PurchaseClient, 'subscriptions'>

/** One at a time: whether several must all match, or any, is not shown (U28). */
export type SubscriptionIdentifier = { user_id: string } | { custom_id: string } | { product_id: string }

/**
 * Lists the subscriptions of all these identifiers, each once: a subscription has no id, so that two equal records are the same one. A service
 * that answers with one subscription hides the others (U4).
 */
export async function listSubscriptions(
  client: Client,
  identifiers: readonly SubscriptionIdentifier[],
): Promise<Subscription[]> {
  const lists = await Promise.all(identifiers.map((identifier) => listBy(client, identifier)))
  return [...new Map(lists.flat().map((one) => [JSON.stringify(one.raw), one])).values()]
}

/** Only records that carry the identifier themselves; none for an identifier that the service does not know. */
async function listBy(client: Client, identifier: SubscriptionIdentifier): Promise<Subscription[]> {
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

/** Who subscribed to which product. Without `user_id`: any user of the service who paid under this custom id. */
export interface Subscriber {
  product_id: string
  custom_id?: string | undefined
  user_id?: string | undefined
}

export interface ShownSubscriptions {
  /** The subscriber's to this product, as far as the service shows them. */
  readonly shown: readonly Subscription[]
  /** How often the product is charged, as the service writes it. */
  readonly interval_time: string | undefined
}

/** Finds a subscriber's subscriptions to one product; null for a product that nobody subscribes to. */
export async function findSubscriptions(
  client: Client,
  { product_id, custom_id, user_id }: Subscriber,
): Promise<ShownSubscriptions | null> {
  const listed = await listSubscriptions(client, [
    ...(user_id ? [{ user_id }] : []),
    // The newest of this user may be of another product.
    ...(custom_id ? [{ custom_id }] : []),
  ])
  const shown = listed.filter(
    (one) =>
      one.product_id === product_id &&
      isSameId(one.custom_id, custom_id) &&
      (user_id === undefined || isSameId(one.user_id, user_id)),
  )
  // Those of other users only say how often it is charged, and may be many: they are asked for where nothing else says it.
  const [any] = shown.length > 0 ? shown : await listBy(client, { product_id })
  return any ? { shown, interval_time: any.interval_time } : null
}

/** A blank id may be left out. */
export const isSameId = (one: Order['user_id'] = '', other: Order['user_id'] = ''): boolean => one === other
