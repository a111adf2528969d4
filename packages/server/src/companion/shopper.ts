/** Who is asking, and which orders are theirs. */
import { InvalidInputError } from '../errors.ts'
import { Refusal } from './answer.ts'

/** The signed-in person. `customId` is the business's own id for them, `userId` the service's. At least one. */
export type Shopper =
  | { customId: string; userId?: string | undefined }
  | { customId?: undefined; userId: string }

/** The widget's parameters that make a purchase this shopper's. */
export function paramsOf({ customId, userId }: Shopper): Record<string, string> {
  return {
    ...(customId === undefined ? {} : { custom_id: customId }),
    ...(userId === undefined ? {} : { user_id: userId }),
  }
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
  const given = [shopper.customId, shopper.userId].filter((id) => id !== undefined)
  if (given.length > 0 && given.every((id) => typeof id === 'string' && id.trim() !== '')) return shopper
  throw new InvalidInputError(
    'configuration',
    'authorize() must return a customId, a userId or both, or null for nobody.',
  )
}
