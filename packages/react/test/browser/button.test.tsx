import { PurchaseButton } from '@purchase-widget/react'
import { cleanup, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { findAddresses } from '../addresses.ts'
import { frames, settle } from '../conformance/measure.ts'
import { eventually } from '../eventually.ts'

let widgetUrl: string
beforeAll(async () => {
  widgetUrl = (await findAddresses()).bareUrl
})

afterEach(async () => {
  cleanup()
  await settle()
})

/** Where the pointer of an earlier test is not. */
const away = { position: 'fixed', right: 0, bottom: 0 } as const

const button = (): HTMLButtonElement => screen.getByRole('button', { name: 'Buy' })

describe('<PurchaseButton>', () => {
  it('opens a window in the click, before there is a token', async () => {
    const open = vi.spyOn(window, 'open')
    const accessToken = vi.fn(() => new Promise<string>(() => {}))
    render(
      <StrictMode>
        <PurchaseButton mode="popup" widgetUrl={widgetUrl} accessToken={accessToken}>
          Buy
        </PurchaseButton>
      </StrictMode>,
    )
    await userEvent.click(button())
    expect(open).toHaveBeenCalledOnce()
    const opened: Window = open.mock.results[0]?.value
    expect(opened.closed).toBe(false)
    expect(accessToken).toHaveBeenCalledOnce()
    cleanup()
    await eventually(() => expect(opened.closed).toBe(true))
    open.mockRestore()
  })

  it('is busy until the widget is there', async () => {
    let give = (_token: string): void => {}
    const token = new Promise<string>((resolve) => {
      give = resolve
    })
    const onStateChange = vi.fn()
    render(
      <PurchaseButton widgetUrl={widgetUrl} accessToken={() => token} onStateChange={onStateChange}>
        Buy
      </PurchaseButton>,
    )
    expect(button().ariaBusy).toBe('false')
    const buy = button()
    await userEvent.click(buy)
    expect(buy.ariaBusy).toBe('true')
    expect(buy.dataset.status).toBe('pending')
    give('token')
    await eventually(() => expect(buy.dataset.status).toBe('idle'))
    expect(frames()).toHaveLength(1)
  })

  it('shows an error, and tries again with the next click', async () => {
    const accessToken = vi.fn(() => Promise.reject(new Error('The server is asleep.')))
    const onError = vi.fn()
    render(
      <PurchaseButton
        widgetUrl={widgetUrl}
        accessToken={accessToken}
        onError={onError}
        render={(props, state) => (
          <button {...props}>Buy{state.status === 'error' && ` again (${state.error.code})`}</button>
        )}
      />,
    )
    await userEvent.click(button())
    await eventually(() => expect(screen.getByRole('button').textContent).toBe('Buy again (token_failed)'))
    expect(onError).toHaveBeenCalledOnce()
    await userEvent.click(screen.getByRole('button'))
    await eventually(() => expect(accessToken).toHaveBeenCalledTimes(2))
  })

  it('leaves it to onClick whether the widget opens', async () => {
    const accessToken = vi.fn(async () => 'token')
    const onClick = vi.fn((event: React.MouseEvent) => event.preventDefault())
    render(
      <PurchaseButton widgetUrl={widgetUrl} accessToken={accessToken} onClick={onClick}>
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
        widgetUrl={widgetUrl}
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

  it('asks for the token when the pointer arrives, with preload="intent"', async () => {
    const accessToken = vi.fn(async () => 'token')
    render(
      <PurchaseButton widgetUrl={widgetUrl} accessToken={accessToken} preload="intent" style={away}>
        Buy
      </PurchaseButton>,
    )
    await settle()
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
        <PurchaseButton widgetUrl={widgetUrl} accessToken={accessToken} preload="eager">
          Buy
        </PurchaseButton>
      </StrictMode>,
    )
    await eventually(() => expect(frames()).toHaveLength(1))
    await settle()
    expect(accessToken).toHaveBeenCalledOnce()
  })

  it('costs nothing until it is used', async () => {
    const accessToken = vi.fn(async () => 'token')
    render(
      <PurchaseButton widgetUrl={widgetUrl} accessToken={accessToken}>
        Buy
      </PurchaseButton>,
    )
    await settle()
    expect(frames()).toHaveLength(0)
    expect(accessToken).not.toHaveBeenCalled()
  })
})
