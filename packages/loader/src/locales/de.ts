/** German. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Kauf',
  close: 'Schließen',
  loading: 'Wird geladen\u00a0…',
  connecting: 'Verbindung wird noch aufgebaut\u00a0…',
  cancel: 'Abbrechen',
  inOtherWindow: 'Ihr Kauf ist in einem anderen Fenster geöffnet.',
  bringToFront: 'Fenster anzeigen',
  windowLost: 'Wenn Sie das Kauffenster geschlossen haben, öffnen Sie es erneut.',
  finished: 'Ich bin fertig',
  trouble: 'Probleme?',
  notLoading: 'Die Kaufseite konnte nicht geladen werden.',
  failed: 'Der Kauf konnte nicht gestartet werden.',
  notCharged: 'Ihnen wurde nichts berechnet.',
  retry: 'Erneut versuchen',
  openInNewWindow: 'In neuem Fenster öffnen',
  confirming: 'Ihr Kauf wird geprüft\u00a0…',
  notConfirmed: 'Es ist noch nicht bekannt, ob Ihr Kauf abgeschlossen wurde.',
  askAgain: 'Erneut prüfen',
  processing: 'Ihre Zahlung wird verarbeitet. Bitte zahlen Sie nicht noch einmal.',
  underReview: 'Sie haben bezahlt. Der Shop prüft Ihren Kauf.',
  dismiss: 'Ausblenden',
}
