/** French. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Contactez votre banque.'

export const strings: WidgetStrings = {
  title: 'Achat',
  close: 'Fermer',
  loading: 'Chargement…',
  connecting: 'Connexion toujours en cours…',
  cancel: 'Annuler',
  inOtherWindow: 'La page d’achat est ouverte dans une autre fenêtre.',
  bringToFront: 'Afficher la fenêtre',
  windowLost: 'Si vous avez fermé la fenêtre d’achat, rouvrez-la.',
  finished: 'J’ai terminé',
  trouble: 'Un problème\u202f?',
  notLoading: 'La page d’achat n’a pas pu être chargée.',
  failed: 'L’achat n’a pas pu être lancé.',
  retry: 'Réessayer',
  openInNewWindow: 'Ouvrir dans une nouvelle fenêtre',
  confirming: 'Vérification de votre achat…',
  notConfirmed: 'Nous ne savons pas encore si votre achat a abouti.',
  askAgain: 'Vérifier à nouveau',
  processing: 'Votre paiement est en cours de traitement. Ne payez pas une seconde fois.',
  underReview: 'Paiement effectué. La boutique examine votre achat.',
  dismiss: 'Masquer',
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
