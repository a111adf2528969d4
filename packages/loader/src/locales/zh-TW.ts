/** Chinese, traditional. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: '購買',
  close: '關閉',
  loading: '載入中…',
  connecting: '仍在連線…',
  cancel: '取消',
  inOtherWindow: '您的購買頁面已在另一個視窗中開啟。',
  bringToFront: '顯示視窗',
  windowLost: '如果您已關閉購買視窗，請重新開啟。',
  finished: '我已完成',
  trouble: '遇到問題？',
  notLoading: '無法載入購買頁面。',
  failed: '無法開始購買。',
  notCharged: '您未被收取任何費用。',
  retry: '再試一次',
  openInNewWindow: '在新視窗中開啟',
  confirming: '正在查詢購買結果…',
  notConfirmed: '目前尚無法確定您的購買是否成功。',
  askAgain: '重新查詢',
  processing: '您的付款正在處理中，請勿重複付款。',
  underReview: '您已付款，商店正在核對您的訂單。',
  dismiss: '隱藏',
}
