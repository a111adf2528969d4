'use client'

export type { PurchaseResult, ReturnEvent, WidgetError, WidgetState } from '@purchase-widget/loader'
export type {
  Container,
  ElementAttributes,
  PurchaseWidgetEvents,
  SharedOptions,
  SurfaceOptions,
  UsePurchaseWidgetOptions,
} from './options.ts'
export {
  PurchaseButton,
  type PurchaseButtonElementProps,
  type PurchaseButtonProps,
  type PurchaseButtonState,
  type PurchaseLinkElementProps,
} from './PurchaseButton.ts'
export { PurchaseWidget, type PurchaseWidgetProps } from './PurchaseWidget.ts'
export { PurchaseWidgetProvider, type PurchaseWidgetProviderProps } from './provider.ts'
export type { PurchaseWidgetHandle } from './slot.ts'
export { type UsePurchaseWidget, usePurchaseWidget } from './usePurchaseWidget.ts'
