// Promise: react/button
import { PurchaseButton } from '@purchase-widget/react'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { bareUrl, eventually, frames, settle } from '../measure.ts'

afterEach(async () => {
  cleanup()
  await settle()
  sessionStorage.clear()
})

/** Where an earlier test has not left the pointer. */
const away = { position: 'fixed', right: 0, bottom: 0 } as const

/** As the shopper does. */
const closeDialog = (): void => {
  for (const { shadowRoot } of document.querySelectorAll('div')) shadowRoot?.querySelector('dialog')?.close()
}

const button = (): HTMLButtonElement => screen.getByRole('button', { name: 'Buy' })

describe('<PurchaseButton>', () => {
  it('opens a window in the click, before there is a token', async () => {
    const open = vi.spyOn(window, 'open')
    const accessToken = vi.fn(() => new Promise<string>(() => {}))
    render(
      <StrictMode>
        <PurchaseButton mode="popup" widgetUrl={bareUrl} accessToken={accessToken}>
          Buy
        </PurchaseButton>
      </StrictMode>,
    )
    await userEvent.click(button())
    expect(open).toHaveBeenCalledOnce()
    const opened: Window = open.mock.results[0]?.value
    expect(opened.closed).toBe(false)
    // By the second stage, which may arrive only after the click.
    await eventually(() => expect(accessToken).toHaveBeenCalledOnce())
    cleanup()
    await eventually(() => expect(opened.closed).toBe(true))
    open.mockRestore()
  })

  it('is busy from the click to the result', async () => {
    let give = (_token: string): void => {}
    const token = new Promise<string>((resolve) => {
      give = resolve
    })
    const onStateChange = vi.fn()
    render(
      <PurchaseButton widgetUrl={bareUrl} accessToken={() => token} onStateChange={onStateChange}>
        Buy
      </PurchaseButton>,
    )
    expect(button().ariaBusy).toBe('false')
    const buy = button()
    await userEvent.click(buy)
    expect(buy.ariaBusy).toBe('true')
    expect(buy.dataset.status).toBe('pending')
    give('token')
    await eventually(() =>
      expect(onStateChange).toHaveBeenCalledWith(expect.objectContaining({ status: 'loaded' })),
    )
    expect(buy.dataset.status).toBe('pending')
    closeDialog()
    await eventually(() => expect(buy.dataset.status).toBe('idle'))
    expect(buy.ariaBusy).toBe('false')
  })

  it('shows an error, and tries again with the next click', async () => {
    const accessToken = vi.fn(() => Promise.reject(new Error('The server is asleep.')))
    const onError = vi.fn()
    render(
      <PurchaseButton
        widgetUrl={bareUrl}
        accessToken={accessToken}
        onError={onError}
        render={(props, state) => (
          <button {...props}>Buy{state.status === 'error' && ` again (${state.error.code})`}</button>
        )}
      />,
    )
    await userEvent.click(button())
    await eventually(() => expect(onError).toHaveBeenCalledOnce())
    closeDialog()
    await eventually(() => expect(screen.getByRole('button').textContent).toBe('Buy again (token_failed)'))
    expect(onError).toHaveBeenCalledOnce()
    await userEvent.click(screen.getByRole('button'))
    await eventually(() => expect(accessToken).toHaveBeenCalledTimes(2))
  })

  it('lets onClick decide whether the widget opens', async () => {
    const accessToken = vi.fn(async () => 'token')
    const onClick = vi.fn((event: React.MouseEvent) => event.preventDefault())
    render(
      <PurchaseButton widgetUrl={bareUrl} accessToken={accessToken} onClick={onClick}>
        Buy
      </PurchaseButton>,
    )
    await userEvent.click(button())
    await settle()
    expect(onClick).toHaveBeenCalledOnce()
    expect(accessToken).not.toHaveBeenCalled()
  })

  it('submits no form, and takes attributes and a ref', () => {
    const ref = vi.fn()
    render(
      <PurchaseButton
        ref={ref}
        widgetUrl={bareUrl}
        accessToken="token"
        className="buy"
        disabled
        aria-label="Buy"
      >
        €
      </PurchaseButton>,
    )
    expect(button().type).toBe('button')
    expect(button().className).toBe('buy')
    expect(button().disabled).toBe(true)
    expect(ref).toHaveBeenCalledWith(button())
  })

  it('opens with the attributes of an element, which are no options', async () => {
    const accessToken = vi.fn(() => new Promise<string>(() => {}))
    render(
      <PurchaseButton
        widgetUrl={bareUrl}
        accessToken={accessToken}
        id="buy"
        role="menuitem"
        tabIndex={-1}
        lang="en"
        dir="ltr"
      >
        Buy
      </PurchaseButton>,
    )
    const buy = screen.getByRole('menuitem', { name: 'Buy' })
    const { id, tabIndex, lang, dir } = buy
    expect({ id, tabIndex, lang, dir }).toEqual({ id: 'buy', tabIndex: -1, lang: 'en', dir: 'ltr' })
    await userEvent.click(buy)
    await eventually(() => expect(accessToken).toHaveBeenCalledOnce())
    closeDialog()
  })

  it('costs nothing until the pointer arrives, with preload="intent"', async () => {
    const accessToken = vi.fn(async () => 'token')
    render(
      <PurchaseButton widgetUrl={bareUrl} accessToken={accessToken} preload="intent" style={away}>
        Buy
      </PurchaseButton>,
    )
    await settle()
    expect(frames()).toHaveLength(0)
    expect(accessToken).not.toHaveBeenCalled()
    await userEvent.hover(button())
    await eventually(() => expect(accessToken).toHaveBeenCalledOnce())
    await userEvent.click(button())
    await settle()
    expect(accessToken).toHaveBeenCalledOnce()
  })

  it('loads at once with preload="eager", once in StrictMode too', async () => {
    const accessToken = vi.fn(async () => 'token')
    render(
      <StrictMode>
        <PurchaseButton widgetUrl={bareUrl} accessToken={accessToken} preload="eager">
          Buy
        </PurchaseButton>
      </StrictMode>,
    )
    await eventually(() => expect(frames()).toHaveLength(1))
    await settle()
    expect(accessToken).toHaveBeenCalledOnce()
  })

  it('is a link with href, which the browser follows in another tab, or if nothing can open here', async () => {
    const accessToken = vi.fn(() => new Promise<string>(() => {}))
    const prevented: boolean[] = []
    const onClick = (event: MouseEvent): void => {
      prevented.push(event.defaultPrevented)
      event.preventDefault()
    }
    addEventListener('click', onClick)
    const link = (title: string): ReactElement => (
      <PurchaseButton
        href="/launch?product_id=gold-100"
        widgetUrl={bareUrl}
        accessToken={accessToken}
        title={title}
      >
        Buy
      </PurchaseButton>
    )
    const { rerender } = render(link('Gold'))
    const anchor = screen.getByRole<HTMLAnchorElement>('link', { name: 'Buy' })
    expect(anchor.getAttribute('href')).toBe('/launch?product_id=gold-100')
    for (const modified of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }])
      fireEvent.click(anchor, modified)
    expect(accessToken).not.toHaveBeenCalled()
    fireEvent.click(anchor)
    await eventually(() => expect(accessToken).toHaveBeenCalledOnce())
    expect(anchor.ariaBusy).toBe('true')
    expect(prevented).toEqual([false, false, false, false, true])
    closeDialog()
    await eventually(() => expect(anchor.ariaBusy).toBe('false'))

    rerender(link(7 as never))
    const refused = vi.fn((event: ErrorEvent) => event.preventDefault())
    addEventListener('error', refused)
    fireEvent.click(anchor)
    removeEventListener('error', refused)
    removeEventListener('click', onClick)
    // React 18 throws it a second time.
    expect(refused).toHaveBeenCalled()
    expect(prevented.at(-1)).toBe(false)
  })

  it('reports in the console an error that has no listener', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    render(
      <PurchaseButton widgetUrl={bareUrl} accessToken={() => Promise.reject(new Error('No.'))}>
        Buy
      </PurchaseButton>,
    )
    await userEvent.click(button())
    await eventually(() => expect(told).toHaveBeenCalledWith(expect.stringContaining('token_failed')))
    told.mockRestore()
  })
})
