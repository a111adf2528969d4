/** Vietnamese. */
import type { WidgetStrings } from '../types.ts'

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
  notCharged: 'Bạn chưa bị tính phí.',
  retry: 'Thử lại',
  openInNewWindow: 'Mở trong cửa sổ mới',
  confirming: 'Đang kiểm tra giao dịch mua của bạn…',
  notConfirmed: 'Chưa rõ giao dịch mua của bạn đã hoàn tất hay chưa.',
  askAgain: 'Kiểm tra lại',
  processing: 'Khoản thanh toán của bạn đang được xử lý. Vui lòng không thanh toán lại.',
  underReview: 'Bạn đã thanh toán. Cửa hàng đang xem xét giao dịch mua của bạn.',
  dismiss: 'Ẩn',
}
