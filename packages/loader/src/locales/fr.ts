/** French. */
import type { WidgetStrings } from '../types.ts'

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
  notCharged: 'Aucun montant ne vous a été débité.',
  retry: 'Réessayer',
  openInNewWindow: 'Ouvrir dans une nouvelle fenêtre',
  confirming: 'Vérification de votre achat…',
  notConfirmed: 'Nous ne savons pas encore si votre achat a abouti.',
  askAgain: 'Vérifier à nouveau',
  processing: 'Votre paiement est en cours de traitement. Ne payez pas une seconde fois.',
  underReview: 'Paiement effectué. La boutique examine votre achat.',
  dismiss: 'Masquer',
}
