/** Access tokens: section 2.1 of the interface. */
import { randomBytes } from 'node:crypto'
import { unauthorized } from '../refusal.ts'
import type { TokenRow } from './rows.ts'
import type { State } from './state.ts'

export const expirationDays = ['7', '30', '180', '365', 'infinite'] as const
export type ExpirationDays = (typeof expirationDays)[number]

const dayMs = 24 * 60 * 60 * 1000

export function createToken(state: State, days: ExpirationDays): TokenRow {
  const created_at = state.clock.now()
  const row: TokenRow = {
    token: `sandbox_token_${randomBytes(24).toString('base64url')}`,
    created_at,
    expires_at: days === 'infinite' ? null : created_at + Number(days) * dayMs,
    replaced: 0,
  }
  state.db.transaction(() => {
    if (state.switches.refreshInvalidates) state.db.run('update tokens set replaced = 1')
    state.db.insert('tokens', { ...row })
  })
  return row
}

/** @throws Refusal (401) unless the token is one of ours, unexpired by the sandbox's clock and not replaced. */
export function requireToken(state: State, token: string | undefined): TokenRow {
  if (!token) throw unauthorized('accessToken', 'is required')
  const row = state.db.get<TokenRow>('select * from tokens where token = ?', token)
  if (!row) throw unauthorized('accessToken', 'is not a token of this service')
  const status = tokenStatus(row, state.clock.now())
  if (status === 'expired') throw unauthorized('accessToken', 'has expired; refresh it')
  if (status === 'replaced') throw unauthorized('accessToken', 'was replaced by a newer token')
  return row
}

export type TokenStatus = 'live' | 'expired' | 'replaced'

export function tokenStatus(row: TokenRow, now: number): TokenStatus {
  if (row.replaced) return 'replaced'
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'live'
}

export const listTokens = (state: State, limit: number): TokenRow[] =>
  state.db.all('select * from tokens order by created_at desc, rowid desc limit ?', limit)
