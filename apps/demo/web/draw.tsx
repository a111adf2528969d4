/** Renders the shop's page on the server, so that it is readable before any script loads. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'

export const draw = (address: string): string =>
  renderToString(
    <StrictMode>
      <App address={address} />
    </StrictMode>,
  )
