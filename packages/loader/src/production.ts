/** Replaces `development.ts` and `check.ts` in every other build: instead of messages, a link to the page that explains them. */
import type { Settings } from './settings.ts'
import type { PurchaseWidgetOptions, WidgetErrorCode } from './types.ts'

export const explain = (code: WidgetErrorCode, about: string): string =>
  `${about && `${about} `}https://github.com/purchase-widget/toolkit/blob/main/docs/errors.md#${code}`

export const warnOfOrder = (_order: unknown): void => {}

export const checkOptions = (_options: PurchaseWidgetOptions): void => {}

export const warnOfReturn = (
  _url: string | undefined,
  _settings: Pick<Settings, 'allowedOrigins'>,
): void => {}
