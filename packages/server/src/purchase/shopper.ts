/** Shoppers, and what belongs to them. */

/** The shopper. `customId` is the business's own id for them, `userId` the service's. At least one. */
export type Shopper =
  | { customId: string; userId?: string | undefined }
  | { customId?: undefined; userId: string }

/** A shopper who makes a request, with the ids that they had before signing in. */
export interface Caller {
  readonly shopper: Shopper
  readonly formerly: readonly string[]
}

/** The id by which a shopper's purchases and orders are found. */
export const idOf = (shopper: Shopper): string => shopper.customId ?? shopper.userId

/** How many ids one request looks up at the service, which takes one at a time. */
export const MAX_IDS = 5

/** The ids by which a caller's purchases are found: the present one, then the latest former ones. At most `MAX_IDS`. */
export const idsOf = ({ shopper, formerly }: Caller): string[] =>
  [...new Set([idOf(shopper), ...formerly.toReversed()])].slice(0, MAX_IDS)

export function paramsOf({ customId, userId }: Shopper): Record<string, string> {
  const params: Record<string, string> = {}
  if (customId !== undefined) params.custom_id = customId
  if (userId !== undefined) params.user_id = userId
  return params
}

/** Whether an order is the caller's, also from before they signed in. A missing id counts as another's. */
export function isTheirOrder(
  { shopper: { customId, userId }, formerly }: Caller,
  { custom_id, user_id }: { custom_id?: string; user_id?: string },
): boolean {
  const isOwn = customId === undefined ? user_id === userId : custom_id === customId
  return isOwn || (custom_id !== undefined && formerly.includes(custom_id))
}

/**
 * Whether a purchase is the caller's: created by them, also before they signed in. A shopper who has signed out, and is a guest again, does not
 * find purchases from in between. A business's own id that is spelt like an id of the service's is another shopper's.
 */
export const isTheirs = ({ shopper, formerly }: Caller, purchase: Pick<Caller, 'shopper'>): boolean =>
  (shopper.customId === purchase.shopper.customId && idOf(shopper) === idOf(purchase.shopper)) ||
  formerly.includes(idOf(purchase.shopper))
