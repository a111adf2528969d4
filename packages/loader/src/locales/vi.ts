/** Vietnamese. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'Vui lòng liên hệ với ngân hàng của bạn.'

export const strings: WidgetStrings = {
  title: 'Mua hàng',
  close: 'Đóng',
  loading: 'Đang tải…',
  connecting: 'Vẫn đang kết nối…',
  cancel: 'Hủy',
  inOtherWindow: 'Trang mua hàng đang mở ở cửa sổ khác.',
  bringToFront: 'Hiện cửa sổ',
  windowLost: 'Nếu bạn đã đóng cửa sổ mua hàng, hãy mở lại.',
  finished: 'Tôi đã hoàn tất',
  trouble: 'Bạn gặp sự cố?',
  notLoading: 'Không thể tải trang mua hàng.',
  failed: 'Không thể bắt đầu giao dịch mua.',
  retry: 'Thử lại',
  openInNewWindow: 'Mở trong cửa sổ mới',
  confirming: 'Đang kiểm tra giao dịch mua của bạn…',
  notConfirmed: 'Chưa rõ giao dịch mua của bạn đã hoàn tất hay chưa.',
  askAgain: 'Kiểm tra lại',
  processing: 'Khoản thanh toán của bạn đang được xử lý. Vui lòng không thanh toán lại.',
  underReview: 'Bạn đã thanh toán. Cửa hàng đang xem xét giao dịch mua của bạn.',
  dismiss: 'Ẩn',
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
