/** The loader in one file: for Jest, CommonJS, and pages that want no second file. */
import { createSession } from '../session.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from '../types.ts'
import { createWidget } from '../widget.ts'

export { getPendingResult } from '../outcome/pending.ts'

/** Like `createPurchaseWidget` of `@purchase-widget/loader`, with nothing left to load. */
export const createPurchaseWidget = (options: PurchaseWidgetOptions): PurchaseWidget =>
  createWidget(options, createSession)
