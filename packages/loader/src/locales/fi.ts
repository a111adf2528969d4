/** Finnish. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Ota yhteyttä pankkiisi.'

export const strings: WidgetStrings = {
  title: 'Ostos',
  close: 'Sulje',
  loading: 'Ladataan…',
  connecting: 'Yhdistetään edelleen…',
  cancel: 'Peruuta',
  inOtherWindow: 'Ostossivu on auki toisessa ikkunassa.',
  bringToFront: 'Näytä ikkuna',
  windowLost: 'Jos suljit ostoikkunan, avaa se uudelleen.',
  finished: 'Olen jo valmis',
  trouble: 'Onko ongelmia?',
  notLoading: 'Ostossivua ei voitu ladata.',
  failed: 'Ostosta ei voitu aloittaa.',
  retry: 'Yritä uudelleen',
  openInNewWindow: 'Avaa uudessa ikkunassa',
  confirming: 'Tarkistetaan ostostasi…',
  notConfirmed: 'Vielä ei tiedetä, onnistuiko ostoksesi.',
  askAgain: 'Tarkista uudelleen',
  processing: 'Maksuasi käsitellään. Älä maksa uudelleen.',
  underReview: 'Olet maksanut. Kauppa tarkistaa ostostasi.',
  dismiss: 'Piilota',
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
