/** The codes sent when a transaction fails, and what they tell the shopper: section 7 of the interface. */
import type { DeclineCode } from '../state/rows.ts'
export interface Decline {
  code: DeclineCode
  reason: string
  action: string
}

const table: Record<DeclineCode, { reason: string; action: string }> = {
  '4000': {
    reason: 'The card could not be charged and the order was not completed.',
    action: 'Please try again.',
  },
  '4001': { reason: 'Incorrect CVV/CVC.', action: 'Please enter the security code again.' },
  '4002': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4003': { reason: 'Incorrect card details.', action: 'Please enter valid card details.' },
  '4004': {
    reason: 'Insufficient balance on the card.',
    action: 'Please add funds to the card and try again.',
  },
  '4005': { reason: 'Card limit exceeded.', action: 'Please use a different card.' },
  '4010': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4011': { reason: 'Card validation failed.', action: 'Please provide a valid card.' },
  '4012': { reason: 'Payment declined by the card issuer.', action: 'Please contact your card issuer.' },
  '4013': {
    reason: 'The card could not be charged and the order was not completed.',
    action: 'Please contact support.',
  },
}

export const isDeclineCode = (code: string): code is DeclineCode => Object.hasOwn(table, code)

export const declineCodes: readonly DeclineCode[] = Object.keys(table).filter(isDeclineCode)

export const decline = (code: DeclineCode): Decline => ({ code, ...table[code] })
