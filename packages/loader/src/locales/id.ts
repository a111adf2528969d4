/** Indonesian. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Silakan hubungi bank Anda.'

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
  retry: 'Coba lagi',
  openInNewWindow: 'Buka di jendela baru',
  confirming: 'Memeriksa pembelian Anda…',
  notConfirmed: 'Belum diketahui apakah pembelian Anda berhasil.',
  askAgain: 'Periksa lagi',
  processing: 'Pembayaran Anda sedang diproses. Jangan membayar lagi.',
  underReview: 'Anda sudah membayar. Toko sedang memeriksa pembelian Anda.',
  dismiss: 'Sembunyikan',
  declineActions: {
    4000: 'Silakan coba lagi.',
    4001: 'Silakan masukkan lagi kode keamanan.',
    4002: byIssuer,
    4003: 'Silakan masukkan data kartu yang benar.',
    4004: 'Silakan isi saldo kartu, lalu coba lagi.',
    4005: 'Silakan gunakan kartu lain.',
    4010: byIssuer,
    4011: 'Silakan gunakan kartu yang valid.',
    4012: byIssuer,
    4013: 'Silakan hubungi layanan pelanggan.',
  },
}
