// Promise: react/reload
/** A page that was reloaded while its shopper paid: its buttons are busy, and one callback receives the result. */
import { PurchaseButton, PurchaseWidget, usePurchaseWidget } from '@purchase-widget/react'
import { render, renderHook, screen } from '@testing-library/react'
import * as React from 'react'
import { describe, expect, it, vi } from 'vitest'
import { eventually, frames, settle } from '../measure.ts'
import {
  bars,
  buttons,
  companion,
  complete,
  failed,
  pending,
  reloadBeforeEach,
  server,
  storePurchase,
  success,
} from '../reloaded.ts'

const { StrictMode } = React
// React 18 does not have it.
const Activity: typeof React.Activity | undefined = React.Activity

reloadBeforeEach()

describe('after a reload in the middle of a payment', () => {
  it('every button is busy until the end, and one component reports the result', async () => {
    server.answer = pending
    const onResult = vi.fn()
    const onSuccess = vi.fn()
    const button = (
      <PurchaseButton companion={companion} onResult={onResult} onSuccess={onSuccess}>
        Buy
      </PurchaseButton>
    )
    render(
      <StrictMode>
        {button}
        {button}
        {button}
      </StrictMode>,
    )
    await eventually(() => expect(buttons()).toEqual(['pending', 'pending', 'pending']))
    expect(bars()).toBe(1)
    server.answer = complete
    await eventually(() => expect(buttons()).toEqual(['idle', 'idle', 'idle']))
    expect(onResult.mock.calls).toEqual([[success]])
    expect(onSuccess.mock.calls).toEqual([[success]])
    expect(bars()).toBe(0)
    expect(server.begun).toBe(0)
  })

  it('a page that the history restores after a payment reports the result', async () => {
    sessionStorage.clear()
    const onSuccess = vi.fn()
    render(<PurchaseButton companion={companion} onSuccess={onSuccess} />)
    await settle()
    // The page was left for the payment.
    storePurchase()
    server.answer = complete
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
    await settle()
    expect(onSuccess).not.toHaveBeenCalled()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    await eventually(() => expect(onSuccess.mock.calls).toEqual([[success]]))
  })

  it('a component that was unmounted meanwhile is silent, and another reports the result', async () => {
    server.answer = pending
    const [gone, onResult] = [vi.fn(), vi.fn()]
    const first = render(<PurchaseButton companion={companion} onResult={gone} />)
    render(<PurchaseButton companion={companion} onResult={onResult} />)
    await eventually(() => expect(buttons()).toEqual(['pending', 'pending']))
    first.unmount()
    server.answer = complete
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    expect(gone).not.toHaveBeenCalled()
  })

  it('a purchase that one component resumes and another continues by a click is reported once', async () => {
    server.answer = pending
    const onResult = vi.fn()
    const onSuccess = vi.fn()
    const button = <PurchaseButton companion={companion} onResult={onResult} onSuccess={onSuccess} />
    const stored = `${sessionStorage.getItem('purchase-widget')}`
    sessionStorage.clear()
    render(button)
    await settle()
    // Paid in a popup meanwhile; then the page mounts another button.
    sessionStorage.setItem('purchase-widget', stored)
    render(button)
    await eventually(() => expect(buttons()).toEqual(['idle', 'pending']))
    screen.getAllByRole('button')[0]?.click()
    await eventually(() => expect(buttons()).toEqual(['pending', 'pending']))
    server.answer = complete
    await eventually(() => expect(bars()).toBe(0))
    await settle()
    expect(onResult.mock.calls).toEqual([[success]])
    expect(onSuccess.mock.calls).toEqual([[success]])
  })

  it('a result that comes while no component is mounted is reported by the next one', async () => {
    server.answer = pending
    const [gone, onResult] = [vi.fn(), vi.fn()]
    const first = render(<PurchaseButton companion={companion} onResult={gone} />)
    await eventually(() => expect(buttons()).toEqual(['pending']))
    first.unmount()
    server.answer = complete
    await eventually(() => expect(bars()).toBe(0))
    for (const mounted of [1, 2]) {
      const { unmount } = render(<PurchaseButton companion={companion} onResult={onResult} />)
      await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
      await settle()
      unmount()
      expect(onResult.mock.calls, `${mounted}`).toEqual([[success]])
    }
    expect(gone).not.toHaveBeenCalled()
  })

  it.skipIf(!Activity)(
    'a button that Activity hides until the end is not busy when it comes back',
    async () => {
      if (!Activity) return
      server.answer = pending
      const page = (isHidden: boolean) => (
        <Activity mode={isHidden ? 'hidden' : 'visible'}>
          <PurchaseButton companion={companion}>Buy</PurchaseButton>
        </Activity>
      )
      const { rerender, container } = render(page(false))
      const status = () => container.querySelector('button')?.dataset.status
      await eventually(() => expect(status()).toBe('pending'))
      rerender(page(true))
      server.answer = complete
      await eventually(() => expect(bars()).toBe(0))
      rerender(page(false))
      await eventually(() => expect(status()).toBe('idle'))
    },
  )

  it.skipIf(!Activity)(
    'a button that has continued the purchase by a click is not busy when it comes back from Activity',
    async () => {
      if (!Activity) return
      server.answer = pending
      const onResult = vi.fn()
      const page = (isHidden: boolean) => (
        <Activity mode={isHidden ? 'hidden' : 'visible'}>
          <PurchaseButton companion={companion} onResult={onResult}>
            Buy
          </PurchaseButton>
        </Activity>
      )
      const { rerender, container } = render(page(false))
      const buy = container.querySelector('button')
      await eventually(() => expect(buy?.dataset.status).toBe('pending'))
      buy?.click()
      await settle()
      server.answer = complete
      await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
      rerender(page(true))
      await settle()
      rerender(page(false))
      await settle()
      expect(buy?.dataset.status).toBe('idle')
    },
  )

  it.skipIf(!Activity)(
    'a button that Activity hides during its purchase reports the result when it is shown again',
    async () => {
      if (!Activity) return
      sessionStorage.clear()
      const onResult = vi.fn()
      const page = (isHidden: boolean) => (
        <Activity mode={isHidden ? 'hidden' : 'visible'}>
          <PurchaseButton companion={companion} widgetOrigin={location.origin} onResult={onResult}>
            Buy
          </PurchaseButton>
        </Activity>
      )
      const { rerender, container } = render(page(false))
      container.querySelector('button')?.click()
      await eventually(() => expect(frames()).toHaveLength(1))
      rerender(page(true))
      await settle()
      server.answer = complete
      rerender(page(false))
      await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    },
  )

  it('a click on Buy opens no other purchase, and receives the result', async () => {
    server.answer = pending
    const onResult = vi.fn()
    const { result } = renderHook(() => usePurchaseWidget({ companion, onResult }))
    await eventually(() => expect(result.current.state).toEqual({ status: 'confirming', mode: 'modal' }))
    const opened = result.current.open()
    server.answer = complete
    expect(await opened).toEqual(success)
    await eventually(() => expect(result.current.state).toEqual({ status: 'settled', result: success }))
    expect(onResult.mock.calls).toEqual([[success]])
    expect(server.begun).toBe(0)
  })

  it('a shopper who dismisses the message can click Buy again', async () => {
    server.answer = pending
    const onStateChange = vi.fn()
    render(
      <PurchaseButton companion={companion} onStateChange={onStateChange}>
        Buy
      </PurchaseButton>,
    )
    await eventually(() => expect(buttons()).toEqual(['pending']))
    for (const { shadowRoot } of document.querySelectorAll('div'))
      shadowRoot?.querySelector<HTMLButtonElement>('[part=bar] button')?.click()
    await eventually(() => expect(buttons()).toEqual(['idle']))
    expect(bars()).toBe(0)
    expect(onStateChange.mock.calls).toEqual([
      [{ status: 'confirming', mode: 'modal' }],
      [{ status: 'idle' }],
    ])
  })

  it('the page asks with the component’s headers and shows its texts', async () => {
    server.answer = pending
    const strings = { processing: 'One moment, please.' }
    const headers = { authorization: 'Bearer ada' }
    render(
      <PurchaseButton companion={companion} headers={headers} strings={strings}>
        Buy
      </PurchaseButton>,
    )
    const texts = () => [...document.querySelectorAll('div')].map(({ shadowRoot }) => shadowRoot?.textContent)
    await eventually(() => expect(texts().join()).toContain(strings.processing))
    for (const [, init] of vi.mocked(window.fetch).mock.calls)
      expect(new Headers(init?.headers).get('authorization')).toBe(headers.authorization)
    server.answer = complete
    await eventually(() => expect(bars()).toBe(0))
  })

  it('a widget in the page shows no frame until the end, and reports the result once', async () => {
    server.answer = pending
    const onResult = vi.fn()
    render(<PurchaseWidget companion={companion} onResult={onResult} />)
    await eventually(() => expect(bars()).toBe(1))
    expect(frames()).toHaveLength(0)
    server.answer = complete
    await eventually(() => expect(onResult).toHaveBeenCalledOnce())
    await settle()
    expect(onResult.mock.calls).toEqual([[success]])
    expect(server.begun).toBe(0)
  })

  it('a purchase that ended while the page was reloaded is reported too', async () => {
    server.answer = complete
    const onResult = vi.fn()
    render(
      <PurchaseButton companion={companion} onResult={onResult}>
        Buy
      </PurchaseButton>,
    )
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
  })

  it('a payment that was declined meanwhile is reported as a failure', async () => {
    server.answer = failed
    const [onSuccess, onFailure, onResult] = [vi.fn(), vi.fn(), vi.fn()]
    render(<PurchaseButton companion={companion} {...{ onSuccess, onFailure, onResult }} />)
    await eventually(() => expect(onResult).toHaveBeenCalledOnce())
    expect(onFailure.mock.calls).toEqual(onResult.mock.calls)
    expect(onSuccess).not.toHaveBeenCalled()
  })

  it('a purchase without an order shows nothing, and the next purchase opens', async () => {
    server.answer = { status: 'none', fresh: true }
    const onStateChange = vi.fn()
    const { result } = renderHook(() => usePurchaseWidget({ companion, onStateChange }))
    await settle()
    expect(onStateChange).not.toHaveBeenCalled()
    void result.current.open()
    await eventually(() => expect(server.begun).toBe(1))
  })

  it('the page shows nothing when the server is unreachable', async () => {
    server.answer = undefined
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const onResult = vi.fn()
    const { result } = renderHook(() => usePurchaseWidget({ companion, onResult }))
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(result.current.state).toEqual({ status: 'idle' })
    expect(onResult).not.toHaveBeenCalled()
    expect(bars()).toBe(0)
  })
})
