/** Italian. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Contatta la tua banca.'

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
  retry: 'Riprova',
  openInNewWindow: 'Apri in una nuova finestra',
  confirming: 'Verifica dell’acquisto in corso…',
  notConfirmed: 'Non sappiamo ancora se il tuo acquisto è andato a buon fine.',
  askAgain: 'Verifica di nuovo',
  processing: 'Il tuo pagamento è in corso di elaborazione. Non pagare di nuovo.',
  underReview: 'Pagamento effettuato. Il negozio sta controllando il tuo acquisto.',
  dismiss: 'Nascondi',
  declineActions: {
    4000: 'Riprova.',
    4001: 'Inserisci di nuovo il codice di sicurezza.',
    4002: byIssuer,
    4003: 'Inserisci dati validi della carta.',
    4004: 'Aggiungi fondi alla carta e riprova.',
    4005: 'Usa un’altra carta.',
    4010: byIssuer,
    4011: 'Usa una carta valida.',
    4012: byIssuer,
    4013: 'Contatta l’assistenza.',
  },
}
