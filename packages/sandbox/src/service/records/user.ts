/** A user as the service writes it: sections 2.4 and 2.5 of the interface. */
import { z } from 'zod'
import { type Limits, limitsOf } from '../../domain/kyc.ts'
import type { CardRow, UserRow } from '../../state/rows.ts'
import type { State } from '../../state/state.ts'
import { cardsOf } from '../../state/users.ts'

export interface UserRecord {
  country: string
  created_at: string
  fkyc_status: string
  lkyc_status: string
  limits: Limits
  linked_payment_methods: {
    method: string
    cards: { brand: string; card_id: string; created_at: string; last_digits: string }[]
  }[]
  phone: string
  phone_country: string
  user_id: string
}

const decimal = z.string().regex(/^\d+\.\d{2,8}$/)

export const limitsSchema: z.ZodType<Limits> = z
  .object({
    crypto_remaining: decimal,
    crypto_spending: decimal,
    digital_goods_remaining: decimal,
    digital_goods_spending: decimal,
  })
  .meta({ id: 'Limits', description: 'Section 2.5' })

export const userRecordSchema: z.ZodType<UserRecord> = z
  .object({
    country: z.string().length(3),
    created_at: z.iso.datetime({ precision: 3 }),
    fkyc_status: z.string(),
    lkyc_status: z.string(),
    limits: limitsSchema,
    linked_payment_methods: z.array(
      z.object({
        method: z.string(),
        cards: z.array(
          z.object({
            brand: z.string(),
            card_id: z.string(),
            created_at: z.iso.datetime({ precision: 3 }),
            last_digits: z.string().length(4),
          }),
        ),
      }),
    ),
    phone: z.string(),
    phone_country: z.string().length(2),
    user_id: z.string().length(26),
  })
  .meta({ id: 'User', description: 'Section 2.4' })

export function toUserRecord(state: State, user: UserRow): UserRecord {
  const cards = cardsOf(state, user.user_id)
  const known = state.switches.statuses === 'known'
  return {
    country: user.country,
    created_at: new Date(user.created_at).toISOString(),
    fkyc_status: known ? user.fkyc_status : 'manual review',
    lkyc_status: known ? user.lkyc_status : 'provisional',
    limits: limitsOf(state.limits, user),
    linked_payment_methods: cards.length === 0 ? [] : [{ method: 'bank_card', cards: cards.map(toCard) }],
    phone: mask(user.phone, 4, 2),
    phone_country: user.phone_country,
    user_id: user.user_id,
  }
}

const toCard = (card: CardRow): UserRecord['linked_payment_methods'][number]['cards'][number] => ({
  brand: card.brand,
  card_id: mask(card.card_id, 4, 4),
  created_at: new Date(card.created_at).toISOString(),
  last_digits: card.last_digits,
})

/** All but the first and last few characters as stars. */
function mask(text: string, first: number, last: number): string {
  const hidden = Math.max(0, text.length - first - last)
  return text.slice(0, first) + '*'.repeat(hidden) + text.slice(first + hidden)
}
