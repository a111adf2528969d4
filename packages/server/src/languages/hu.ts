/** Hungarian. */
import type { Language } from './types.ts'

const byIssuer = 'Forduljon a bankjához.'

export const hu: Language = {
  words: {
    returning: 'Visszatérhet az üzletbe.',
    signIn: 'Először jelentkezzen be.',
    ended: 'Ez a hivatkozás már nem működik. Kezdje újra az üzletben.',
    tooMany: 'Túl sok próbálkozás. Próbálja újra egy perc múlva.',
    away: 'A vásárlást most nem lehet elindítani. Próbálja újra kis idő múlva.',
    failed: 'Hiba történt. Próbálja újra kis idő múlva.',
    tryAgain: 'Próbálja újra',
  },
  declineActions: {
    4000: 'Próbálja újra.',
    4001: 'Adja meg újra a biztonsági kódot.',
    4002: byIssuer,
    4003: 'Adjon meg érvényes kártyaadatokat.',
    4004: 'Töltse fel a bankszámláját, és próbálja újra.',
    4005: 'Használjon másik kártyát.',
    4010: byIssuer,
    4011: 'Használjon érvényes kártyát.',
    4012: byIssuer,
    4013: 'Forduljon az ügyfélszolgálathoz.',
  },
}
