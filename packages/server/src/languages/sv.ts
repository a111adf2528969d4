/** Swedish. */
import type { Language } from './types.ts'

const byIssuer = 'Kontakta din bank.'

export const sv: Language = {
  words: {
    returning: 'Du kan gå tillbaka till butiken.',
    signIn: 'Logga in först.',
    ended: 'Länken fungerar inte längre. Börja om i butiken.',
    tooMany: 'För många försök. Försök igen om en minut.',
    away: 'Köpet kan inte startas just nu. Försök igen om en stund.',
    failed: 'Något gick fel. Försök igen om en stund.',
    tryAgain: 'Försök igen',
  },
  declineActions: {
    4000: 'Försök igen.',
    4001: 'Ange säkerhetskoden igen.',
    4002: byIssuer,
    4003: 'Ange giltiga kortuppgifter.',
    4004: 'Sätt in pengar på bankkontot och försök igen.',
    4005: 'Använd ett annat kort.',
    4010: byIssuer,
    4011: 'Använd ett giltigt kort.',
    4012: byIssuer,
    4013: 'Kontakta kundtjänst.',
  },
}
