// Promise: known/under-way
/** A purchase under way survives an unanswered query, a destroyed widget and a moved frame. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseWidget } from '../../src/index.ts'
import {
  addContainer,
  button,
  complete,
  createCompanion,
  find,
  makeWidget,
  paid,
  pending,
  reaches,
  record,
  shells,
  takeTimers,
} from './page.ts'

const never = new Promise<null>(() => {})

test('an unanswered query times out, and the shopper can check again or dismiss the message', async () => {
  const { widgetUrl } = await createCompanion()
  const confirm = vi.fn().mockReturnValueOnce(never).mockReturnValueOnce(never).mockResolvedValue(paid)
  takeTimers()
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', confirm })
  const errors = record(widget, 'error')
  const result = widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  for (const asked of [1, 2]) {
    await vi.advanceTimersByTimeAsync(16_000)
    expect(errors.map(({ code }) => code)).toEqual(Array(asked).fill('confirm_failed'))
    expect(button('Dismiss')).toBeTruthy()
    button('Check again').click()
  }
  expect(await result).toMatchObject({ status: 'success', order: paid })
  expect(confirm).toHaveBeenCalledTimes(3)
})

test('the message about an unanswered query outlives the body of the page', async () => {
  const { widgetUrl } = await createCompanion()
  const confirm = vi.fn().mockRejectedValueOnce(Error('offline')).mockResolvedValue(paid)
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', confirm })
  const result = widget.open()
  await reaches(widget, 'loaded')
  confirm.mockRejectedValue(Error('offline'))
  widget.close()
  await expect.poll(() => shells().some((root) => root.textContent?.includes('Check again'))).toBe(true)
  const { body } = document
  body.replaceWith(document.createElement('body'))
  onTestFinished(() => document.body.replaceWith(body))
  confirm.mockResolvedValue(paid)
  button('Check again').click()
  expect(await result).toMatchObject({ status: 'success', order: paid })
})

test('after an unanswered query, the page queries again about an open widget', async () => {
  const { widgetUrl } = await createCompanion()
  const confirm = vi.fn().mockReturnValueOnce(never).mockResolvedValue(null)
  takeTimers()
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', confirm })
  widget.open()
  await reaches(widget, 'loaded')
  await vi.advanceTimersByTimeAsync(16_000)
  expect(confirm).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(confirm).toHaveBeenCalledTimes(2)
})

const destroyedWhile = [
  ['while it is open', 15_000],
  ['after it was closed', 0],
] as const
test.each(destroyedWhile)(
  'a widget destroyed during a query %s reports nothing and makes no more queries',
  async (_which, asksAfter) => {
    const { widgetUrl } = await createCompanion()
    takeTimers()
    for (const answers of [() => Promise.reject(Error('no database')), async () => null]) {
      let answer = (): void => {}
      const confirm = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)).then(answers))
      const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', confirm })
      const errors = record(widget, 'error')
      widget.open()
      await reaches(widget, 'loaded')
      if (asksAfter) await vi.advanceTimersByTimeAsync(asksAfter)
      else widget.close()
      expect(confirm).toHaveBeenCalledTimes(1)
      widget.destroy()
      answer()
      await vi.advanceTimersByTimeAsync(200_000)
      expect(confirm).toHaveBeenCalledTimes(1)
      expect(errors).toEqual([])
      expect(shells()).toEqual([])
      // Otherwise the next widget would ask about the purchase of this one.
      sessionStorage.clear()
    }
  },
)

const inItsResult = [
  ['destroys the widget', (widget: PurchaseWidget) => widget.destroy()],
  ['reopens the widget', (widget: PurchaseWidget) => void widget.open()],
] as const
test.each(inItsResult)(
  'a page that %s on the result event shows no message about the previous purchase',
  async (_which, act) => {
    const companion = await createCompanion()
    const widget = makeWidget({ companion: companion.url })
    const off = widget.on('result', () => {
      off()
      act(widget)
    })
    const result = widget.open()
    await reaches(widget, 'loaded')
    await companion.set({ purchase: { ...complete, state: 'mismatched' } })
    widget.close()
    expect(await result).toMatchObject({ status: 'success', verified: false })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(shells().filter(({ textContent }) => textContent?.includes('looking at your purchase'))).toEqual(
      [],
    )
  },
)

const again = [
  ['moved', (container: Element) => addContainer().append(container)],
  [
    'replaced by a window',
    () => {
      button('Having trouble?').click()
      button('Open in a new window').click()
    },
  ],
] as const
test.each(again)(
  'a frame that is %s after the payment reports the result instead of starting another purchase',
  async (_which, act) => {
    const companion = await createCompanion()
    const container = addContainer()
    const widget = makeWidget({ companion: companion.url, container })
    const result = widget.open()
    await reaches(widget, 'loaded')
    await companion.set({ purchase: complete })
    act(container)
    expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
    expect((await companion.state()).tokens).toBe(1)
  },
)

test('a frame that is moved while its order is pending waits for that order', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: pending })
  addContainer().append(container)
  await reaches(widget, 'confirming')
  await companion.set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
  expect((await companion.state()).tokens).toBe(1)
})

test('a frame that is moved during its payment reports it, also if its order names the product differently', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container, params: { product_id: 'gold-100' } })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const product_id = 'SKU-7'
  await companion.set({ purchase: { ...pending, order: { ...pending.order, product_id } } })
  addContainer().append(container)
  await reaches(widget, 'confirming')
  await companion.set({ purchase: { ...complete, order: { ...paid, product_id } } })
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { product_id } })
})

test('a frame that is moved says that it is loading, and the shopper can cancel', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchaseDelay: 500 })
  addContainer().append(container)
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  button('Cancel').click()
  expect(await result).toEqual({ status: 'closed' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(shells()).toEqual([])
  expect((await companion.state()).tokens).toBe(1)
})
