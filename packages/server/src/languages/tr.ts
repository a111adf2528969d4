/** Turkish. */
import type { Language } from './types.ts'

const byIssuer = 'Bankanızla iletişime geçin.'

export const tr: Language = {
  words: {
    returning: 'Mağazaya dönebilirsiniz.',
    signIn: 'Önce oturum açın.',
    ended: 'Bu bağlantı artık çalışmıyor. Mağazadan yeniden başlayın.',
    tooMany: 'Çok fazla deneme yapıldı. Bir dakika sonra tekrar deneyin.',
    away: 'Satın alma işlemi şu anda başlatılamıyor. Kısa bir süre sonra tekrar deneyin.',
    failed: 'Bir sorun oluştu. Kısa bir süre sonra tekrar deneyin.',
    tryAgain: 'Tekrar dene',
  },
  declineActions: {
    4000: 'Tekrar deneyin.',
    4001: 'Güvenlik kodunu tekrar girin.',
    4002: byIssuer,
    4003: 'Geçerli kart bilgileri girin.',
    4004: 'Banka hesabınıza para yatırıp tekrar deneyin.',
    4005: 'Başka bir kart kullanın.',
    4010: byIssuer,
    4011: 'Geçerli bir kart kullanın.',
    4012: byIssuer,
    4013: 'Destek ekibiyle iletişime geçin.',
  },
}
