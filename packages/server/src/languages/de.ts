/** German. */
import type { Language } from './types.ts'

const byIssuer = 'Wenden Sie sich an Ihre Bank.'

export const de: Language = {
  words: {
    returning: 'Sie können zum Shop zurückkehren.',
    signIn: 'Melden Sie sich zuerst an.',
    ended: 'Dieser Link ist nicht mehr gültig. Beginnen Sie im Shop noch einmal von vorn.',
    tooMany: 'Zu viele Versuche. Versuchen Sie es in einer Minute erneut.',
    away: 'Der Kauf kann im Moment nicht gestartet werden. Versuchen Sie es in Kürze erneut.',
    failed: 'Es ist ein Fehler aufgetreten. Versuchen Sie es in Kürze erneut.',
    tryAgain: 'Erneut versuchen',
  },
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
