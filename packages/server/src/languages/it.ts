/** Italian. */
import type { Language } from './types.ts'

const byIssuer = 'Contatta la tua banca.'

export const it: Language = {
  words: {
    returning: 'Puoi tornare al negozio.',
    signIn: 'Prima effettua l’accesso.',
    ended: 'Questo link non funziona più. Ricomincia dal negozio.',
    tooMany: 'Troppi tentativi. Riprova tra un minuto.',
    away: 'Al momento non è possibile avviare l’acquisto. Riprova tra poco.',
    failed: 'Qualcosa è andato storto. Riprova tra poco.',
    tryAgain: 'Riprova',
  },
  declineActions: {
    4000: 'Riprova.',
    4001: 'Inserisci di nuovo il codice di sicurezza.',
    4002: byIssuer,
    4003: 'Inserisci dati validi della carta.',
    4004: 'Aggiungi fondi alla carta e riprova.',
    4005: 'Usa un’altra carta.',
    4010: byIssuer,
    4011: 'Usa una carta valida.',
    4012: byIssuer,
    4013: 'Contatta l’assistenza.',
  },
}
