export { createPurchaseWidget } from './createPurchaseWidget.ts'
export {
  buildWidgetUrl,
  parseReturnUrl,
  type Redirect,
  type ReturnAddresses,
  resolveRedirect,
  type WidgetUrlParts,
} from './entries/url.ts'
export { isWidgetError } from './errors.ts'
export { isUnderWay, type WidgetDomEvents, type WidgetEventType, widgetEvents } from './events.ts'
export { getPendingResult } from './getPendingResult.ts'
export type { PendingOptions } from './outcome/pending.ts'
export type * from './types.ts'
