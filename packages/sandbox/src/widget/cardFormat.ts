/** Formats card data while it is typed, and validates it before it is sent. */
import type { Sentence } from './languages.ts'
import type { PayCheckout } from './protocol.ts'

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** `4242424242424242` → `4242 4242 4242 4242`. */
export function formatCardNumber(text: string): string {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** `1228`, `12/28`, `12/2028` → `12/28`; `5` → `05`, because no month begins with 5. */
export function formatExpiryDate(text: string): string {
  const typed = digitsOf(text)
  const digits = /^[2-9]/.test(typed) ? `0${typed}` : typed
  const month = digits.slice(0, 2)
  const year = /^20\d\d$/.test(digits.slice(2)) ? digits.slice(4, 6) : digits.slice(2, 4)
  return year ? `${month}/${year}` : month
}

export function formatSecurityCode(text: string): string {
  return digitsOf(text).slice(0, 4)
}

export type PayField = keyof PayCheckout
/** The error sentence for each invalid field. */
export type PayErrors = Partial<Record<PayField, Sentence>>

/** Finds missing or invalid fields. Only the server checks whether a card has expired, because it has the clock. */
export function checkPayment(payment: PayCheckout): PayErrors {
  const errors: PayErrors = {}
  if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(payment.email.trim())) errors.email = 'emailInvalid'
  if (digitsOf(payment.card_number).length < 12) errors.card_number = 'cardInvalid'
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(payment.expiry_date)) errors.expiry_date = 'expiryInvalid'
  if (payment.security_code.length < 3) errors.security_code = 'codeInvalid'
  return errors
}

/** The payment as the server expects it: the card number without spaces. */
export function toPayCheckout(payment: PayCheckout): PayCheckout {
  return { ...payment, email: payment.email.trim(), card_number: digitsOf(payment.card_number) }
}
