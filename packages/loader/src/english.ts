/** English, the loader's default. ASCII only: a page may read the script in another encoding. */
import { firstTexts } from './notice.ts'
import type { WidgetStrings } from './types.ts'

export const english: WidgetStrings = {
  title: 'Purchase',
  close: 'Close',
  loading: 'Loading...',
  connecting: firstTexts.connecting,
  cancel: 'Cancel',
  inOtherWindow: 'Your purchase is open in another window.',
  bringToFront: 'Show window',
  windowLost: 'If you have closed the purchase window, open it again.',
  finished: 'I have finished',
  trouble: 'Having trouble?',
  failed: firstTexts.failed,
  notCharged: firstTexts.notCharged,
  retry: 'Try again',
  openInNewWindow: 'Open in a new window',
  confirming: 'Checking your purchase...',
  notConfirmed: firstTexts.notConfirmed,
  askAgain: 'Check again',
  processing: 'Your payment is being processed. Do not pay again.',
  underReview: 'You have paid. The shop is looking at your purchase.',
  dismiss: 'Dismiss',
}
