// Promise: surface/popup-detached
/** A window closed while the widget was appearing looks the same as one that COOP has cut off. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from '../../src/index.ts'
import {
  button,
  comeBackElsewhere,
  complete,
  createCompanion,
  find,
  makeWidget,
  pending,
  reaches,
  shells,
  takeTimers,
  watchWindows,
} from './page.ts'
import { hasShown, leaves, replaceInWindows } from './windows.ts'

/** Opens a window, and closes it before it has shown the widget long enough to rule out that COOP has cut it off. */
async function openAndLose(options: PurchaseWidgetOptions): Promise<Lost> {
  const opened = watchWindows()
  const widget = makeWidget(options)
  const left = leaves(widget)
  const result = widget.open()
  await left
  opened[0]?.close()
  await expect
    .poll(() => find('p').textContent)
    .toBe('If you have closed the purchase window, open it again.')
  return { opened, widget, result }
}

interface Lost {
  opened: Window[]
  widget: PurchaseWidget
  result: Promise<PurchaseResult>
}

const reopenings = [
  ['another open()', ({ widget }: Lost) => void widget.open()],
  ['the button', () => button('Open in a new window').click()],
] as const
test.each(reopenings)(
  'a window closed while the widget appears is reopened by %s, for the same purchase',
  async (_which, reopen) => {
    const companion = await createCompanion()
    const lost = await openAndLose({ companion: companion.url, mode: 'popup' })
    reopen(lost)
    expect(lost.opened).toHaveLength(2)
    await hasShown(lost.widget, lost.opened[1])
    await expect.poll(() => find('p').textContent).toBe('Your purchase is open in another window.')
    expect((await companion.state()).tokens).toBe(1)
    // The shopper closes it, and the server has no order.
    lost.opened[1]?.close()
    expect(await lost.result).toEqual({ status: 'closed' })
    expect(shells()).toEqual([])
  },
)

test('a window reopened after its address has expired shows a new purchase', async () => {
  const companion = await createCompanion({ expiresIn: 30 })
  const { widget, opened } = await openAndLose({ companion: companion.url, pageToken: true, mode: 'popup' })
  widget.open()
  await hasShown(widget, opened[1])
  expect(opened).toHaveLength(2)
  expect((await companion.state()).tokens).toBe(2)
})

test('a window closed after its purchase was paid is not reopened with the widget', async () => {
  const companion = await createCompanion()
  const { widget, opened, result } = await openAndLose({ companion: companion.url, mode: 'popup' })
  await companion.set({ purchase: complete })
  widget.open()
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  expect(opened[1]?.closed).toBe(true)
  expect((await companion.state()).tokens).toBe(1)
})

test('once the server has an order for a window closed while the widget appeared, the page says that it is being processed', async () => {
  const companion = await createCompanion()
  await openAndLose({ companion: companion.url, mode: 'popup' })
  await companion.set({ purchase: pending })
  const says = (): string | null => find('p').textContent
  await expect.poll(says).toBe('Your payment is being processed. Do not pay again.')
  const line = find('p')
  expect(() => button('Open in a new window')).toThrow()
  expect(button('I have finished')).toBeTruthy()

  // A server outage after that does not remove the message.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reads = async (): Promise<number> => (await companion.state()).reads
  await companion.set({ purchaseStatus: 503 })
  const before = await reads()
  await expect.poll(reads).toBeGreaterThan(before)
  const failed = await reads()
  await vi.advanceTimersByTimeAsync(16_000)
  await expect.poll(reads).toBeGreaterThan(failed)
  // If the line were redrawn, a screen reader would announce it again.
  expect(find('p')).toBe(line)
})

test('a shopper who closed the window while the widget appeared can cancel, and the result is closed', async () => {
  const { url } = await createCompanion()
  const { result } = await openAndLose({ companion: url, mode: 'popup' })
  button('Cancel').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(shells()).toEqual([])
})

/** Makes the window look to the page as if COOP had cut it off. */
function cutOff(widget: PurchaseWidget): void {
  let closed = false
  replaceInWindows(() => ({
    get closed() {
      return closed
    },
  }))
  widget.on('statechange', ({ status }) => {
    if (status === 'loading') closed = true
  })
}

test('a window cut off before the widget was seen is reported as detached, and never assumed closed', async () => {
  const companion = await createCompanion({ returnUrl: `${location.origin}/done` })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  cutOff(widget)
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await reaches(widget, 'detached')
  expect(button('I have finished')).toBeTruthy()

  // A declined attempt does not end the purchase.
  await companion.set({ purchase: { ...complete, status: 'failed' } })
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(1)
  expect(widget.getSnapshot().status).toBe('detached')

  await companion.set({ purchase: complete })
  const page = await comeBackElsewhere(companion, (await companion.state()).ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  // The return page may close its window, which this page cannot.
  await expect.poll(() => page.title).toBe('heard close')
})

test('“I have finished” on a detached window ends as unknown when the server has no order', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'popup' })
  cutOff(widget)
  const result = widget.open()
  await reaches(widget, 'detached')
  button('I have finished').click()
  expect(await result).toMatchObject({ status: 'unknown' })
})

test('a window that stays detached for half an hour ends as unknown', async () => {
  const { widgetUrl } = await createCompanion()
  takeTimers()
  const confirm = async (): Promise<null> => null
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', confirm, mode: 'popup' })
  cutOff(widget)
  const result = widget.open()
  await reaches(widget, 'detached')
  await vi.advanceTimersByTimeAsync(1_770_000)
  expect(widget.getSnapshot().status).toBe('detached')
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await result).toMatchObject({ status: 'unknown' })
})
