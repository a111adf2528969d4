// Promise: react/under-way
/** Props that change while a purchase is under way: it stays as it was opened, the newest callbacks hear of it, the next has the new props. */
import { PurchaseButton, type PurchaseResult, usePurchaseWidget } from '@purchase-widget/react'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
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

const changes = {
  'another product': { params: { product_id: 'gold-550' } },
  'another mode': { mode: 'popup' },
} as const

type Hook = { result: { current: ReturnType<typeof usePurchaseWidget> } }

const opened = async ({ result }: Hook): Promise<Promise<PurchaseResult>> => {
  let purchase: Promise<PurchaseResult> | undefined
  act(() => {
    purchase = result.current.open()
  })
  await eventually(() => expect(result.current.state.status).toBe('loaded'))
  return purchase as Promise<PurchaseResult>
}

describe('while a purchase is under way', () => {
  it.each(Object.entries(changes))('%s leaves its frame alone', async (_, change) => {
    const hook = renderHook(
      (more: object) => usePurchaseWidget({ widgetUrl, accessToken: 'token', ...more }),
      {
        initialProps: {},
      },
    )
    void opened(hook)
    await eventually(() => expect(hook.result.current.state.status).toBe('loaded'))
    const [frame] = frames()
    hook.rerender(change)
    await settle()
    expect(frames()).toEqual([frame])
    expect(hook.result.current.state).toEqual({ status: 'loaded', mode: 'modal' })
    // A click brings what is open to the front.
    void hook.result.current.open()
    await settle()
    expect(frames()).toEqual([frame])
  })

  it('the newest callback hears how it ended, and the newest function is asked, also where they came with another option', async () => {
    const heard: string[] = []
    const hook = renderHook(
      ({ name, title }) =>
        usePurchaseWidget({
          widgetUrl,
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
    void opened(hook)
    await eventually(() => expect(hook.result.current.state.status).toBe('loaded'))
    hook.rerender({ name: 'second', title: 'One' })
    hook.rerender({ name: 'third', title: 'Two' })
    act(() => hook.result.current.close())
    await eventually(() => expect(heard).toEqual(['third asked', 'third closed']))
  })

  it('a button keeps its window, and opens the next one with what it is given then', async () => {
    const open = vi.spyOn(window, 'open')
    const asked: string[] = []
    const onLoad = vi.fn()
    const onResult = vi.fn()
    const button = (product_id: string): React.ReactElement => (
      <PurchaseButton
        mode="popup"
        widgetUrl={widgetUrl}
        accessToken={async () => `${asked.push(product_id)}`}
        params={{ product_id }}
        onLoad={onLoad}
        onResult={onResult}
      >
        Buy
      </PurchaseButton>
    )
    const windows = (): Window[] => open.mock.results.map(({ value }) => value)
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
    open.mockRestore()
  })
})
