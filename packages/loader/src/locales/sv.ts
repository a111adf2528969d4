/** Swedish. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Kontakta din bank.'

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
  retry: 'Försök igen',
  openInNewWindow: 'Öppna i ett nytt fönster',
  confirming: 'Kontrollerar ditt köp…',
  notConfirmed: 'Vi vet inte än om ditt köp gick igenom.',
  askAgain: 'Kontrollera igen',
  processing: 'Din betalning behandlas. Betala inte igen.',
  underReview: 'Du har betalat. Butiken granskar ditt köp.',
  dismiss: 'Dölj',
  declineActions: {
    4000: 'Försök igen.',
    4001: 'Ange säkerhetskoden igen.',
    4002: byIssuer,
    4003: 'Ange giltiga kortuppgifter.',
    4004: 'Sätt in pengar på bankkontot och försök igen.',
    4005: 'Använd ett annat kort.',
    4010: byIssuer,
    4011: 'Använd ett giltigt kort.',
    4012: byIssuer,
    4013: 'Kontakta kundtjänst.',
  },
}
