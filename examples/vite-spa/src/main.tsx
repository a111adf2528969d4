import { PurchaseWidgetProvider } from '@purchase-widget/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Shop } from './Shop.tsx'

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
