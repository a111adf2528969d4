/** Danish. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Køb',
  close: 'Luk',
  loading: 'Indlæser…',
  connecting: 'Opretter stadig forbindelse…',
  cancel: 'Annuller',
  inOtherWindow: 'Dit køb er åbent i et andet vindue.',
  bringToFront: 'Vis vinduet',
  windowLost: 'Hvis du har lukket købsvinduet, kan du åbne det igen.',
  finished: 'Jeg er færdig',
  trouble: 'Har du problemer?',
  notLoading: 'Købssiden kunne ikke indlæses.',
  failed: 'Købet kunne ikke startes.',
  notCharged: 'Du er ikke blevet opkrævet.',
  retry: 'Prøv igen',
  openInNewWindow: 'Åbn i et nyt vindue',
  confirming: 'Vi tjekker dit køb…',
  notConfirmed: 'Vi ved endnu ikke, om dit køb er gået igennem.',
  askAgain: 'Tjek igen',
  processing: 'Din betaling behandles. Betal ikke igen.',
  underReview: 'Du har betalt. Butikken gennemgår dit køb.',
  dismiss: 'Skjul',
}
