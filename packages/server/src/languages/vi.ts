/** Vietnamese. */
import type { Language } from './types.ts'

const byIssuer = 'Vui lòng liên hệ với ngân hàng của bạn.'

export const vi: Language = {
  words: {
    returning: 'Bạn có thể quay lại cửa hàng.',
    signIn: 'Vui lòng đăng nhập trước.',
    ended: 'Liên kết này không còn hoạt động. Vui lòng bắt đầu lại từ cửa hàng.',
    tooMany: 'Bạn đã thử quá nhiều lần. Vui lòng thử lại sau một phút.',
    away: 'Hiện không thể bắt đầu giao dịch mua. Vui lòng thử lại sau giây lát.',
    failed: 'Đã xảy ra lỗi. Vui lòng thử lại sau giây lát.',
    tryAgain: 'Thử lại',
  },
  declineActions: {
    4000: 'Vui lòng thử lại.',
    4001: 'Vui lòng nhập lại mã bảo mật.',
    4002: byIssuer,
    4003: 'Vui lòng nhập thông tin thẻ hợp lệ.',
    4004: 'Vui lòng nạp thêm tiền vào thẻ rồi thử lại.',
    4005: 'Vui lòng dùng thẻ khác.',
    4010: byIssuer,
    4011: 'Vui lòng dùng thẻ hợp lệ.',
    4012: byIssuer,
    4013: 'Vui lòng liên hệ bộ phận hỗ trợ.',
  },
}
