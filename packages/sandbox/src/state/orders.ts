/** Orders: the fields of section 2.2 of the interface, and a life that can only go one way. */
import { notFound } from '../errors.ts'
import type { LimitKind } from '../kyc.ts'
import { queueWebhook } from './deliveries.ts'
import type { State } from './state.ts'

/** Section 3 names three states; an order ends in one of the last two and stays there. */
type OrderType = 'payment_started' | 'order_complete' | 'order_failed'

/** The fields of section 2.2, as columns; an empty string where there is no value. `partner_data` is JSON. */
export interface OrderFields {
  id: string
  custom_id: string
  user_id: string
  product_id: string
  type: OrderType
  base: string
  base_amount: string
  quote: string
  quote_amount: string
  address: string
  transaction_id: string
  partner_data: string
  full_name: string
  date_of_birth: string
  phone: string
  email: string
  state: string
  country: string
  city: string
  street: string
  postal_code: string
  utm_source: string
  clickID: string
  campaignID: string
  fail_reason: string
  redirect_url: string
  fail_redirect_url: string
  redirect_page: string
  hash: string
}

export interface OrderRow extends OrderFields {
  /** A code of section 7, when the payment was declined. */
  decline_code: string | null
  kind: LimitKind
  /** The access token it was bought with; null for a renewal. */
  token: string | null
  card_id: string | null
  created_at: number
}

/** Starts an order's life. Inside the caller's transaction. */
export function addOrder(state: State, order: Omit<OrderRow, 'type'>): OrderRow {
  const row: OrderRow = { ...order, type: 'payment_started' }
  state.db.insert('orders', { ...row })
  queueOrderWebhook(state, row)
  return row
}

/** How a payment ends. */
export type Outcome =
  | { type: 'order_complete'; hash: string; transaction_id: string; card_id: string }
  | { type: 'order_failed'; fail_reason: string; decline_code: string | null }

/** Ends an order's life. Inside the caller's transaction. */
export function endOrder(state: State, order: OrderRow, outcome: Outcome): OrderRow {
  const row: OrderRow = { ...order, ...outcome }
  const changed = state.db.run(
    `update orders set type = ?, hash = ?, transaction_id = ?, card_id = ?, fail_reason = ?, decline_code = ?
     where id = ? and type = 'payment_started'`,
    row.type,
    row.hash,
    row.transaction_id,
    row.card_id,
    row.fail_reason,
    row.decline_code,
    row.id,
  )
  if (changed !== 1) throw new Error(`Order ${row.id} had ended before.`)
  queueOrderWebhook(state, row)
  return row
}

const queueOrderWebhook = (state: State, order: OrderRow): void =>
  queueWebhook(state, { event: 'order.updated', order })

export const findOrder = (state: State, id: string): OrderRow | undefined =>
  state.db.get<OrderRow>('select * from orders where id = ?', id)

export function requireOrder(state: State, id: string): OrderRow {
  const order = findOrder(state, id)
  if (!order) throw notFound('There is no such order.')
  return order
}

export interface OrderFilter {
  id?: string | undefined
  custom_id?: string | undefined
  hash?: string | undefined
  token?: string | undefined
}

/** The orders that match each given part of the filter, newest first; all of them without one. */
export function findOrders(state: State, filter: OrderFilter = {}): OrderRow[] {
  const columns = (['id', 'custom_id', 'hash', 'token'] as const).filter((column) => filter[column])
  const where = columns.length > 0 ? `where ${columns.map((column) => `${column} = ?`).join(' and ')}` : ''
  const values = columns.map((column) => filter[column] ?? '')
  return state.db.all<OrderRow>(`select * from orders ${where} order by id desc`, ...values)
}

export const recentOrders = (state: State, limit: number): OrderRow[] =>
  state.db.all<OrderRow>('select * from orders order by id desc limit ?', limit)

export const ordersInProgress = (state: State): OrderRow[] =>
  state.db.all<OrderRow>("select * from orders where type = 'payment_started'")
