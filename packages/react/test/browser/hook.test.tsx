// Promise: react/hook
import type { PurchaseResult } from '@purchase-widget/loader'
import { PurchaseButton, type UsePurchaseWidget, usePurchaseWidget } from '@purchase-widget/react'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { type ReactElement, StrictMode, useEffect } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bareUrl, eventually, frames, settle } from '../measure.ts'

afterEach(async () => {
  cleanup()
  await settle()
  sessionStorage.clear()
})

/** Opens without waiting for the end, as a click does. */
const open = (widget: UsePurchaseWidget): Promise<PurchaseResult> => {
  let result: Promise<PurchaseResult> | undefined
  act(() => {
    result = widget.open()
  })
  return result as Promise<PurchaseResult>
}

/** Opens as soon as it is mounted, from an effect that runs before those of the component with the hook. */
function Opener({ open }: { open: UsePurchaseWidget['open'] }): null {
  useEffect(() => void open(), [open])
  return null
}

function Page({ accessToken }: { accessToken: () => Promise<string> }): ReactElement {
  const { open } = usePurchaseWidget({ widgetUrl: bareUrl, accessToken })
  return <Opener open={open} />
}

describe('usePurchaseWidget', () => {
  it('opens a dialog, follows its state, and reports how it ended', async () => {
    const { result } = renderHook(() => usePurchaseWidget({ widgetUrl: bareUrl, accessToken: 'token' }))
    expect(result.current.state).toEqual({ status: 'idle' })
    const purchase = open(result.current)
    await eventually(() => expect(result.current.state).toEqual({ status: 'loaded', mode: 'modal' }))
    act(() => result.current.close())
    await expect(purchase).resolves.toEqual({ status: 'closed' })
    await eventually(() => expect(result.current.state.status).toBe('settled'))
  })

  it('returns functions that stay the same', () => {
    const { result, rerender } = renderHook(() =>
      usePurchaseWidget({ widgetUrl: bareUrl, accessToken: () => 'token' }),
    )
    const { open, close, preload } = result.current
    rerender()
    expect(result.current).toMatchObject({ open, close, preload })
  })

  it('puts a frame into the element of a ref', async () => {
    const box = { current: document.body.appendChild(document.createElement('section')) }
    const { result } = renderHook(() =>
      usePurchaseWidget({ widgetUrl: bareUrl, accessToken: 'token', mode: 'iframe', container: box }),
    )
    open(result.current)
    await eventually(() => expect(frames()).toHaveLength(1))
    expect(box.current.childElementCount).toBe(1)
    box.current.remove()
  })

  it('reports mistakes in the options in the click', () => {
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

  it('preloads once, and not again after the purchase for the next shopper', async () => {
    const accessToken = vi.fn(async () => 'token')
    const { result } = renderHook(() =>
      usePurchaseWidget({ widgetUrl: bareUrl, accessToken, preload: 'eager' }),
    )
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

  it('closes what is open when its component is unmounted, and opens nothing for it afterwards', async () => {
    const { result, unmount } = renderHook(() =>
      usePurchaseWidget({ widgetUrl: bareUrl, accessToken: 'token' }),
    )
    const purchase = open(result.current)
    await eventually(() => expect(result.current.state.status).toBe('loaded'))
    unmount()
    const destroyed = { status: 'error', error: { code: 'destroyed' } }
    await expect(purchase).resolves.toMatchObject(destroyed)
    await expect(result.current.open()).resolves.toMatchObject(destroyed)
    expect(frames()).toHaveLength(0)
  })
})

/** Props that change: the purchase stays as it was opened, the newest callbacks receive its events, the next one has the new props. */
const changes = {
  'another product': { params: { product_id: 'gold-550' } },
  'another mode': { mode: 'popup' },
} as const

// Promise: react/under-way
describe('while a purchase is under way', () => {
  it.each(Object.entries(changes))('%s leaves its frame alone', async (_, change) => {
    const hook = renderHook(
      (more: object) => usePurchaseWidget({ widgetUrl: bareUrl, accessToken: 'token', ...more }),
      {
        initialProps: {},
      },
    )
    open(hook.result.current)
    await eventually(() => expect(hook.result.current.state.status).toBe('loaded'))
    const [frame] = frames()
    hook.rerender(change)
    await settle()
    expect(frames()).toEqual([frame])
    expect(hook.result.current.state).toEqual({ status: 'loaded', mode: 'modal' })
    // A click brings the open widget to the front.
    void hook.result.current.open()
    await settle()
    expect(frames()).toEqual([frame])
  })

  it('the newest callback receives the result, and the newest function is called, even if another option changed too', async () => {
    const heard: string[] = []
    const hook = renderHook(
      ({ name, title }) =>
        usePurchaseWidget({
          widgetUrl: bareUrl,
          accessToken: 'token',
          title,
          async confirm() {
            heard.push(`${name} asked`)
            return null
          },
          onResult: ({ status }) => heard.push(`${name} ${status}`),
        }),
      { initialProps: { name: 'first', title: 'One' } },
    )
    open(hook.result.current)
    await eventually(() => expect(hook.result.current.state.status).toBe('loaded'))
    hook.rerender({ name: 'second', title: 'One' })
    hook.rerender({ name: 'third', title: 'Two' })
    act(() => hook.result.current.close())
    await eventually(() => expect(heard).toEqual(['third asked', 'third closed']))
  })

  it('a button keeps its window, and opens the next one with its props at that time', async () => {
    const openWindow = vi.spyOn(window, 'open')
    const asked: string[] = []
    const onLoad = vi.fn()
    const onResult = vi.fn()
    const button = (product_id: string): React.ReactElement => (
      <PurchaseButton
        mode="popup"
        widgetUrl={bareUrl}
        accessToken={async () => `${asked.push(product_id)}`}
        params={{ product_id }}
        onLoad={onLoad}
        onResult={onResult}
      >
        Buy
      </PurchaseButton>
    )
    const windows = (): Window[] => openWindow.mock.results.map(({ value }) => value)
    const { rerender } = render(button('gold-100'))
    const buy = screen.getByRole('button', { name: 'Buy' })
    buy.click()
    await eventually(() => expect(onLoad).toHaveBeenCalledOnce())
    rerender(button('gold-550'))
    buy.click()
    await settle()
    expect(windows().map(({ closed }) => closed)).toEqual([false])
    expect(buy.dataset.status).toBe('pending')
    windows()[0]?.close()
    await eventually(() => expect(onResult).toHaveBeenCalledOnce())
    await eventually(() => expect(buy.dataset.status).toBe('idle'))
    buy.click()
    await eventually(() => expect(asked).toEqual(['gold-100', 'gold-550']))
    expect(windows()).toHaveLength(2)
    openWindow.mockRestore()
  })
})
