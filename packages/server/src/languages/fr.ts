/** French. */
import type { Language } from './types.ts'

const byIssuer = 'Contactez votre banque.'

export const fr: Language = {
  words: {
    returning: 'Vous pouvez revenir à la boutique.',
    signIn: 'Connectez-vous d’abord.',
    ended: 'Ce lien ne fonctionne plus. Recommencez depuis la boutique.',
    tooMany: 'Trop de tentatives. Réessayez dans une minute.',
    away: 'L’achat ne peut pas être lancé pour le moment. Réessayez dans un instant.',
    failed: 'Une erreur s’est produite. Réessayez dans un instant.',
    tryAgain: 'Réessayer',
  },
  declineActions: {
    4000: 'Réessayez.',
    4001: 'Saisissez à nouveau le code de sécurité.',
    4002: byIssuer,
    4003: 'Saisissez des informations de carte valides.',
    4004: 'Approvisionnez votre compte et réessayez.',
    4005: 'Utilisez une autre carte.',
    4010: byIssuer,
    4011: 'Utilisez une carte valide.',
    4012: byIssuer,
    4013: 'Contactez l’assistance.',
  },
}
