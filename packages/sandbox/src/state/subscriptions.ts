/** Subscriptions: section 2.3 of the interface. */
import { queueWebhook } from './deliveries.ts'
import type { State } from './state.ts'

/** The numbers are ours (U14). */
export const subscriptionStatus = { active: 1, canceled: 2, expired: 3 } as const
export type SubscriptionStatus = (typeof subscriptionStatus)[keyof typeof subscriptionStatus]

export interface SubscriptionRow {
  id: string
  /** The purchase that began it; a renewal copies its order's fields. */
  order_id: string
  user_id: string
  custom_id: string
  product_id: string
  card_id: string
  interval_time: 'monthly' | 'yearly'
  status: SubscriptionStatus
  start_date: number
  last_paid_date: number
  next_paid_date: number
  expire_date: number
  periods_paid: number
  failed_attempts: number
  failed_to_paid: 0 | 1
  next_paid: 0 | 1
  /** When the clock has something to do with it: a charge, or its end. Null when it has ended. */
  due_at: number | null
}

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
  queueWebhook(state, {
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
