/** Japanese. */
import type { WidgetStrings } from '../types.ts'

const byIssuer = 'カード発行会社にお問い合わせください。'

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
  retry: '再試行',
  openInNewWindow: '新しいウィンドウで開く',
  confirming: '購入状況を確認しています…',
  notConfirmed: '購入が完了したかどうか、まだ確認できていません。',
  askAgain: 'もう一度確認する',
  processing: 'お支払いを処理しています。もう一度支払わないでください。',
  underReview: 'お支払いは完了しています。ショップが購入内容を確認しています。',
  dismiss: '非表示にする',
  declineActions: {
    4000: 'もう一度お試しください。',
    4001: 'セキュリティコードをもう一度入力してください。',
    4002: byIssuer,
    4003: '正しいカード情報を入力してください。',
    4004: '口座に入金してから、もう一度お試しください。',
    4005: '別のカードをご利用ください。',
    4010: byIssuer,
    4011: '有効なカードをご利用ください。',
    4012: byIssuer,
    4013: 'サポートにお問い合わせください。',
  },
}
