/** Dutch. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Neem contact op met je bank.'

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
  retry: 'Opnieuw proberen',
  openInNewWindow: 'Openen in een nieuw venster',
  confirming: 'Je aankoop wordt gecontroleerd…',
  notConfirmed: 'Het is nog niet bekend of je aankoop is gelukt.',
  askAgain: 'Opnieuw controleren',
  processing: 'Je betaling wordt verwerkt. Betaal niet nog een keer.',
  underReview: 'Je hebt betaald. De winkel bekijkt je aankoop.',
  dismiss: 'Verbergen',
  declineActions: {
    4000: 'Probeer het opnieuw.',
    4001: 'Voer de beveiligingscode opnieuw in.',
    4002: byIssuer,
    4003: 'Voer geldige kaartgegevens in.',
    4004: 'Zet geld op je rekening en probeer het opnieuw.',
    4005: 'Gebruik een andere kaart.',
    4010: byIssuer,
    4011: 'Gebruik een geldige kaart.',
    4012: byIssuer,
    4013: 'Neem contact op met de klantenservice.',
  },
}
