// Promise: react/widget
import { PurchaseWidget, type PurchaseWidgetHandle, PurchaseWidgetProvider } from '@purchase-widget/react'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createRef, Profiler } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { companionPath, returnPath } from '../addresses.ts'
import { bareUrl, eventually, frames, sandboxUrl, settle } from '../measure.ts'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const loaded = (onStateChange: ReturnType<typeof vi.fn>): Promise<void> =>
  eventually(() => expect(onStateChange).toHaveBeenCalledWith(expect.objectContaining({ status: 'loaded' })))

describe('<PurchaseWidget>', () => {
  it('shows the sandbox’s widget with a token of the companion', async () => {
    const onStateChange = vi.fn()
    render(<PurchaseWidget companion={companionPath} onStateChange={onStateChange} />)
    await loaded(onStateChange)
    expect(frames()[0]?.allow).toContain(`payment ${sandboxUrl}`)
  })

  it('shows its fallback until the widget has loaded', async () => {
    let give = (_token: string): void => {}
    const token = new Promise<string>((resolve) => {
      give = resolve
    })
    const onStateChange = vi.fn()
    render(
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken={() => token}
        fallback="Just a moment"
        data-testid="box"
        onStateChange={onStateChange}
      />,
    )
    await settle()
    expect(screen.getByText('Just a moment')).toBeInstanceOf(HTMLElement)
    expect(screen.getByTestId('box').checkVisibility()).toBe(false)
    give('token')
    await loaded(onStateChange)
    expect(screen.queryByText('Just a moment')).toBeNull()
    expect(screen.getByTestId('box').checkVisibility()).toBe(true)
  })

  it.each([
    ['once', undefined, 1],
    ['once more to take its fallback away', 'Just a moment', 2],
  ])('renders %s until the widget has loaded', async (_, fallback, times) => {
    const onRender = vi.fn()
    const onStateChange = vi.fn()
    render(
      <Profiler id="widget" onRender={onRender}>
        <PurchaseWidget
          widgetUrl={bareUrl}
          accessToken="token"
          fallback={fallback}
          onStateChange={onStateChange}
        />
      </Profiler>,
    )
    await loaded(onStateChange)
    await settle()
    expect(onRender).toHaveBeenCalledTimes(times)
  })

  it('is replaced by the loader’s recovery actions when the widget does not load, until it is reopened', async () => {
    const onError = vi.fn()
    const widget = (loadTimeout: number): React.ReactElement => (
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken="token"
        params={{ product_id: 'never' }}
        loadTimeout={loadTimeout}
        fallback="Just a moment"
        data-testid="box"
        onError={onError}
      />
    )
    const { rerender } = render(widget(100))
    await eventually(() =>
      expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'load_timeout' })),
    )
    await eventually(() => expect(screen.getByTestId('box').checkVisibility()).toBe(true))
    expect(screen.queryByText('Just a moment')).toBeNull()
    rerender(widget(60_000))
    await eventually(() => expect(screen.getByText('Just a moment')).toBeInstanceOf(HTMLElement))
    expect(screen.getByTestId('box').checkVisibility()).toBe(false)
  })

  it('takes its size and its attributes from the merchant', () => {
    render(
      <PurchaseWidget
        companion={companionPath}
        id="checkout"
        className="checkout"
        style={{ height: '600px' }}
        data-testid="box"
      />,
    )
    const box = screen.getByTestId('box')
    expect(box.id).toBe('checkout')
    expect(box.className).toBe('checkout')
    expect(box.clientHeight).toBe(600)
  })

  it('returns a handle that stays valid when an option changes', async () => {
    const handle = createRef<PurchaseWidgetHandle>()
    const onStateChange = vi.fn()
    const widget = (product_id: string): React.ReactElement => (
      <PurchaseWidget
        ref={handle}
        widgetUrl={bareUrl}
        accessToken="token"
        params={{ product_id }}
        onStateChange={onStateChange}
      />
    )
    const { rerender } = render(widget('gold-100'))
    const first = handle.current
    await loaded(onStateChange)
    rerender(widget('gold-550'))
    expect(handle.current).toBe(first)
    expect(handle.current?.getSnapshot().status).toBe('opening')
    act(() => handle.current?.close())
    await eventually(() => expect(handle.current?.getSnapshot().status).toBe('settled'))
    expect(frames()).toHaveLength(0)
  })

  it('stays closed after the purchase until an option changes', async () => {
    const onResult = vi.fn()
    const widget = (product_id: string): React.ReactElement => (
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken="token"
        params={{ product_id, redirect_url: returnPath }}
        onReturn={(event) => event.preventDefault()}
        onResult={onResult}
      />
    )
    const { rerender } = render(widget('at-once'))
    await eventually(() => expect(onResult).toHaveBeenCalledOnce())
    rerender(widget('at-once'))
    await settle()
    expect(frames()).toHaveLength(0)
    rerender(widget('gold-100'))
    await settle()
    expect(frames()).toHaveLength(1)
  })

  it('shows what was chosen while the result of another product was looked up', async () => {
    let answer = (_: null): void => {}
    const lookedUp = new Promise<null>((resolve) => {
      answer = resolve
    })
    const confirm = vi.fn().mockReturnValueOnce(lookedUp).mockResolvedValue(null)
    const handle = createRef<PurchaseWidgetHandle>()
    const onStateChange = vi.fn()
    const onResult = vi.fn()
    const widget = (product_id: string): React.ReactElement => (
      <PurchaseWidget
        ref={handle}
        widgetUrl={bareUrl}
        accessToken="token"
        confirm={confirm}
        params={{ product_id }}
        onStateChange={onStateChange}
        onResult={onResult}
      />
    )
    const { rerender } = render(widget('gold-100'))
    await loaded(onStateChange)
    act(() => handle.current?.close())
    expect(handle.current?.getSnapshot().status).toBe('confirming')
    rerender(widget('gold-550'))
    rerender(widget('gold-550'))
    await settle()
    onStateChange.mockClear()
    answer(null)
    await loaded(onStateChange)
    expect(onResult.mock.calls).toEqual([[{ status: 'closed' }]])
    expect(frames()).toHaveLength(1)
  })

  it('calls the newest callbacks and the newest access token', async () => {
    const calls: string[] = []
    const widget = (render: string): React.ReactElement => (
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken={async () => {
          calls.push(`token of ${render}`)
          return 'token'
        }}
        confirm={async () => {
          calls.push(`confirm of ${render}`)
          return { id: 'order-1', type: 'order_complete', decline: null }
        }}
        params={{ product_id: 'at-once', redirect_url: returnPath }}
        onReturn={(event) => {
          event.preventDefault()
          calls.push(`return of ${render}`)
        }}
        onSuccess={(result) => calls.push(`${result.verified} success of ${render}`)}
      />
    )
    const { rerender } = render(widget('the first render'))
    rerender(widget('the second render'))
    await eventually(() => expect(calls).toContain('true success of the second render'))
    expect(calls).toEqual([
      'token of the second render',
      'return of the second render',
      'confirm of the second render',
      'true success of the second render',
    ])
  })

  it('calls onFailure with what the shopper can do about a declined card', async () => {
    const onSuccess = vi.fn()
    const onFailure = vi.fn()
    const decline = { code: '4004', reason: 'Insufficient balance', action: 'Add funds and try again.' }
    render(
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken="token"
        confirm={async () => ({ id: 'order-1', type: 'order_failed', decline })}
        params={{ product_id: 'at-once', redirect_url: returnPath }}
        onReturn={(event) => event.preventDefault()}
        onSuccess={onSuccess}
        onFailure={onFailure}
      />,
    )
    await eventually(() => expect(onFailure).toHaveBeenCalledOnce())
    expect(onFailure).toHaveBeenCalledWith(
      expect.objectContaining({ status: 'failure', verified: true, decline }),
    )
    expect(onSuccess).not.toHaveBeenCalled()
  })

  it('is silent when it is unmounted', async () => {
    const onStateChange = vi.fn()
    const onResult = vi.fn()
    const { unmount } = render(
      <PurchaseWidget
        widgetUrl={bareUrl}
        accessToken="token"
        onStateChange={onStateChange}
        onResult={onResult}
      />,
    )
    await loaded(onStateChange)
    onStateChange.mockClear()
    unmount()
    await settle()
    expect(onStateChange).not.toHaveBeenCalled()
    expect(onResult).not.toHaveBeenCalled()
  })

  it('throws to the error boundary when there is no token source', () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => render(<PurchaseWidget />)).toThrow(/companion, accessToken/)
    quiet.mockRestore()
  })
})

describe('<PurchaseWidgetProvider>', () => {
  it('gives the token source to every widget below', async () => {
    const onStateChange = vi.fn()
    render(
      <PurchaseWidgetProvider companion={companionPath} title="Checkout">
        <PurchaseWidget onStateChange={onStateChange} />
        <PurchaseWidget title="Another" />
      </PurchaseWidgetProvider>,
    )
    await loaded(onStateChange)
    expect(frames().map((frame) => frame.title)).toEqual(['Checkout', 'Another'])
  })

  it('is overridden by the widget’s own props, but not by an undefined one', async () => {
    const onStateChange = vi.fn()
    render(
      <PurchaseWidgetProvider companion={companionPath} title="Checkout">
        <PurchaseWidget
          widgetUrl={bareUrl}
          accessToken="token"
          {...({ title: undefined } as object)}
          onStateChange={onStateChange}
        />
      </PurchaseWidgetProvider>,
    )
    await loaded(onStateChange)
    expect(frames()[0]?.title).toBe('Checkout')
    expect(frames()[0]?.allow).toContain(`payment ${bareUrl}`)
  })

  it('sends its headers to its own companion alone', async () => {
    const headers = vi.fn(() => ({ authorization: 'Bearer ada' }))
    const onStateChange = vi.fn()
    render(
      <PurchaseWidgetProvider companion="/another-companion" headers={headers}>
        <PurchaseWidget companion={companionPath} onStateChange={onStateChange} />
      </PurchaseWidgetProvider>,
    )
    await loaded(onStateChange)
    expect(headers).not.toHaveBeenCalled()
  })
})
