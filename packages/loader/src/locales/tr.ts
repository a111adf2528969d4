/** Turkish. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Satın alma',
  close: 'Kapat',
  loading: 'Yükleniyor…',
  connecting: 'Bağlantı hâlâ kuruluyor…',
  cancel: 'İptal',
  inOtherWindow: 'Satın alma sayfası başka bir pencerede açık.',
  bringToFront: 'Pencereyi göster',
  windowLost: 'Satın alma penceresini kapattıysanız yeniden açın.',
  finished: 'Tamamladım',
  trouble: 'Sorun mu yaşıyorsunuz?',
  notLoading: 'Satın alma sayfası yüklenemedi.',
  failed: 'Satın alma işlemi başlatılamadı.',
  notCharged: 'Sizden ücret alınmadı.',
  retry: 'Tekrar dene',
  openInNewWindow: 'Yeni pencerede aç',
  confirming: 'Satın alma işleminiz kontrol ediliyor…',
  notConfirmed: 'Satın alma işleminizin tamamlanıp tamamlanmadığı henüz bilinmiyor.',
  askAgain: 'Tekrar kontrol et',
  processing: 'Ödemeniz işleniyor. Lütfen tekrar ödeme yapmayın.',
  underReview: 'Ödeme yapıldı. Mağaza satın alma işleminizi inceliyor.',
  dismiss: 'Gizle',
}
