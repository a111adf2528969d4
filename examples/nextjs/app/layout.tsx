import { PurchaseWidgetProvider } from '@purchase-widget/react'
import type { Metadata } from 'next'
import type { ReactElement, ReactNode } from 'react'
import './shop.css'

export const metadata: Metadata = { title: 'Gold shop', icons: 'data:,' }

export default function Layout({ children }: { children: ReactNode }): ReactElement {
  return (
    <html lang="en">
      <body>
        <PurchaseWidgetProvider companion="/api/purchase-widget">{children}</PurchaseWidgetProvider>
      </body>
    </html>
  )
}
