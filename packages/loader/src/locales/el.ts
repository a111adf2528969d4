/** Greek. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Αγορά',
  close: 'Κλείσιμο',
  loading: 'Φόρτωση…',
  connecting: 'Γίνεται ακόμη σύνδεση…',
  cancel: 'Ακύρωση',
  inOtherWindow: 'Η σελίδα αγοράς είναι ανοιχτή σε άλλο παράθυρο.',
  bringToFront: 'Εμφάνιση παραθύρου',
  windowLost: 'Αν κλείσατε το παράθυρο της αγοράς, ανοίξτε το ξανά.',
  finished: 'Τελείωσα',
  trouble: 'Κάποιο πρόβλημα;',
  notLoading: 'Δεν ήταν δυνατή η φόρτωση της σελίδας αγοράς.',
  failed: 'Δεν ήταν δυνατή η έναρξη της αγοράς.',
  notCharged: 'Δεν χρεωθήκατε.',
  retry: 'Δοκιμάστε ξανά',
  openInNewWindow: 'Άνοιγμα σε νέο παράθυρο',
  confirming: 'Έλεγχος της αγοράς σας…',
  notConfirmed: 'Δεν είναι ακόμη γνωστό αν η αγορά σας ολοκληρώθηκε.',
  askAgain: 'Νέος έλεγχος',
  processing: 'Η πληρωμή σας βρίσκεται σε επεξεργασία. Μην πληρώσετε ξανά.',
  underReview: 'Η πληρωμή έγινε. Το κατάστημα εξετάζει την αγορά σας.',
  dismiss: 'Απόκρυψη',
}
