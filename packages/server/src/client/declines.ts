/** The codes of section 7 of the interface, and how to find one in an order. */
import type { OrderRecord } from './wire.ts'

/** Why a card payment was declined, and what the shopper should do. */
export interface Decline {
  code: string
  reason: string
  action: string
}

const notCharged = 'The card could not be charged and the order was not completed.'
const byIssuer = { reason: 'Payment declined by the card issuer.', action: 'Contact your card issuer.' }

export const DECLINE_CODES: Readonly<Record<string, Omit<Decline, 'code'>>> = {
  4000: { reason: notCharged, action: 'Try again.' },
  4001: { reason: 'Incorrect CVV/CVC.', action: 'Enter the security code again.' },
  4002: byIssuer,
  4003: { reason: 'Incorrect card details.', action: 'Enter valid card details.' },
  4004: { reason: 'Insufficient balance on the card.', action: 'Add funds and try again.' },
  4005: { reason: 'Card limit exceeded.', action: 'Use a different card.' },
  4010: byIssuer,
  4011: { reason: 'Card validation failed.', action: 'Provide a valid card.' },
  4012: byIssuer,
  4013: { reason: notCharged, action: 'Contact support.' },
}

/**
 * The decline of an order, or null. Which field has the code is not specified (U7): `fail_reason` is searched first, as
 * a whole or inside text, then `code` and `error_code` of the raw record.
 */
export function declineOf(order: Pick<OrderRecord, 'fail_reason' | 'raw'>): Decline | null {
  const { code, error_code } = order.raw
  for (const value of [order.fail_reason, code, error_code]) {
    for (const [found] of String(value ?? '').matchAll(/(?<!\d)40[01]\d(?!\d)/g)) {
      const entry = DECLINE_CODES[found]
      if (entry) return { code: found, ...entry }
    }
  }
  return null
}
