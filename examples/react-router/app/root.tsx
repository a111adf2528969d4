import { PurchaseWidgetProvider } from '@purchase-widget/react'
import type { ReactElement, ReactNode } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'

export function Layout({ children }: { children: ReactNode }): ReactElement {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body style={{ maxWidth: '32rem', margin: '0 auto', padding: '1rem', fontFamily: 'system-ui' }}>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function App(): ReactElement {
  return (
    <PurchaseWidgetProvider companion="/api/purchase-widget">
      <Outlet />
    </PurchaseWidgetProvider>
  )
}
