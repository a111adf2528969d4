/** Polish. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Zakup',
  close: 'Zamknij',
  loading: 'Wczytywanie…',
  connecting: 'Nadal trwa łączenie…',
  cancel: 'Anuluj',
  inOtherWindow: 'Strona zakupu jest otwarta w innym oknie.',
  bringToFront: 'Pokaż okno',
  windowLost: 'Jeśli okno zakupu zostało zamknięte, otwórz je ponownie.',
  finished: 'Gotowe',
  trouble: 'Masz problem?',
  notLoading: 'Nie udało się wczytać strony zakupu.',
  failed: 'Nie udało się rozpocząć zakupu.',
  notCharged: 'Nie pobrano żadnej opłaty.',
  retry: 'Spróbuj ponownie',
  openInNewWindow: 'Otwórz w nowym oknie',
  confirming: 'Sprawdzanie zakupu…',
  notConfirmed: 'Nie wiadomo jeszcze, czy zakup się powiódł.',
  askAgain: 'Sprawdź ponownie',
  processing: 'Płatność jest przetwarzana. Nie płać ponownie.',
  underReview: 'Zakup został opłacony. Sklep go sprawdza.',
  dismiss: 'Ukryj',
}
