/** Chinese, simplified. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: '购买',
  close: '关闭',
  loading: '正在加载…',
  connecting: '仍在连接…',
  cancel: '取消',
  inOtherWindow: '您的购买页面已在另一个窗口中打开。',
  bringToFront: '显示窗口',
  windowLost: '如果您已关闭购买窗口，请重新打开。',
  finished: '我已完成',
  trouble: '遇到问题？',
  notLoading: '无法加载购买页面。',
  failed: '无法开始购买。',
  notCharged: '您未被收取任何费用。',
  retry: '重试',
  openInNewWindow: '在新窗口中打开',
  confirming: '正在查询购买结果…',
  notConfirmed: '目前尚无法确定您的购买是否成功。',
  askAgain: '重新查询',
  processing: '您的付款正在处理中，请勿重复付款。',
  underReview: '您已付款，商店正在核实您的订单。',
  dismiss: '隐藏',
}
