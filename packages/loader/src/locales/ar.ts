/** Arabic. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'عملية الشراء',
  close: 'إغلاق',
  loading: 'جارٍ التحميل…',
  connecting: 'لا يزال الاتصال جاريًا…',
  cancel: 'إلغاء',
  inOtherWindow: 'صفحة الشراء مفتوحة في نافذة أخرى.',
  bringToFront: 'عرض النافذة',
  windowLost: 'إذا أغلقت نافذة الشراء، فافتحها من جديد.',
  finished: 'لقد انتهيت',
  trouble: 'هل تواجه مشكلة؟',
  notLoading: 'تعذّر تحميل صفحة الشراء.',
  failed: 'تعذّر بدء عملية الشراء.',
  notCharged: 'لم يُخصم منك أي مبلغ.',
  retry: 'إعادة المحاولة',
  openInNewWindow: 'فتح في نافذة جديدة',
  confirming: 'جارٍ التحقق من عملية الشراء…',
  notConfirmed: 'لم يتضح بعد ما إذا كانت عملية الشراء قد تمت.',
  askAgain: 'التحقق مرة أخرى',
  processing: 'جارٍ معالجة الدفع. لا تدفع مرة أخرى.',
  underReview: 'تم الدفع. يراجع المتجر عملية الشراء.',
  dismiss: 'إخفاء',
}
