/** `<purchase-widget>` in JSX, for the compiler to check. */
import '@purchase-widget/loader/element/react'
import type { ReactElement } from 'react'

export const elements: ReactElement[] = [
  <purchase-widget
    key={1}
    className="checkout"
    companion="/api/purchase-widget"
    redirect-page="new"
    load-timeout={9000}
    page-token
    param-product_id="gold-100"
    options={{ interpretMessage: () => null }}
  />,
  // @ts-expect-error no such mode
  <purchase-widget key={2} mode="window" />,
  // @ts-expect-error not a number
  <purchase-widget key={3} load-timeout={true} />,
]
