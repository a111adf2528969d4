/** Romanian. */
import type { Language } from './types.ts'

const byIssuer = 'Contactați banca dvs.'

export const ro: Language = {
  words: {
    returning: 'Puteți reveni la magazin.',
    signIn: 'Conectați-vă mai întâi.',
    ended: 'Acest link nu mai funcționează. Reveniți la magazin și începeți din nou.',
    tooMany: 'Prea multe încercări. Încercați din nou peste un minut.',
    away: 'Achiziția nu poate fi începută momentan. Încercați din nou peste puțin timp.',
    failed: 'A apărut o eroare. Încercați din nou peste puțin timp.',
    tryAgain: 'Încearcă din nou',
  },
  declineActions: {
    4000: 'Încercați din nou.',
    4001: 'Introduceți din nou codul de securitate.',
    4002: byIssuer,
    4003: 'Introduceți date de card valide.',
    4004: 'Alimentați cardul și încercați din nou.',
    4005: 'Folosiți alt card.',
    4010: byIssuer,
    4011: 'Folosiți un card valid.',
    4012: byIssuer,
    4013: 'Contactați asistența.',
  },
}
