/** How card data is written while it is typed, and what can be said about it before it is sent. */
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
/** For each field that cannot be right, the sentence that says so. */
export type PayErrors = Partial<Record<PayField, Sentence>>

/** What is missing or cannot be right. Whether a card is in date is the server's to say: it has the clock. */
export function checkPayment(payment: PayCheckout): PayErrors {
  const errors: PayErrors = {}
  if (!/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(payment.email.trim())) errors.email = 'emailInvalid'
  if (digitsOf(payment.card_number).length < 12) errors.card_number = 'cardInvalid'
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(payment.expiry_date)) errors.expiry_date = 'expiryInvalid'
  if (payment.security_code.length < 3) errors.security_code = 'codeInvalid'
  return errors
}

/** As the server wants it: the card number without its spaces. */
export function toPayCheckout(payment: PayCheckout): PayCheckout {
  return { ...payment, email: payment.email.trim(), card_number: digitsOf(payment.card_number) }
}
