/** German. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Wenden Sie sich an Ihre Bank.'

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
  retry: 'Erneut versuchen',
  openInNewWindow: 'In neuem Fenster öffnen',
  confirming: 'Ihr Kauf wird geprüft\u00a0…',
  notConfirmed: 'Es ist noch nicht bekannt, ob Ihr Kauf abgeschlossen wurde.',
  askAgain: 'Erneut prüfen',
  processing: 'Ihre Zahlung wird verarbeitet. Bitte zahlen Sie nicht noch einmal.',
  underReview: 'Sie haben bezahlt. Der Shop prüft Ihren Kauf.',
  dismiss: 'Ausblenden',
  declineActions: {
    4000: 'Versuchen Sie es erneut.',
    4001: 'Geben Sie den Sicherheitscode erneut ein.',
    4002: byIssuer,
    4003: 'Geben Sie gültige Kartendaten ein.',
    4004: 'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.',
    4005: 'Verwenden Sie eine andere Karte.',
    4010: byIssuer,
    4011: 'Verwenden Sie eine gültige Karte.',
    4012: byIssuer,
    4013: 'Wenden Sie sich an den Kundenservice.',
  },
}
