/** Danish. */
import type { Language } from './types.ts'

const byIssuer = 'Kontakt din bank.'

export const da: Language = {
  words: {
    returning: 'Du kan gå tilbage til butikken.',
    signIn: 'Log ind først.',
    ended: 'Linket virker ikke længere. Start forfra i butikken.',
    tooMany: 'For mange forsøg. Prøv igen om et minut.',
    away: 'Købet kan ikke startes lige nu. Prøv igen om lidt.',
    failed: 'Noget gik galt. Prøv igen om lidt.',
    tryAgain: 'Prøv igen',
  },
  declineActions: {
    4000: 'Prøv igen.',
    4001: 'Indtast sikkerhedskoden igen.',
    4002: byIssuer,
    4003: 'Indtast gyldige kortoplysninger.',
    4004: 'Sæt penge ind på din bankkonto, og prøv igen.',
    4005: 'Brug et andet kort.',
    4010: byIssuer,
    4011: 'Brug et gyldigt kort.',
    4012: byIssuer,
    4013: 'Kontakt kundeservice.',
  },
}
