import { announceReturn } from '@purchase-widget/loader/return'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../theme.ts'
import { returnAddresses } from '../purchase/choices.ts'
import { ReturnPage } from './ReturnPage.tsx'

// Before anything is drawn: the page that opened the widget is waiting for this.
const addresses = returnAddresses(location.origin)
const info = announceReturn({
  companion: '/api/purchase-widget',
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
