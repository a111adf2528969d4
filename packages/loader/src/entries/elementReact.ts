/** `<purchase-widget>` in the JSX of React 18 and 19: registers the element, and types it. */
import type * as React from 'react'
import type { PurchaseWidgetAttributes, PurchaseWidgetElement } from './element.ts'
import './element.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'purchase-widget': React.DetailedHTMLProps<
        React.HTMLAttributes<PurchaseWidgetElement>,
        PurchaseWidgetElement
      > &
        PurchaseWidgetAttributes & { options?: PurchaseWidgetElement['options'] }
    }
  }
}
