/** Finnish. */
import type { Language } from './types.ts'

const byIssuer = 'Ota yhteyttä pankkiisi.'

export const fi: Language = {
  words: {
    returning: 'Voit palata kauppaan.',
    signIn: 'Kirjaudu ensin sisään.',
    ended: 'Tämä linkki ei toimi enää. Aloita alusta kaupassa.',
    tooMany: 'Liian monta yritystä. Yritä uudelleen minuutin kuluttua.',
    away: 'Ostosta ei voida juuri nyt aloittaa. Yritä pian uudelleen.',
    failed: 'Jokin meni vikaan. Yritä pian uudelleen.',
    tryAgain: 'Yritä uudelleen',
  },
  declineActions: {
    4000: 'Yritä uudelleen.',
    4001: 'Anna turvakoodi uudelleen.',
    4002: byIssuer,
    4003: 'Anna oikeat korttitiedot.',
    4004: 'Lisää rahaa pankkitilillesi ja yritä uudelleen.',
    4005: 'Käytä toista korttia.',
    4010: byIssuer,
    4011: 'Käytä voimassa olevaa korttia.',
    4012: byIssuer,
    4013: 'Ota yhteyttä asiakaspalveluun.',
  },
}
