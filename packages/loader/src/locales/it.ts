/** Italian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Acquisto',
  close: 'Chiudi',
  loading: 'Caricamento…',
  connecting: 'Connessione ancora in corso…',
  cancel: 'Annulla',
  inOtherWindow: 'La pagina di acquisto è aperta in un’altra finestra.',
  bringToFront: 'Mostra la finestra',
  windowLost: 'Se hai chiuso la finestra di acquisto, riaprila.',
  finished: 'Ho finito',
  trouble: 'Problemi?',
  notLoading: 'Non è stato possibile caricare la pagina di acquisto.',
  failed: 'Non è stato possibile avviare l’acquisto.',
  notCharged: 'Non ti è stato addebitato nulla.',
  retry: 'Riprova',
  openInNewWindow: 'Apri in una nuova finestra',
  confirming: 'Verifica dell’acquisto in corso…',
  notConfirmed: 'Non sappiamo ancora se il tuo acquisto è andato a buon fine.',
  askAgain: 'Verifica di nuovo',
  processing: 'Il tuo pagamento è in corso di elaborazione. Non pagare di nuovo.',
  underReview: 'Pagamento effettuato. Il negozio sta controllando il tuo acquisto.',
  dismiss: 'Nascondi',
}
