/** Orders: the fields of section 2.2 of the interface. An order goes from `payment_started` to a final state, which only a failed order can leave. */
import { notFound } from '../refusal.ts'
import { where } from './database.ts'
import type { OrderRow } from './rows.ts'
import type { State } from './state.ts'

/** Creates an order. Runs in the caller's transaction. */
export function addOrder(state: State, order: Omit<OrderRow, 'type'>): OrderRow {
  const row: OrderRow = { ...order, type: 'payment_started' }
  state.db.insert('orders', { ...row })
  announceOrder(state, row)
  return row
}

/** The result of a payment. */
export type Outcome =
  | { type: 'order_complete'; hash: string; transaction_id: string; card_id: string }
  | { type: 'order_failed'; fail_reason: string; decline_code: OrderRow['decline_code'] }

/** Moves an order to its final state. Runs in the caller's transaction. */
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
  announceOrder(state, row)
  return row
}

/** Restarts a failed order for a retry (the switch `retryAfterDecline`). Runs in the caller's transaction. */
export function restartOrder(state: State, order: OrderRow): OrderRow {
  const row: OrderRow = { ...order, type: 'payment_started', fail_reason: '', decline_code: null }
  const changed = state.db.run(
    `update orders set type = ?, fail_reason = '', decline_code = null where id = ? and type = 'order_failed'`,
    row.type,
    row.id,
  )
  if (changed !== 1) throw new Error(`Order ${row.id} had not failed.`)
  announceOrder(state, row)
  return row
}

const announceOrder = (state: State, order: OrderRow): void =>
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
}

/**
 * Returns the orders that match the filter, newest first; without a filter, all of them.
 *
 * @param token Returns only orders made with this token.
 */
export function findOrders(
  state: State,
  { id, custom_id, hash }: OrderFilter = {},
  token?: string,
): OrderRow[] {
  const asked = where({ id, custom_id, hash }, state.switches.lookup)
  const own = where({ token }, 'all')
  return state.db.all<OrderRow>(
    `select * from orders where ${asked.condition} and ${own.condition} order by id desc`,
    ...asked.values,
    ...own.values,
  )
}

/** Returns the orders that contain a merchant's id in a return address or as their `custom_id`, newest first. */
export const ordersCarrying = (state: State, id: string): OrderRow[] =>
  state.db.all<OrderRow>(
    `select * from orders where instr(redirect_url, ?) > 0 or instr(fail_redirect_url, ?) > 0 or instr(custom_id, ?) > 0
     order by id desc`,
    id,
    id,
    id,
  )

export const recentOrders = (state: State, limit: number): OrderRow[] =>
  state.db.all<OrderRow>('select * from orders order by id desc limit ?', limit)

export const ordersInProgress = (state: State): OrderRow[] =>
  state.db.all<OrderRow>("select * from orders where type = 'payment_started'")
