/** The loader in one file: for Jest, CommonJS, and pages that want no second file. */
import { createSession, getPendingResult } from '../rest.ts'
import type { Stage } from '../stage.ts'
import type { PurchaseWidget, PurchaseWidgetOptions } from '../types.ts'
import { createWidget } from '../widget.ts'

export { getPendingResult }

const rest = { createSession, getPendingResult }

/** Nothing is left to load. */
export const complete: Stage = { now: () => rest, load: async () => rest }

/** Like `createPurchaseWidget` of `@purchase-widget/loader`, with nothing left to load. */
export const createPurchaseWidget = (options: PurchaseWidgetOptions): PurchaseWidget =>
  createWidget(options, complete)
