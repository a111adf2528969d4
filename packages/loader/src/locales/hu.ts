/** Hungarian. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Forduljon a bankjához.'

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
  retry: 'Próbálja újra',
  openInNewWindow: 'Megnyitás új ablakban',
  confirming: 'A vásárlás ellenőrzése…',
  notConfirmed: 'Még nem tudni, hogy a vásárlás sikerült-e.',
  askAgain: 'Újraellenőrzés',
  processing: 'A fizetés feldolgozása folyamatban van. Ne fizessen újra.',
  underReview: 'A fizetés megtörtént. Az üzlet ellenőrzi a vásárlást.',
  dismiss: 'Elrejtés',
  declineActions: {
    4000: 'Próbálja újra.',
    4001: 'Adja meg újra a biztonsági kódot.',
    4002: byIssuer,
    4003: 'Adjon meg érvényes kártyaadatokat.',
    4004: 'Töltse fel a bankszámláját, és próbálja újra.',
    4005: 'Használjon másik kártyát.',
    4010: byIssuer,
    4011: 'Használjon érvényes kártyát.',
    4012: byIssuer,
    4013: 'Forduljon az ügyfélszolgálathoz.',
  },
}
