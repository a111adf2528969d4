/** Polish. */
import type { Language } from './types.ts'

const byIssuer = 'Skontaktuj się ze swoim bankiem.'

export const pl: Language = {
  words: {
    returning: 'Możesz wrócić do sklepu.',
    signIn: 'Najpierw się zaloguj.',
    ended: 'Ten link już nie działa. Zacznij od nowa w sklepie.',
    tooMany: 'Zbyt wiele prób. Spróbuj ponownie za minutę.',
    away: 'W tej chwili nie można rozpocząć zakupu. Spróbuj ponownie za chwilę.',
    failed: 'Coś poszło nie tak. Spróbuj ponownie za chwilę.',
    tryAgain: 'Spróbuj ponownie',
  },
  declineActions: {
    4000: 'Spróbuj ponownie.',
    4001: 'Wpisz ponownie kod zabezpieczający.',
    4002: byIssuer,
    4003: 'Podaj prawidłowe dane karty.',
    4004: 'Uzupełnij środki na karcie i spróbuj ponownie.',
    4005: 'Użyj innej karty.',
    4010: byIssuer,
    4011: 'Użyj ważnej karty.',
    4012: byIssuer,
    4013: 'Skontaktuj się z obsługą klienta.',
  },
}
