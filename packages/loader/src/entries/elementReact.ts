/**
 * `<purchase-widget>` in the JSX of React 18 and 19: registers the element, and types it.
 *
 * React 18 sets no properties: set `options` through a `ref`.
 */
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
