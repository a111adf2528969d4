/** Subscriptions: section 2.3 of the interface. */
import type { SubscriptionRow } from './rows.ts'
import type { State } from './state.ts'

export function addSubscription(state: State, row: SubscriptionRow): void {
  state.db.insert('subscriptions', { ...row })
  queueSubscriptionWebhook(state, row)
}

export function saveSubscription(state: State, row: SubscriptionRow): void {
  state.db.run(
    `update subscriptions set status = ?, last_paid_date = ?, next_paid_date = ?, expire_date = ?, periods_paid = ?,
     failed_attempts = ?, failed_to_paid = ?, next_paid = ?, due_at = ? where id = ?`,
    row.status,
    row.last_paid_date,
    row.next_paid_date,
    row.expire_date,
    row.periods_paid,
    row.failed_attempts,
    row.failed_to_paid,
    row.next_paid,
    row.due_at,
    row.id,
  )
  queueSubscriptionWebhook(state, row)
}

const queueSubscriptionWebhook = (state: State, row: SubscriptionRow): void =>
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

/** The subscriptions that match each given part of the filter, newest first. */
export function findSubscriptions(state: State, filter: SubscriptionFilter = {}): SubscriptionRow[] {
  const columns = (['product_id', 'custom_id', 'user_id'] as const).filter((column) => filter[column])
  const where = columns.length > 0 ? `where ${columns.map((column) => `${column} = ?`).join(' and ')}` : ''
  const values = columns.map((column) => filter[column] ?? '')
  return state.db.all<SubscriptionRow>(`select * from subscriptions ${where} order by id desc`, ...values)
}

export const recentSubscriptions = (state: State, limit: number): SubscriptionRow[] =>
  state.db.all<SubscriptionRow>('select * from subscriptions order by id desc limit ?', limit)

export const subscriptionOfOrder = (state: State, orderId: string): SubscriptionRow | undefined =>
  state.db.get<SubscriptionRow>('select * from subscriptions where order_id = ?', orderId)

/** The subscription that the clock has to look at first. */
export const nextDueSubscription = (state: State, now: number): SubscriptionRow | undefined =>
  state.db.get<SubscriptionRow>(
    'select * from subscriptions where due_at <= ? order by due_at, id limit 1',
    now,
  )
