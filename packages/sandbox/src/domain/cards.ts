/** Test cards: which succeed, which are declined, and which stop working at a subscription's renewal. */
import { invalid } from '../refusal.ts'
import type { Card } from '../state/rows.ts'
import { type DeclineCode, declines, type PayCheckout } from '../widget/protocol.ts'

export const workingCard = '4242424242424242'
/** Accepts the first payment, and has an insufficient balance (4004) at each renewal. */
const renewalDecliningCard = '4000000000000341'
const decliningCards = '400000000000'

/**
 * Reads a card form. `4242 4242 4242 4242` succeeds, `4000 0000 0000 NNNN` is declined with the code NNNN, and
 * any other number is not a test card and is declined with 4003, incorrect card details.
 *
 * @throws Refusal naming the malformed field.
 */
export function readCard(input: Omit<PayCheckout, 'email'>, now: number): Card {
  const number = input.card_number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number)) throw invalid('card_number', 'must have 12 to 19 digits')
  checkExpiry(input.expiry_date, now)
  if (!/^\d{3,4}$/.test(input.security_code.trim())) throw invalid('security_code', 'must have 3 or 4 digits')
  // Only a card that has paid is ever shown, and both cards that can pay are Visa cards.
  return { brand: 'visa', last_digits: number.slice(-4), ...behaviourOf(number) }
}

function behaviourOf(number: string): Pick<Card, 'decline' | 'renewalDecline'> {
  if (number === workingCard) return { decline: null, renewalDecline: null }
  if (number === renewalDecliningCard) return { decline: null, renewalDecline: '4004' }
  const code = number.slice(-4)
  const declined = number.length === 16 && number.startsWith(decliningCards) && isDeclineCode(code)
  return { decline: declined ? code : '4003', renewalDecline: null }
}

const isDeclineCode = (code: string): code is DeclineCode => Object.hasOwn(declines, code)

function checkExpiry(expiry: string, now: number): void {
  const match = /^(0[1-9]|1[0-2])\s*\/\s*(\d\d)$/.exec(expiry.trim())
  if (!match) throw invalid('expiry_date', 'must be a month and a year, as in 04/31')
  const [, month, year] = match
  // A card is valid until the end of its expiry month.
  if (Date.UTC(2000 + Number(year), Number(month)) <= now) throw invalid('expiry_date', 'is in the past')
}
