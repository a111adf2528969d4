/** Dutch. */
import type { Language } from './types.ts'

const byIssuer = 'Neem contact op met je bank.'

export const nl: Language = {
  words: {
    returning: 'Je kunt teruggaan naar de winkel.',
    signIn: 'Log eerst in.',
    ended: 'Deze link werkt niet meer. Begin opnieuw in de winkel.',
    tooMany: 'Te veel pogingen. Probeer het over een minuut opnieuw.',
    away: 'De aankoop kan nu niet worden gestart. Probeer het zo meteen opnieuw.',
    failed: 'Er is iets misgegaan. Probeer het zo meteen opnieuw.',
    tryAgain: 'Opnieuw proberen',
  },
  declineActions: {
    4000: 'Probeer het opnieuw.',
    4001: 'Voer de beveiligingscode opnieuw in.',
    4002: byIssuer,
    4003: 'Voer geldige kaartgegevens in.',
    4004: 'Zet geld op je rekening en probeer het opnieuw.',
    4005: 'Gebruik een andere kaart.',
    4010: byIssuer,
    4011: 'Gebruik een geldige kaart.',
    4012: byIssuer,
    4013: 'Neem contact op met de klantenservice.',
  },
}
