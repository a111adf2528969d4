// Promise: react/hook
import type { PurchaseResult } from '@purchase-widget/loader'
import { type UsePurchaseWidget, usePurchaseWidget } from '@purchase-widget/react'
import { act, cleanup, render, renderHook } from '@testing-library/react'
import { type ReactElement, StrictMode, useEffect } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findAddresses } from '../addresses.ts'
import { eventually } from '../eventually.ts'
import { frames, settle } from '../measure.ts'

let widgetUrl: string
beforeAll(async () => {
  widgetUrl = (await findAddresses()).bareUrl
})

afterEach(async () => {
  cleanup()
  await settle()
})

/** Opens without waiting for the end, as a click does. */
const open = (widget: UsePurchaseWidget): Promise<PurchaseResult> => {
  let result: Promise<PurchaseResult> | undefined
  act(() => {
    result = widget.open()
  })
  return result as Promise<PurchaseResult>
}

/** Opens as soon as it is there, from an effect that runs before those of the component with the hook. */
function Opener({ open }: { open: UsePurchaseWidget['open'] }): null {
  useEffect(() => void open(), [open])
  return null
}

function Page({ accessToken }: { accessToken: () => Promise<string> }): ReactElement {
  const { open } = usePurchaseWidget({ widgetUrl, accessToken })
  return <Opener open={open} />
}

describe('usePurchaseWidget', () => {
  it('opens a dialog, follows its state, and says how it ended', async () => {
    const { result } = renderHook(() => usePurchaseWidget({ widgetUrl, accessToken: 'token' }))
    expect(result.current.state).toEqual({ status: 'idle' })
    const purchase = open(result.current)
    await eventually(() => expect(result.current.state).toEqual({ status: 'loaded', mode: 'modal' }))
    act(() => result.current.close())
    await expect(purchase).resolves.toEqual({ status: 'closed' })
    await eventually(() => expect(result.current.state.status).toBe('settled'))
  })

  it('returns functions that stay the same', () => {
    const { result, rerender } = renderHook(() =>
      usePurchaseWidget({ widgetUrl, accessToken: () => 'token' }),
    )
    const { open, close, preload } = result.current
    rerender()
    expect(result.current).toMatchObject({ open, close, preload })
  })

  it('puts a frame into the element of a ref', async () => {
    const box = { current: document.body.appendChild(document.createElement('section')) }
    const { result } = renderHook(() =>
      usePurchaseWidget({ widgetUrl, accessToken: 'token', mode: 'iframe', container: box }),
    )
    open(result.current)
    await eventually(() => expect(frames()).toHaveLength(1))
    expect(box.current.childElementCount).toBe(1)
    box.current.remove()
  })

  it('says in the click what is wrong with the options', () => {
    const { result } = renderHook(() => usePurchaseWidget({ mode: 'popup' }))
    expect(() => result.current.open()).toThrow(/companion, accessToken/)
  })

  it('may be opened from an effect, once in StrictMode too', async () => {
    const accessToken = vi.fn(async () => 'token')
    render(
      <StrictMode>
        <Page accessToken={accessToken} />
      </StrictMode>,
    )
    await eventually(() => expect(accessToken).toHaveBeenCalledOnce())
    await settle()
    expect(frames()).toHaveLength(1)
    expect(accessToken).toHaveBeenCalledOnce()
  })

  it('loads early once, and not for whoever comes after the purchase', async () => {
    const accessToken = vi.fn(async () => 'token')
    const { result } = renderHook(() => usePurchaseWidget({ widgetUrl, accessToken, preload: 'eager' }))
    await eventually(() => expect(frames()).toHaveLength(1))
    const purchase = open(result.current)
    await eventually(() => expect(result.current.state.status).toBe('loaded'))
    act(() => result.current.close())
    await purchase
    await eventually(() => expect(result.current.state.status).toBe('settled'))
    await settle()
    expect(frames()).toHaveLength(0)
    expect(accessToken).toHaveBeenCalledOnce()
  })

  it('closes what is open when its component goes, and opens nothing for it afterwards', async () => {
    const { result, unmount } = renderHook(() => usePurchaseWidget({ widgetUrl, accessToken: 'token' }))
    const purchase = open(result.current)
    await eventually(() => expect(result.current.state.status).toBe('loaded'))
    unmount()
    const destroyed = { status: 'error', error: { code: 'destroyed' } }
    await expect(purchase).resolves.toMatchObject(destroyed)
    await expect(result.current.open()).resolves.toMatchObject(destroyed)
    expect(frames()).toHaveLength(0)
  })
})
