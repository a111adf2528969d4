/** Dutch. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Aankoop',
  close: 'Sluiten',
  loading: 'Laden…',
  connecting: 'Nog bezig met verbinden…',
  cancel: 'Annuleren',
  inOtherWindow: 'Je aankoop staat open in een ander venster.',
  bringToFront: 'Venster tonen',
  windowLost: 'Als je het aankoopvenster hebt gesloten, open het dan opnieuw.',
  finished: 'Ik ben klaar',
  trouble: 'Lukt het niet?',
  notLoading: 'De aankooppagina kon niet worden geladen.',
  failed: 'De aankoop kon niet worden gestart.',
  notCharged: 'Er is niets in rekening gebracht.',
  retry: 'Opnieuw proberen',
  openInNewWindow: 'Openen in een nieuw venster',
  confirming: 'Je aankoop wordt gecontroleerd…',
  notConfirmed: 'Het is nog niet bekend of je aankoop is gelukt.',
  askAgain: 'Opnieuw controleren',
  processing: 'Je betaling wordt verwerkt. Betaal niet nog een keer.',
  underReview: 'Je hebt betaald. De winkel bekijkt je aankoop.',
  dismiss: 'Verbergen',
}
