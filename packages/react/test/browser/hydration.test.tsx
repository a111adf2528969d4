// Promise: react/hydration
import { PurchaseButton, PurchaseWidget, PurchaseWidgetProvider } from '@purchase-widget/react'
import { type ReactElement, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { bareUrl, eventually, frames, settle } from '../measure.ts'

describe('hydration', () => {
  it.each([
    ['as it is', (page: ReactElement) => page],
    ['in StrictMode', (page: ReactElement) => <StrictMode>{page}</StrictMode>],
  ])('takes over what the server rendered, %s, without a warning, and opens one frame', async (_, wrap) => {
    const error = vi.spyOn(console, 'error')
    const warn = vi.spyOn(console, 'warn')
    const onRecoverableError = vi.fn()
    const accessToken = vi.fn(async () => 'token')
    const onStateChange = vi.fn()
    const page = wrap(
      <PurchaseWidgetProvider widgetUrl={bareUrl} accessToken={accessToken}>
        <PurchaseWidget fallback="Just a moment" style={{ height: 600 }} onStateChange={onStateChange} />
        <PurchaseButton preload="intent">Buy</PurchaseButton>
      </PurchaseWidgetProvider>,
    )
    const element = document.body.appendChild(document.createElement('main'))
    element.innerHTML = renderToString(page)
    const button = element.querySelector('button')
    const root = hydrateRoot(element, page, { onRecoverableError })
    await eventually(() =>
      expect(onStateChange).toHaveBeenCalledWith(expect.objectContaining({ status: 'loaded' })),
    )
    expect(element.querySelector('button')).toBe(button)
    expect(frames()).toHaveLength(1)
    expect(accessToken).toHaveBeenCalledOnce()
    root.unmount()
    element.remove()
    await settle()
    expect(frames()).toHaveLength(0)
    expect(error.mock.calls.concat(warn.mock.calls, onRecoverableError.mock.calls)).toEqual([])
    vi.restoreAllMocks()
  })
})
