/** Hungarian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Vásárlás',
  close: 'Bezárás',
  loading: 'Betöltés…',
  connecting: 'A kapcsolódás még tart…',
  cancel: 'Mégse',
  inOtherWindow: 'A vásárlási oldal egy másik ablakban van nyitva.',
  bringToFront: 'Ablak megjelenítése',
  windowLost: 'Ha bezárta a vásárlási ablakot, nyissa meg újra.',
  finished: 'Befejeztem',
  trouble: 'Elakadt?',
  notLoading: 'A vásárlási oldalt nem sikerült betölteni.',
  failed: 'A vásárlást nem sikerült elindítani.',
  notCharged: 'Nem történt terhelés.',
  retry: 'Próbálja újra',
  openInNewWindow: 'Megnyitás új ablakban',
  confirming: 'A vásárlás ellenőrzése…',
  notConfirmed: 'Még nem tudni, hogy a vásárlás sikerült-e.',
  askAgain: 'Újraellenőrzés',
  processing: 'A fizetés feldolgozása folyamatban van. Ne fizessen újra.',
  underReview: 'A fizetés megtörtént. Az üzlet ellenőrzi a vásárlást.',
  dismiss: 'Elrejtés',
}
