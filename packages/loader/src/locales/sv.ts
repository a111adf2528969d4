/** Swedish. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Köp',
  close: 'Stäng',
  loading: 'Laddar…',
  connecting: 'Ansluter fortfarande…',
  cancel: 'Avbryt',
  inOtherWindow: 'Ditt köp är öppet i ett annat fönster.',
  bringToFront: 'Visa fönstret',
  windowLost: 'Om du har stängt köpfönstret kan du öppna det igen.',
  finished: 'Jag är klar',
  trouble: 'Har du problem?',
  notLoading: 'Köpsidan kunde inte laddas.',
  failed: 'Köpet kunde inte startas.',
  notCharged: 'Du har inte debiterats.',
  retry: 'Försök igen',
  openInNewWindow: 'Öppna i ett nytt fönster',
  confirming: 'Kontrollerar ditt köp…',
  notConfirmed: 'Vi vet inte än om ditt köp gick igenom.',
  askAgain: 'Kontrollera igen',
  processing: 'Din betalning behandlas. Betala inte igen.',
  underReview: 'Du har betalat. Butiken granskar ditt köp.',
  dismiss: 'Dölj',
}
