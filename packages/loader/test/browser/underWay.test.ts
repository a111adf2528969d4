// Promise: known/under-way
/** What is not lost while a purchase is under way: a question without an answer, a widget that goes, a frame that moves. */
import { expect, test, vi } from 'vitest'
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

test('a question that never gets an answer is given up, and the shopper can ask again or go on', async () => {
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

test('an open widget is asked about again after a question that never got an answer', async () => {
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
  ['it is open', 15_000],
  ['it has been closed', 0],
] as const
test.each(destroyedWhile)(
  'a widget that is destroyed while it asks reports nothing and asks no more: %s',
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
    }
  },
)

const inItsResult = [
  ['destroys the widget', (widget: PurchaseWidget) => widget.destroy()],
  ['opens it again', (widget: PurchaseWidget) => void widget.open()],
] as const
test.each(inItsResult)(
  'a page that %s when it hears the result has nothing said about the one before',
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
    'given up for a window',
    () => {
      button('Having trouble?').click()
      button('Open in a new window').click()
    },
  ],
] as const
test.each(again)(
  'a frame that is %s after the payment tells the result instead of beginning another purchase',
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

test('a frame that is moved while its order is on its way waits for that order', async () => {
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

test('a frame that is moved says that it is loading, and the shopper can give up', async () => {
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
