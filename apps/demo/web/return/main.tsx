/** Starts the return page. */
import { announceReturn } from '@purchase-widget/loader/return'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../theme.ts'
import { ReturnPage } from './ReturnPage.tsx'

// Before anything is drawn: a page that opened the widget may be waiting for this.
const info = announceReturn({ companion: '/api/purchase-widget' })

const root = document.getElementById('root')
if (!root) throw new Error('return.html has no element with the id "root".')
createRoot(root).render(
  <StrictMode>
    <ReturnPage info={info} />
  </StrictMode>,
)
