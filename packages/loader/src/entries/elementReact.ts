/** `<purchase-widget>` in the JSX of React 18 and 19: registers the element, and types it. */
import type { DetailedHTMLProps } from 'react'
import type { PurchaseWidgetAttributes, PurchaseWidgetElement } from './element.ts'
import './element.ts'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // React's own names are in scope here, so that `HTMLAttributes` is not imported.
      'purchase-widget': DetailedHTMLProps<HTMLAttributes<PurchaseWidgetElement>, PurchaseWidgetElement> &
        PurchaseWidgetAttributes & { options?: PurchaseWidgetElement['options'] }
    }
  }
}
