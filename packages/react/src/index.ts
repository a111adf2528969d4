'use client'

export type { PurchaseResult, ReturnEvent, WidgetError, WidgetState } from '@purchase-widget/loader'
export {
  type Container,
  type ElementAttributes,
  type PurchaseWidgetEvents,
  PurchaseWidgetProvider,
  type PurchaseWidgetProviderProps,
  type SharedOptions,
  type SurfaceOptions,
  type UsePurchaseWidgetOptions,
} from './options.ts'
export * from './PurchaseButton.ts'
export * from './PurchaseWidget.ts'
export type { PurchaseWidgetHandle } from './slot.ts'
export { type UsePurchaseWidget, usePurchaseWidget } from './usePurchaseWidget.ts'
