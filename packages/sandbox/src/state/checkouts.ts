/** Visits to the widget page, stored so that a reload halfway loses nothing. */
import { randomBytes } from 'node:crypto'
import { notFound } from '../refusal.ts'
import type { Card, CheckoutVisit, WidgetParams } from './rows.ts'
import type { State } from './state.ts'

type CheckoutRow = Omit<CheckoutVisit, 'params' | 'card'> & { params: string; card: string | null }

/** The id is a capability: any holder has access to the visit. */
export function addVisit(state: State, visit: Omit<CheckoutVisit, 'id'>): CheckoutVisit {
  const kept: CheckoutVisit = { ...visit, id: randomBytes(18).toString('base64url') }
  state.db.insert('checkouts', { ...rowOf(kept), created_at: state.clock.now() })
  return kept
}

const rowOf = ({ params, card, ...visit }: CheckoutVisit): CheckoutRow => ({
  ...visit,
  params: JSON.stringify(params),
  card: card && JSON.stringify(card),
})

export function saveVisit(state: State, visit: CheckoutVisit): CheckoutVisit {
  state.db.update('checkouts', 'id', rowOf(visit))
  return visit
}

/** For an order that failed without the shopper's page. */
export const declineVisitOf = (state: State, orderId: string): number =>
  state.db.run("update checkouts set step = 'declined' where order_id = ?", orderId)

export function requireVisit(state: State, id: string): CheckoutVisit {
  const row = state.db.get<CheckoutRow>('select * from checkouts where id = ?', id)
  if (!row) throw notFound('There is no such checkout.')
  return {
    ...row,
    params: JSON.parse(row.params) as WidgetParams,
    card: row.card ? (JSON.parse(row.card) as Card) : null,
  }
}
