/** Hydrates the server-rendered page. */
import { announceReturn } from '@purchase-widget/loader/return'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import './theme.css'

// Runs before rendering: a page that opened the widget may be waiting for it.
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
