/** Orders: the fields of section 2.2 of the interface, and a life that can only go one way. */
import { notFound } from '../refusal.ts'
import type { OrderRow } from './rows.ts'
import type { State } from './state.ts'

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
  state.announce({ event: 'order.updated', order })

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
