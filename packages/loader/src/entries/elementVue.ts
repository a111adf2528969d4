/** `<purchase-widget>` in the templates of Vue: registers the element, and types it. */
import type { DefineComponent } from 'vue'
import type { PurchaseWidgetAttributes, PurchaseWidgetElement } from './element.ts'
import './element.ts'

declare module 'vue' {
  interface GlobalComponents {
    'purchase-widget': DefineComponent<
      PurchaseWidgetAttributes & { options?: PurchaseWidgetElement['options'] }
    >
  }
}
