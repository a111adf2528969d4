/** Hebrew. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'רכישה',
  close: 'סגירה',
  loading: 'בטעינה…',
  connecting: 'עדיין מתבצע חיבור…',
  cancel: 'ביטול',
  inOtherWindow: 'דף הרכישה פתוח בחלון אחר.',
  bringToFront: 'הצגת החלון',
  windowLost: 'אם סגרתם את חלון הרכישה, פתחו אותו שוב.',
  finished: 'סיימתי',
  trouble: 'נתקלת בבעיה?',
  notLoading: 'לא ניתן היה לטעון את דף הרכישה.',
  failed: 'לא ניתן היה להתחיל את הרכישה.',
  notCharged: 'לא חויבת.',
  retry: 'ניסיון נוסף',
  openInNewWindow: 'פתיחה בחלון חדש',
  confirming: 'בודקים את מצב הרכישה…',
  notConfirmed: 'עדיין לא ידוע אם הרכישה הושלמה.',
  askAgain: 'בדיקה נוספת',
  processing: 'התשלום שלך בעיבוד. אין לשלם שוב.',
  underReview: 'התשלום בוצע. החנות בודקת את הרכישה שלך.',
  dismiss: 'הסתרה',
}
