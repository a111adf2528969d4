/** The loader in one file: for Jest, CommonJS, and pages that want no second one. */
import * as rest from '../rest.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from '../types.ts'
import { createWidget } from '../widget.ts'

export { getPendingResult } from '../rest.ts'

const stage = { now: () => rest, load: async () => rest }

/** As `createPurchaseWidget` of `@purchase-widget/loader`, with nothing left to load. */
export const createPurchaseWidget = (options: PurchaseWidgetOptions): PurchaseWidget =>
  createWidget(options, stage)
