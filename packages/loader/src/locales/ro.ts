/** Romanian. */
import type { WidgetStrings } from '../types.ts'

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
  notCharged: 'Nu vi s-a perceput nicio sumă.',
  retry: 'Încearcă din nou',
  openInNewWindow: 'Deschide într-o fereastră nouă',
  confirming: 'Se verifică achiziția…',
  notConfirmed: 'Nu se știe încă dacă achiziția dvs. a reușit.',
  askAgain: 'Verifică din nou',
  processing: 'Plata dvs. este în curs de procesare. Nu plătiți din nou.',
  underReview: 'Plata a fost efectuată. Magazinul verifică achiziția dvs.',
  dismiss: 'Ascunde',
}
