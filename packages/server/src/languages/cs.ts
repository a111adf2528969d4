/** Czech. */
import type { Language } from './types.ts'

const byIssuer = 'Obraťte se na svou banku.'

export const cs: Language = {
  words: {
    returning: 'Můžete se vrátit do obchodu.',
    signIn: 'Nejprve se přihlaste.',
    ended: 'Tento odkaz už nefunguje. Začněte znovu v obchodě.',
    tooMany: 'Příliš mnoho pokusů. Zkuste to znovu za minutu.',
    away: 'Nákup teď nelze zahájit. Zkuste to znovu za chvíli.',
    failed: 'Něco se nepovedlo. Zkuste to znovu za chvíli.',
    tryAgain: 'Zkusit znovu',
  },
  declineActions: {
    4000: 'Zkuste to znovu.',
    4001: 'Zadejte znovu bezpečnostní kód.',
    4002: byIssuer,
    4003: 'Zadejte platné údaje karty.',
    4004: 'Vložte peníze na bankovní účet a zkuste to znovu.',
    4005: 'Použijte jinou kartu.',
    4010: byIssuer,
    4011: 'Použijte platnou kartu.',
    4012: byIssuer,
    4013: 'Obraťte se na zákaznickou podporu.',
  },
}
