// Promise: react/reload
/** Which component reports the result of the purchase during which the page was reloaded. */
import { PurchaseButton, PurchaseWidget } from '@purchase-widget/react'
import { render, screen } from '@testing-library/react'
import { Fragment } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
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

reloadBeforeEach()

describe('a result after a reload is reported', () => {
  it.each(['onSuccess', 'onResult'])('by the component that has a callback for it: %s', async (name) => {
    server.answer = pending
    const callback = vi.fn()
    render(
      <>
        <PurchaseButton companion={companion} />
        <PurchaseButton companion={companion} onFailure={() => {}} />
        <PurchaseButton companion={companion} {...{ [name]: callback }} />
      </>,
    )
    await eventually(() => expect(buttons()).toEqual(['pending', 'pending', 'pending']))
    server.answer = complete
    await eventually(() => expect(callback.mock.calls).toEqual([[success]]))
    expect(buttons()).toEqual(['idle', 'idle', 'idle'])
  })

  it('by the component that continues the purchase, although one without callbacks resumes it', async () => {
    server.answer = pending
    const [onSuccess, onResult] = [vi.fn(), vi.fn()]
    const stored = `${sessionStorage.getItem('purchase-widget')}`
    sessionStorage.clear()
    render(<PurchaseButton companion={companion} onSuccess={onSuccess} onResult={onResult} />)
    await settle()
    sessionStorage.setItem('purchase-widget', stored)
    render(<PurchaseButton companion={companion} />)
    await eventually(() => expect(buttons()).toEqual(['idle', 'pending']))
    screen.getAllByRole('button')[0]?.click()
    await eventually(() => expect(buttons()).toEqual(['pending', 'pending']))
    server.answer = complete
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    expect(onSuccess.mock.calls).toEqual([[success]])
  })

  it('by a component that is mounted later, if none had a callback for it; the state of one shows it', async () => {
    server.answer = complete
    const [first, second, third] = [vi.fn(), vi.fn(), vi.fn()]
    const onResult = vi.fn()
    const shown = [{ status: 'settled', result: success }]
    render(<PurchaseButton companion={companion} onStateChange={first} />)
    await eventually(() => expect(first.mock.calls).toEqual([shown]))
    render(<PurchaseButton companion={companion} onStateChange={second} />)
    await settle()
    for (const onStateChange of [third, () => {}])
      render(<PurchaseButton companion={companion} onStateChange={onStateChange} onResult={onResult} />)
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    await settle()
    expect(onResult).toHaveBeenCalledOnce()
    expect(second).not.toHaveBeenCalled()
    expect(third.mock.calls).toEqual([shown])
  })

  it('to onResult too if onSuccess throws', async () => {
    const reported = vi.fn((event: PromiseRejectionEvent) => event.preventDefault())
    window.addEventListener('unhandledrejection', reported)
    server.answer = complete
    const onResult = vi.fn()
    const onSuccess = (): never => {
      throw new Error('A mistake in a callback.')
    }
    render(<PurchaseButton companion={companion} onSuccess={onSuccess} onResult={onResult} />)
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    await eventually(() => expect(reported).toHaveBeenCalledOnce())
    window.removeEventListener('unhandledrejection', reported)
  })

  it('also if onStateChange throws', async () => {
    const reported = vi.fn((event: ErrorEvent) => {
      event.preventDefault()
      event.stopImmediatePropagation()
    })
    window.addEventListener('error', reported, { capture: true })
    onTestFinished(() => window.removeEventListener('error', reported, { capture: true }))
    server.answer = pending
    const onResult = vi.fn()
    const onStateChange = (): never => {
      throw new Error('A mistake in a callback.')
    }
    render(<PurchaseButton companion={companion} onStateChange={onStateChange} onResult={onResult} />)
    await eventually(() => expect(buttons()).toEqual(['pending']))
    server.answer = complete
    await eventually(() => expect(onResult.mock.calls).toEqual([[success]]))
    expect(buttons()).toEqual(['idle'])
    expect(reported).toHaveBeenCalledTimes(2)
  })

  it('also if it is unknown, once for each purchase', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const onResult = vi.fn()
    const button = <PurchaseButton companion={companion} onResult={onResult} />
    for (const purchase of [1, 2]) {
      server.answer = pending
      storePurchase()
      const { unmount } = render([1, 2].map((key) => <Fragment key={key}>{button}</Fragment>))
      await eventually(() => expect(buttons()).toEqual(['pending', 'pending']))
      server.answer = undefined
      // Half an hour, after which the page no longer waits.
      await vi.advanceTimersByTimeAsync(1_900_000)
      expect(buttons()).toEqual(['idle', 'idle'])
      expect(onResult).toHaveBeenCalledTimes(purchase)
      expect(onResult).toHaveBeenLastCalledWith(expect.objectContaining({ status: 'unknown' }))
      unmount()
    }
  })
})

describe('a widget in the page', () => {
  it('opens no frame after a payment that ended while the page was reloaded, and reports it once', async () => {
    server.answer = complete
    const [onSuccess, onResult] = [vi.fn(), vi.fn()]
    render(<PurchaseWidget companion={companion} onSuccess={onSuccess} onResult={onResult} />)
    await eventually(() => expect(onResult).toHaveBeenCalled())
    await settle()
    expect(onResult.mock.calls).toEqual([[success]])
    expect(onSuccess.mock.calls).toEqual([[success]])
    expect(frames()).toHaveLength(0)
    expect(server.begun).toBe(0)
    expect(bars()).toBe(0)
  })

  it('reports a payment that was declined while the page was reloaded', async () => {
    server.answer = failed
    const [onFailure, onResult] = [vi.fn(), vi.fn()]
    render(<PurchaseWidget companion={companion} onFailure={onFailure} onResult={onResult} />)
    await eventually(() => expect(onFailure).toHaveBeenCalledOnce())
    await settle()
    expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ status: 'failure', verified: true }))
  })
})
