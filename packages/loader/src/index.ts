export { createPurchaseWidget } from './createPurchaseWidget.ts'
export { isWidgetError } from './errors.ts'
export type * from './types.ts'
export {
  buildWidgetUrl,
  parseReturnUrl,
  type Redirect,
  type ReturnAddresses,
  resolveRedirect,
  type WidgetUrlParts,
} from './url.ts'
