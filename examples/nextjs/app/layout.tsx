import { PurchaseWidgetProvider } from '@purchase-widget/react'
import type { Metadata } from 'next'
import type { ReactElement, ReactNode } from 'react'

export const metadata: Metadata = { title: 'Gold shop', icons: 'data:,' }

export default function Layout({ children }: { children: ReactNode }): ReactElement {
  return (
    <html lang="en">
      <body style={{ maxWidth: '32rem', margin: '0 auto', padding: '1rem', fontFamily: 'system-ui' }}>
        <PurchaseWidgetProvider companion="/api/purchase-widget">{children}</PurchaseWidgetProvider>
      </body>
    </html>
  )
}
