/** English. */
import type { Language } from './types.ts'

const byIssuer = 'Contact your card issuer.'

export const en: Language = {
  words: {
    returning: 'You can go back to the shop.',
    signIn: 'Sign in first.',
    ended: 'This link does not work any more. Begin again in the shop.',
    tooMany: 'Too many attempts. Try again in a minute.',
    away: 'The purchase cannot be started at the moment. Try again soon.',
    failed: 'Something went wrong. Try again soon.',
    tryAgain: 'Try again',
  },
  declineActions: {
    4000: 'Try again.',
    4001: 'Enter the security code again.',
    4002: byIssuer,
    4003: 'Enter valid card details.',
    4004: 'Add funds and try again.',
    4005: 'Use a different card.',
    4010: byIssuer,
    4011: 'Provide a valid card.',
    4012: byIssuer,
    4013: 'Contact support.',
  },
}
