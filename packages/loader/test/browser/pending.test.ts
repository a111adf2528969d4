// Promise: known/under-way
/** A page that was reloaded while its shopper paid: it says so, lets nobody pay twice, and gives the result. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getPendingResult } from '../../src/entries/sync.ts'
import { languages } from '../../src/languages.ts'
import type { CompanionState } from './merchant.ts'
import {
  addContainer,
  button,
  createCompanion,
  frames,
  makeWidget,
  reaches,
  record,
  shells,
  type TestCompanion,
} from './page.ts'

const { de } = languages

const sentence = 'Your payment is being processed. Do not pay again.'
const paid = { id: 'o1', type: 'order_complete', decline: null }
const started = { id: 'o1', type: 'payment_started', decline: null }
const pending = { status: 'pending', order: started }
const complete = { status: 'complete', state: 'matched', order: paid }

const stored = (): string | null => sessionStorage.getItem('purchase-widget')
const bars = (): (string | null | undefined)[] =>
  shells().flatMap((root) => [...root.querySelectorAll('[part=bar] p')].map(({ textContent }) => textContent))

/** As a page finds it that is reloaded: the tab has kept a purchase, and the companion knows this of it. */
async function reloadWith(
  purchase: CompanionState['purchase'],
  more: Partial<CompanionState> = {},
): Promise<TestCompanion> {
  const id = crypto.randomUUID()
  sessionStorage.setItem('purchase-widget', JSON.stringify({ id, at: Date.now() }))
  return createCompanion({ ids: [id], purchase, ...more })
}

beforeEach(() => sessionStorage.clear())

test('while the payment is under way the page says so at once, and has the result at its end', async () => {
  const { url, set } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: complete })
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect(bars()).toEqual([])
  expect(stored()).toBeNull()
})

test('the sentence is in the language that was asked for, and the caller is told', async () => {
  const { url, set } = await reloadWith(pending)
  const onPending = vi.fn()
  const result = getPendingResult({ companion: url, locale: 'de', strings: de, onPending })
  await expect.poll(bars).toEqual([de.processing])
  expect(onPending).toHaveBeenCalledOnce()
  await set({ purchase: complete })
  await result
})

test('several callers get the result, and the page shows the message once', async () => {
  const { url, set } = await reloadWith(pending)
  const results = [1, 2, 3].map(() => getPendingResult({ companion: url }))
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: complete })
  for (const result of results) expect(await result).toMatchObject({ status: 'success' })
})

test('a purchase of which no order has come is no payment: nothing is said', async () => {
  const { url, state } = await reloadWith({ status: 'none' })
  const onPending = vi.fn()
  expect(await getPendingResult({ companion: url, onPending })).toBeNull()
  expect(onPending).not.toHaveBeenCalled()
  expect(bars()).toEqual([])
  expect((await state()).reads).toBe(1)
})

test('a server that goes away while the payment is processed is asked again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url, set, state } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  const reads = async (): Promise<number> => (await state()).reads
  await expect.poll(reads).toBe(1)
  await set({ purchaseStatus: 503 })
  for (let asked = 2; asked < 20; asked++) {
    await vi.advanceTimersByTimeAsync(16_000)
    await expect.poll(reads).toBeGreaterThanOrEqual(asked)
  }
  expect(bars()).toEqual([sentence])
  await set({ purchaseStatus: 200, purchase: complete })
  await vi.advanceTimersByTimeAsync(16_000)
  expect(await result).toMatchObject({ status: 'success' })
})

test('a shopper who dismisses the message can buy again', async () => {
  const { url, state } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  button('Dismiss').click()
  expect(await result).toBeNull()
  expect(stored()).toBeNull()
  makeWidget({ companion: url }).open()
  await expect.poll(frames).toHaveLength(1)
  expect((await state()).tokens).toBe(1)
})

test.each(['modal', 'popup', 'iframe', 'redirect'] as const)(
  'a click on Buy opens nothing while the payment is under way, and has its result (%s)',
  async (mode) => {
    const opened = vi.spyOn(window, 'open')
    onTestFinished(() => opened.mockRestore())
    const { url, set, state } = await reloadWith(pending)
    const container = mode === 'iframe' ? { container: addContainer() } : {}
    const widget = makeWidget({ companion: url, mode, ...container } as never)
    const result = widget.open()
    await reaches(widget, 'confirming')
    await expect.poll(bars).toEqual([sentence])
    expect(frames()).toEqual([])
    for (const { value } of opened.mock.results) expect(value.closed).toBe(true)
    await set({ purchase: complete })
    expect(await result).toEqual({ status: 'success', verified: true, order: paid })
    expect(widget.getSnapshot()).toMatchObject({ status: 'settled', result: { status: 'success' } })
    expect((await state()).tokens).toBe(0)
  },
)

test('while the page shows the message, a click on Buy opens no window, not even for a moment', async () => {
  const opened = vi.spyOn(window, 'open')
  onTestFinished(() => opened.mockRestore())
  const { url, set } = await reloadWith(pending)
  const told = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  const widget = makeWidget({ companion: url, mode: 'popup' })
  const result = widget.open()
  expect(widget.getSnapshot().status).toBe('confirming')
  expect(opened).not.toHaveBeenCalled()
  expect(bars()).toEqual([sentence])
  await set({ purchase: complete })
  expect(await result).toEqual(await told)
})

test.each([{ status: 'none' }, { status: 'failed', state: 'matched', order: paid }, complete])(
  'where the earlier purchase is $status, a click on Buy opens another one',
  async (purchase) => {
    const { url } = await reloadWith(purchase)
    const widget = makeWidget({ companion: url })
    const states = record(widget, 'statechange')
    widget.open()
    await reaches(widget, 'loaded')
    expect(states.map(({ status }) => status)).not.toContain('confirming')
    expect(bars()).toEqual([])
  },
)

test('where the server does not say it in time, a click on Buy opens the widget', async () => {
  const { url, set } = await reloadWith({ status: 'none' }, { purchaseDelay: 60_000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const widget = makeWidget({ companion: url })
  widget.open()
  await expect.poll(frames).toHaveLength(1)
  await set({})
  await vi.advanceTimersByTimeAsync(5_000)
  await reaches(widget, 'loaded')
})

test('a preloaded frame is not shown while the payment is processed', async () => {
  const { url, set } = await reloadWith(pending)
  const widget = makeWidget({ companion: url, preload: 'eager' })
  await expect.poll(frames).toHaveLength(1)
  const result = widget.open()
  await reaches(widget, 'confirming')
  expect(frames()).toEqual([])
  await set({ purchase: complete })
  await result
})

test('a shopper who leaves while the payment is under way is told so after a reload', async () => {
  const companion = await createCompanion()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: pending })
  widget.close()
  const settled = async (): Promise<string> => {
    await vi.advanceTimersByTimeAsync(1_000)
    return widget.getSnapshot().status
  }
  // Slower than that, the clock would run past the time that an answer of the server may take.
  await expect.poll(settled, { interval: 250 }).toBe('settled')
  expect(await result).toMatchObject({ status: 'closed', order: started })
  vi.useRealTimers()
  const later = getPendingResult({ companion: companion.url })
  await expect.poll(bars).toEqual([sentence])
  await companion.set({ purchase: complete })
  expect(await later).toMatchObject({ status: 'success' })
})
