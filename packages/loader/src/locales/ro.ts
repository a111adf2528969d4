/** Romanian. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Contactați banca dvs.'

export const strings: WidgetStrings = {
  title: 'Achiziție',
  close: 'Închide',
  loading: 'Se încarcă…',
  connecting: 'Încă se conectează…',
  cancel: 'Anulează',
  inOtherWindow: 'Pagina de achiziție este deschisă în altă fereastră.',
  bringToFront: 'Arată fereastra',
  windowLost: 'Dacă ați închis fereastra de cumpărare, deschideți-o din nou.',
  finished: 'Am terminat',
  trouble: 'Aveți probleme?',
  notLoading: 'Pagina de achiziție nu a putut fi încărcată.',
  failed: 'Achiziția nu a putut fi începută.',
  retry: 'Încearcă din nou',
  openInNewWindow: 'Deschide într-o fereastră nouă',
  confirming: 'Se verifică achiziția…',
  notConfirmed: 'Nu se știe încă dacă achiziția dvs. a reușit.',
  askAgain: 'Verifică din nou',
  processing: 'Plata dvs. este în curs de procesare. Nu plătiți din nou.',
  underReview: 'Plata a fost efectuată. Magazinul verifică achiziția dvs.',
  dismiss: 'Ascunde',
  declineActions: {
    4000: 'Încercați din nou.',
    4001: 'Introduceți din nou codul de securitate.',
    4002: byIssuer,
    4003: 'Introduceți date de card valide.',
    4004: 'Alimentați cardul și încercați din nou.',
    4005: 'Folosiți alt card.',
    4010: byIssuer,
    4011: 'Folosiți un card valid.',
    4012: byIssuer,
    4013: 'Contactați asistența.',
  },
}
