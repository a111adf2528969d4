/** Widget users and their cards: sections 1.5, 2.4 and 4.6 of the interface. */
import { randomUUID } from 'node:crypto'
import { invalid } from '../refusal.ts'
import type { Card, CardRow, UserRow } from './rows.ts'
import type { State } from './state.ts'

export type NewUser = Pick<
  UserRow,
  'email' | 'phone' | 'phone_country' | 'first_name' | 'last_name' | 'date_of_birth' | 'country' | 'state'
>

/**
 * Adds a user in the low-KYC state. Runs in the caller's transaction.
 *
 * @throws Refusal when the e-mail address already belongs to a user.
 */
export function addUser(state: State, user: NewUser): UserRow {
  if (findUserByEmail(state, user.email)) throw invalid('email', 'already belongs to a user')
  const row: UserRow = {
    ...user,
    user_id: state.newId(),
    id: randomUUID(),
    created_at: state.clock.now(),
    lkyc_status: 'success',
    fkyc_status: 'not initiated',
    crypto_spending: '0.00',
    digital_goods_spending: '0.00',
  }
  state.db.insert('users', { ...row })
  state.announce({ event: 'user.created', user_id: row.user_id, lkyc_status: row.lkyc_status })
  return row
}

/** Default values for the fields that the widget page doesn't ask for. */
const shopper = {
  phone: '+12015550123',
  phone_country: 'US',
  first_name: 'Sandbox',
  last_name: 'Shopper',
  date_of_birth: '1990-01-31',
  country: 'USA',
  state: 'CA',
}

export const findOrAddShopper = (state: State, email: string): UserRow =>
  findUserByEmail(state, email) ?? addUser(state, { ...shopper, email })

export const findUser = (state: State, userId: string): UserRow | undefined =>
  state.db.get<UserRow>('select * from users where user_id = ?', userId)

export const findUserByEmail = (state: State, email: string): UserRow | undefined =>
  state.db.get<UserRow>('select * from users where email = ?', email)

export const listUsers = (state: State, limit: number): UserRow[] =>
  state.db.all<UserRow>('select * from users order by user_id desc limit ?', limit)

export function setFullKyc(state: State, userId: string, status: string): void {
  state.db.run('update users set fkyc_status = ? where user_id = ?', status, userId)
  state.announce({ event: 'user.updated', user_id: userId, fkyc_status: status })
}

export const setSpending = (
  state: State,
  userId: string,
  kind: 'crypto' | 'digital_goods',
  amount: string,
): number => state.db.run(`update users set ${kind}_spending = ? where user_id = ?`, amount, userId)

export const cardsOf = (state: State, userId: string): CardRow[] =>
  state.db.all<CardRow>('select * from cards where user_id = ? order by created_at, rowid', userId)

export const findCard = (state: State, cardId: string): CardRow | undefined =>
  state.db.get<CardRow>('select * from cards where card_id = ?', cardId)

/** Returns the user's card, and links it first if necessary. */
export function linkCard(state: State, userId: string, card: Card): CardRow {
  const known = cardsOf(state, userId).find(
    (linked) => linked.brand === card.brand && linked.last_digits === card.last_digits,
  )
  if (known) return known
  const row: CardRow = {
    card_id: state.newId(),
    user_id: userId,
    brand: card.brand,
    last_digits: card.last_digits,
    renewal_decline: card.renewalDecline,
    created_at: state.clock.now(),
  }
  state.db.insert('cards', { ...row })
  return row
}
