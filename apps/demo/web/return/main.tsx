import type { OrderSummary } from '@purchase-widget/loader'
import { announceReturn } from '@purchase-widget/loader/return'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../theme.ts'
import { returnAddresses } from '../purchase/choices.ts'
import { readJson } from '../shop/useJson.ts'
import { ReturnPage } from './ReturnPage.tsx'

const by = new URLSearchParams(location.search).get('by') === 'launch' ? 'launch' : 'page'
const addresses = returnAddresses(location.origin, by)

/** The server that launched the purchase knows its order; there was no page to remember the ones before. */
async function confirmLaunch(): Promise<OrderSummary | null> {
  const { order } = await readJson<{ order: OrderSummary | null }>('/api/shop/launched-order')
  return order
}

// Before anything is drawn: the page that opened the widget is waiting for this.
const info = announceReturn({
  ...(by === 'launch' ? { confirm: confirmLaunch } : { companion: '/api/purchase-widget' }),
  redirectUrl: addresses.redirect_url,
  failRedirectUrl: addresses.fail_redirect_url,
})

const root = document.getElementById('root')
if (!root) throw new Error('return.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <ReturnPage info={info} />
  </StrictMode>,
)
