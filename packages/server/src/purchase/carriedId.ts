/** The id by which the service knows a purchase's orders: the shopper's, or the purchase's own with a prefix that no shopper's id may have. */
import type { Purchase } from './purchase.ts'
import { idOf } from './shopper.ts'

const carried = /^purchase_([\w-]{22})$/

/** The `custom_id` that carries a purchase's id. */
export const customIdOf = (purchaseId: string): string => `purchase_${purchaseId}`

/** The `custom_id` that a purchase's orders have: what the service lists them by. */
export const carriedId = ({ carrier, id, shopper }: Pick<Purchase, 'carrier' | 'id' | 'shopper'>): string =>
  carrier === 'custom_id' ? customIdOf(id) : idOf(shopper)

/** The purchase that a `custom_id` carries; null for a shopper's id. */
export const readCustomId = (customId = ''): string | null => carried.exec(customId)?.[1] ?? null
