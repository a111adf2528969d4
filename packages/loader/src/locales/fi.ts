/** Finnish. */
import type { WidgetStrings } from '../types.ts'

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
  notCharged: 'Sinua ei ole veloitettu.',
  retry: 'Yritä uudelleen',
  openInNewWindow: 'Avaa uudessa ikkunassa',
  confirming: 'Tarkistetaan ostostasi…',
  notConfirmed: 'Vielä ei tiedetä, onnistuiko ostoksesi.',
  askAgain: 'Tarkista uudelleen',
  processing: 'Maksuasi käsitellään. Älä maksa uudelleen.',
  underReview: 'Olet maksanut. Kauppa tarkistaa ostostasi.',
  dismiss: 'Piilota',
}
