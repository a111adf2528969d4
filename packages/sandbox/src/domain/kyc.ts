/** Limits by KYC state: sections 2.5 and 8 of the interface, with amounts of our own (U18). */
import { z } from 'zod'
import type { LimitKind } from '../state/rows.ts'
import type { LimitAmounts, LimitTable } from '../state/state.ts'
import { add, fits, isAmount, remainder, subtract } from './money.ts'

export const defaultLimits: LimitTable = {
  low: { crypto: '150.00', digital_goods: '500.00' },
  full: { crypto: '20000.00', digital_goods: '50000.00' },
}

const limitAmount = z
  .string()
  .refine((text) => isAmount(text) || /^0(\.0{1,8})?$/.test(text), 'must be a decimal amount, as in "150.00"')
const limitAmounts = z.strictObject({ crypto: limitAmount, digital_goods: limitAmount })
export const limitTableSchema: z.ZodType<LimitTable> = z.strictObject({
  low: limitAmounts,
  full: limitAmounts,
})

/** The fields of a user on which limits depend. */
export interface Spender {
  fkyc_status: string
  crypto_spending: string
  digital_goods_spending: string
}

/** Section 2.5 of the interface. */
export interface Limits {
  crypto_remaining: string
  crypto_spending: string
  digital_goods_remaining: string
  digital_goods_spending: string
}

const tier = (table: LimitTable, spender: Spender): LimitAmounts =>
  spender.fkyc_status === 'success' ? table.full : table.low

const spendingOf = (spender: Spender, kind: LimitKind): string =>
  kind === 'crypto' ? spender.crypto_spending : spender.digital_goods_spending

export const remaining = (table: LimitTable, spender: Spender, kind: LimitKind): string =>
  remainder(tier(table, spender)[kind], spendingOf(spender, kind))

export const withinLimit = (table: LimitTable, spender: Spender, kind: LimitKind, amount: string): boolean =>
  fits(amount, remaining(table, spender, kind))

export const withinFullLimit = (
  table: LimitTable,
  spender: Spender,
  kind: LimitKind,
  amount: string,
): boolean => fits(amount, remainder(table.full[kind], spendingOf(spender, kind)))

export const spent = (spender: Spender, kind: LimitKind, amount: string): string =>
  add(spendingOf(spender, kind), amount)

export const unspent = (spender: Spender, kind: LimitKind, amount: string): string =>
  subtract(spendingOf(spender, kind), amount)

export const limitsOf = (table: LimitTable, spender: Spender): Limits => ({
  crypto_remaining: remaining(table, spender, 'crypto'),
  crypto_spending: spender.crypto_spending,
  digital_goods_remaining: remaining(table, spender, 'digital_goods'),
  digital_goods_spending: spender.digital_goods_spending,
})
