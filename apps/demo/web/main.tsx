/** Takes over the page that the server has drawn. */
import { announceReturn } from '@purchase-widget/loader/return'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import './theme.css'

// Before anything is drawn: a page that opened the widget may be waiting for this.
const returned =
  location.pathname === '/return' ? announceReturn({ companion: '/api/purchase-widget' }) : undefined

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
hydrateRoot(
  root,
  <StrictMode>
    <App address={location.href} returned={returned} />
  </StrictMode>,
)
