/** Indonesian. */
import type { Language } from './types.ts'

const byIssuer = 'Silakan hubungi bank Anda.'

export const id: Language = {
  words: {
    returning: 'Anda dapat kembali ke toko.',
    signIn: 'Silakan masuk terlebih dahulu.',
    ended: 'Tautan ini sudah tidak berlaku. Silakan mulai lagi dari toko.',
    tooMany: 'Terlalu banyak percobaan. Silakan coba lagi setelah satu menit.',
    away: 'Pembelian tidak dapat dimulai saat ini. Silakan coba beberapa saat lagi.',
    failed: 'Terjadi kesalahan. Silakan coba beberapa saat lagi.',
    tryAgain: 'Coba lagi',
  },
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
