/** Takes over the shop's page that the server has drawn. */
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import '../theme.ts'
import { App } from './App.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root".')
hydrateRoot(
  root,
  <StrictMode>
    <App address={window.location.href} />
  </StrictMode>,
)
