/** One shopper's visit to the widget page, kept so that a reload in the middle loses nothing. */
import { randomBytes } from 'node:crypto'
import { notFound } from '../refusal.ts'
import type { Checkout } from '../widget/protocol.ts'
import type { Card, CheckoutVisit, WidgetParams } from './rows.ts'
import type { State } from './state.ts'

interface CheckoutRow {
  id: string
  token: string
  params: string
  product_id: string
  email: string | null
  step: Checkout['step']
  card: string | null
  order_id: string | null
}

/** The id is a capability: who has it has the visit. */
export function addVisit(state: State, visit: Omit<CheckoutVisit, 'id'>): CheckoutVisit {
  const kept: CheckoutVisit = { ...visit, id: randomBytes(18).toString('base64url') }
  state.db.insert('checkouts', {
    ...kept,
    params: JSON.stringify(kept.params),
    card: kept.card && JSON.stringify(kept.card),
    created_at: state.clock.now(),
  })
  return kept
}

export function saveVisit(state: State, visit: CheckoutVisit): CheckoutVisit {
  state.db.run(
    'update checkouts set product_id = ?, email = ?, step = ?, card = ?, order_id = ? where id = ?',
    visit.product_id,
    visit.email,
    visit.step,
    visit.card && JSON.stringify(visit.card),
    visit.order_id,
    visit.id,
  )
  return visit
}

export function requireVisit(state: State, id: string): CheckoutVisit {
  const row = state.db.get<CheckoutRow>('select * from checkouts where id = ?', id)
  if (!row) throw notFound('There is no such checkout.')
  return {
    ...row,
    params: JSON.parse(row.params) as WidgetParams,
    card: row.card ? (JSON.parse(row.card) as Card) : null,
  }
}
