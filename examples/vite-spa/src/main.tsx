import { PurchaseWidgetProvider } from '@purchase-widget/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Shop } from './Shop.tsx'

// Stands for your sign-in: the companion answers only for someone it knows.
await fetch('/sign-in', { method: 'POST' })

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PurchaseWidgetProvider companion="/api/purchase-widget">
        <Shop />
      </PurchaseWidgetProvider>
    </StrictMode>,
  )
}
