// Promise: react/server
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { PurchaseButton, PurchaseWidget, PurchaseWidgetProvider } from '@purchase-widget/react'
import { type ReactElement, StrictMode, version } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const page: ReactElement = (
  <StrictMode>
    <PurchaseWidgetProvider companion="/api/purchase-widget">
      <PurchaseWidget fallback={<p>Just a moment</p>} className="checkout" />
      <PurchaseButton mode="popup" preload="eager">
        Buy
      </PurchaseButton>
    </PurchaseWidgetProvider>
  </StrictMode>
)

const html =
  '<p>Just a moment</p><div class="checkout" hidden=""></div>' +
  '<button type="button" aria-busy="false" data-status="idle">Buy</button>'

describe(`on a server with React ${version}`, () => {
  beforeEach(() => {
    vi.spyOn(console, 'error')
    vi.spyOn(console, 'warn')
  })

  afterEach(() => {
    expect(console.error).not.toHaveBeenCalled()
    expect(console.warn).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('renders to a string: the fallback, and nothing opens', () => {
    expect(renderToString(page)).toBe(html)
  })

  it('renders to a stream', async () => {
    const stream = new PassThrough()
    const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(stream) })
    expect(await text(stream)).toBe(html)
  })
})
