/** Subscriptions: section 2.3 of the interface. */
import { where } from './database.ts'
import type { SubscriptionRow } from './rows.ts'
import type { State } from './state.ts'

export function addSubscription(state: State, row: SubscriptionRow): void {
  state.db.insert('subscriptions', { ...row })
  announceSubscription(state, row)
}

export function saveSubscription(state: State, row: SubscriptionRow): void {
  state.db.update('subscriptions', 'id', { ...row })
  announceSubscription(state, row)
}

const announceSubscription = (state: State, row: SubscriptionRow): void =>
  state.announce({
    event: 'subscription.updated',
    user_id: row.user_id,
    custom_id: row.custom_id,
    product_id: row.product_id,
    order_id: row.order_id,
    status: row.status,
  })

export interface SubscriptionFilter {
  product_id?: string | undefined
  custom_id?: string | undefined
  user_id?: string | undefined
}

/** Returns the subscriptions that match the filter, newest first; without a filter, all of them. */
export function findSubscriptions(
  state: State,
  { product_id, custom_id, user_id }: SubscriptionFilter = {},
): SubscriptionRow[] {
  const { condition, values } = where({ product_id, custom_id, user_id }, state.switches.lookup)
  return state.db.all<SubscriptionRow>(
    `select * from subscriptions where ${condition} order by id desc`,
    ...values,
  )
}

export const recentSubscriptions = (state: State, limit: number): SubscriptionRow[] =>
  state.db.all<SubscriptionRow>('select * from subscriptions order by id desc limit ?', limit)

export const subscriptionOfOrder = (state: State, orderId: string): SubscriptionRow | undefined =>
  state.db.get<SubscriptionRow>('select * from subscriptions where order_id = ?', orderId)

/** The subscription with the earliest due event. */
export const nextDueSubscription = (state: State, now: number): SubscriptionRow | undefined =>
  state.db.get<SubscriptionRow>(
    'select * from subscriptions where due_at <= ? order by due_at, id limit 1',
    now,
  )
