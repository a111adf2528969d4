/** What changes in the state that the merchant may hear of; the sandbox turns it into webhooks. */
import type { OrderRow } from './rows.ts'

export type StateEvent =
  | { event: 'order.updated'; order: OrderRow }
  | {
      event: 'user.created' | 'user.updated' | 'subscription.updated'
      user_id: string
      order_id?: string
      custom_id?: string
      product_id?: string
      lkyc_status?: string
      fkyc_status?: string
      status?: number
    }
