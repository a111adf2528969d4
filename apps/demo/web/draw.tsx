/** Draws the shop's page on the server, so that there is something to read before any script is here. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'

export const draw = (address: string): string =>
  renderToString(
    <StrictMode>
      <App address={address} />
    </StrictMode>,
  )
