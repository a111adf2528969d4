/** Japanese. */
import type { WidgetStrings } from '../types.ts'

export const strings: WidgetStrings = {
  title: '購入手続き',
  close: '閉じる',
  loading: '読み込み中…',
  connecting: '接続に時間がかかっています…',
  cancel: 'キャンセル',
  inOtherWindow: '購入手続きは別のウィンドウで開いています。',
  bringToFront: 'ウィンドウを表示',
  windowLost: '購入のウィンドウを閉じた場合は、もう一度開いてください。',
  finished: '手続きを終えました',
  trouble: 'お困りですか？',
  notLoading: '購入画面を読み込めませんでした。',
  failed: '購入手続きを開始できませんでした。',
  notCharged: '料金は請求されていません。',
  retry: '再試行',
  openInNewWindow: '新しいウィンドウで開く',
  confirming: '購入状況を確認しています…',
  notConfirmed: '購入が完了したかどうか、まだ確認できていません。',
  askAgain: 'もう一度確認する',
  processing: 'お支払いを処理しています。もう一度支払わないでください。',
  underReview: 'お支払いは完了しています。ショップが購入内容を確認しています。',
  dismiss: '非表示にする',
}
