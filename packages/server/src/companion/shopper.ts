/** Who is asking, and which orders are theirs. */
import { InvalidInputError } from '../errors.ts'
import { Refusal } from './answer.ts'

/** The signed-in person. `customId` is the business's own id for them, `userId` the service's. At least one. */
export type Shopper =
  | { customId: string; userId?: string | undefined }
  | { customId?: undefined; userId: string }

/** The widget's parameters that make a purchase this shopper's. */
export function paramsOf({ customId, userId }: Shopper): Record<string, string> {
  const params: Record<string, string> = {}
  if (customId !== undefined) params.custom_id = customId
  if (userId !== undefined) params.user_id = userId
  return params
}

/** Whether an order or subscription is the shopper's. What the record does not say counts against them. */
export function owns(shopper: Shopper, record: { custom_id?: string; user_id?: string }): boolean {
  return shopper.customId === undefined
    ? record.user_id === shopper.userId
    : record.custom_id === shopper.customId
}

/**
 * @throws Refusal when nobody is signed in; InvalidInputError when the merchant's `authorize` names nobody.
 */
export function checkShopper(shopper: Shopper | null): Shopper {
  if (!shopper) throw new Refusal('unauthorized', 'Sign in first.')
  const { customId, userId } = shopper
  if ((customId ?? userId) !== undefined && isIdOrNone(customId) && isIdOrNone(userId)) return shopper
  throw new InvalidInputError(
    'configuration',
    'authorize() must return a customId, a userId or both, or null for nobody.',
  )
}

const isIdOrNone = (id: unknown): boolean => id === undefined || (typeof id === 'string' && id.trim() !== '')
