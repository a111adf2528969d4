/** Indonesian. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: 'Pembelian',
  close: 'Tutup',
  loading: 'Memuat…',
  connecting: 'Masih menghubungkan…',
  cancel: 'Batal',
  inOtherWindow: 'Halaman pembelian terbuka di jendela lain.',
  bringToFront: 'Tampilkan jendela',
  windowLost: 'Jika Anda telah menutup jendela pembelian, buka kembali.',
  finished: 'Saya sudah selesai',
  trouble: 'Ada masalah?',
  notLoading: 'Halaman pembelian tidak dapat dimuat.',
  failed: 'Pembelian tidak dapat dimulai.',
  notCharged: 'Anda tidak dikenai biaya.',
  retry: 'Coba lagi',
  openInNewWindow: 'Buka di jendela baru',
  confirming: 'Memeriksa pembelian Anda…',
  notConfirmed: 'Belum diketahui apakah pembelian Anda berhasil.',
  askAgain: 'Periksa lagi',
  processing: 'Pembayaran Anda sedang diproses. Jangan membayar lagi.',
  underReview: 'Anda sudah membayar. Toko sedang memeriksa pembelian Anda.',
  dismiss: 'Sembunyikan',
}
