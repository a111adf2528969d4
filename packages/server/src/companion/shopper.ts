/** Who is asking, and which orders are theirs. */
import type { OrderRecord } from '../wire.ts'

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

/** Whether an order is the shopper's. What the record does not say counts against them. */
export function owns(shopper: Shopper, order: OrderRecord): boolean {
  return shopper.customId === undefined
    ? order.user_id === shopper.userId
    : order.custom_id === shopper.customId
}
