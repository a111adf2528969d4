/** What stands in the place of `development.ts` in every other build: no words, and the page that has them. */
import type { PurchaseWidgetOptions, WidgetErrorCode } from './types.ts'

export const explain = (code: WidgetErrorCode, about: string): string =>
  `${about && `${about} `}https://github.com/purchase-widget/toolkit/blob/main/docs/errors.md#${code}`

export const mistakeInOrder = (_order: unknown): string | undefined => undefined

export const mistakeIn = (_options: PurchaseWidgetOptions): string | undefined => undefined
