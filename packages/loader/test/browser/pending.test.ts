// Promise: known/under-way
/** A page reloaded during a payment: it says so, prevents a second payment, and reports the result. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getPendingResult } from '../../src/entries/sync.ts'
import type { PurchaseWidget } from '../../src/index.ts'
import { languages } from '../../src/languages.ts'
import type { CompanionState } from './merchant.ts'
import {
  addContainer,
  button,
  complete,
  createCompanion,
  find,
  frames,
  frameWindow,
  makeWidget,
  paid,
  pending,
  reaches,
  record,
  shells,
  type TestCompanion,
  takeTimers,
  watchLinks,
  watchWindows,
} from './page.ts'
import { advanceClock, hasShown } from './windows.ts'

const { de } = languages

const sentence = 'Your payment is being processed. Do not pay again.'

const stored = (): string | null => sessionStorage.getItem('purchase-widget')
const bars = (): (string | null | undefined)[] =>
  shells().flatMap((root) => [...root.querySelectorAll('[part=bar] p')].map(({ textContent }) => textContent))

/** The state that a reloaded page finds: the tab has stored a purchase, for which the companion answers `purchase`. */
async function reloadWith(
  purchase: CompanionState['purchase'],
  more: Partial<CompanionState> = {},
): Promise<TestCompanion> {
  const id = crypto.randomUUID()
  sessionStorage.setItem('purchase-widget', `${id} ${Date.now()}`)
  return createCompanion({ ids: [id], purchase, ...more })
}

beforeEach(() => sessionStorage.clear())

test('while a payment is under way, the page says so at once, and receives the result when it ends', async () => {
  const { url, set } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: complete })
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect(bars()).toEqual([])
  expect(stored()).toBeNull()
})

test('several callers get the result, and the page shows the message once, in the requested language', async () => {
  const { url, set } = await reloadWith(pending)
  const onPending = vi.fn()
  const results = [1, 2, 3].map(() =>
    getPendingResult({ companion: url, locale: 'de', strings: de, onPending }),
  )
  await expect.poll(bars).toEqual([de.processing])
  expect(onPending).toHaveBeenCalledTimes(3)
  await set({ purchase: complete })
  for (const result of results) expect(await result).toMatchObject({ status: 'success' })
})

test('a purchase without an order is not a payment, and the page shows no message', async () => {
  const { url, state } = await reloadWith({ status: 'none' })
  const onPending = vi.fn()
  expect(await getPendingResult({ companion: url, onPending })).toBeNull()
  expect(onPending).not.toHaveBeenCalled()
  expect(bars()).toEqual([])
  expect((await state()).reads).toBe(1)
})

/** Answers every request without the network, so that the test can skip minutes. */
const answerAtOnce = (answer: object | null) =>
  vi.spyOn(window, 'fetch').mockResolvedValue({ ok: !!answer, json: async () => answer } as Response)

test('the page queries the server again after an outage while the payment is processed', async () => {
  takeTimers()
  const { url } = await reloadWith(pending)
  const fetched = answerAtOnce(pending)
  onTestFinished(() => fetched.mockRestore())
  const result = getPendingResult({ companion: url })
  await vi.advanceTimersByTimeAsync(1)
  answerAtOnce(null)
  await vi.advanceTimersByTimeAsync(300_000)
  expect(bars()).toEqual([sentence])
  answerAtOnce(complete)
  await vi.advanceTimersByTimeAsync(16_000)
  expect(await result).toMatchObject({ status: 'success' })
})

test('a shopper who dismisses the message can buy again', async () => {
  const { url, state } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  expect(find('[part=bar] [part=spinner]')).toBeTruthy()
  button('Dismiss').click()
  expect(await result).toBeNull()
  expect(stored()).toBeNull()
  makeWidget({ companion: url }).open()
  await expect.poll(frames).toHaveLength(1)
  expect((await state()).tokens).toBe(1)
})

test('once the shopper has dismissed the message, the page stops querying the server', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { url } = await reloadWith(pending)
  const result = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  const asked = vi.spyOn(window, 'fetch')
  onTestFinished(() => asked.mockRestore())
  button('Dismiss').click()
  expect(await result).toBeNull()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).not.toHaveBeenCalled()
})

test.each(['popup', 'iframe'] as const)(
  'while a payment is under way, a click on Buy opens nothing and returns the result of that payment (%s)',
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

test('a click before the server has answered that the payment is complete opens nothing, and returns its result', async () => {
  const { url, state } = await reloadWith(complete, { purchaseDelay: 300 })
  const told = getPendingResult({ companion: url })
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  expect(await told).toMatchObject({ status: 'success', order: paid })
  expect(await result).toMatchObject({ status: 'success', order: paid })
  expect(frames()).toEqual([])
  expect((await state()).tokens).toBe(0)
})

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

test('once the earlier purchase has ended, a click on Buy opens another one', async () => {
  const { url } = await reloadWith(complete)
  const widget = makeWidget({ companion: url })
  const states = record(widget, 'statechange')
  widget.open()
  await reaches(widget, 'loaded')
  expect(states.map(({ status }) => status)).not.toContain('confirming')
  expect(bars()).toEqual([])
})

test('while the server is asked about the earlier purchase, a click on Buy shows that it is loading', async () => {
  const { url } = await reloadWith({ status: 'none' }, { purchaseDelay: 500 })
  const widget = makeWidget({ companion: url, container: addContainer() })
  widget.open()
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  expect(frames()).toEqual([])
  await reaches(widget, 'loaded')
})

/** A click while the server says nothing about the earlier purchase, until the shopper reads that. The timers then stand still. */
async function clickWithoutAnswer(change: Partial<CompanionState>) {
  const { url, set, state } = await reloadWith(change.purchase ?? { status: 'none' }, change)
  const widget = makeWidget({ companion: url })
  const errors = record(widget, 'error')
  takeTimers()
  const result = widget.open()
  const later = async (): Promise<string | null> => {
    await vi.advanceTimersByTimeAsync(500)
    return find('[part=notice] p').textContent
  }
  await expect.poll(later).toBe(unknown)
  expect(errors).toMatchObject([{ code: 'confirm_failed' }])
  return { set, state, widget, result }
}

const unknown = 'It is not known yet whether your purchase went through.'

test.each<[string, Partial<CompanionState>]>([
  ['is late', { purchaseDelay: 8_000 }],
  ['fails', { purchaseStatus: 502 }],
  ['has not asked the service', { purchase: { status: 'none', fresh: false } }],
])('while the server %s, a click on Buy opens nothing before the shopper says so', async (_, change) => {
  const { widget, result, state, set } = await clickWithoutAnswer(change)
  expect((await state()).tokens).toBe(0)
  button('Dismiss').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(stored()).toBeNull()
  await set({ purchaseStatus: 200, purchaseDelay: 0, purchase: { status: 'none' } })
  vi.useRealTimers()
  void widget.open()
  await reaches(widget, 'loaded')
})

test('a window that is closed while the server is asked about the earlier purchase ends the opening', async () => {
  const opened = watchWindows()
  const { url } = await reloadWith({ status: 'none' }, { purchaseDelay: 500 })
  const widget = makeWidget({ companion: url, mode: 'popup' })
  const result = widget.open()
  opened[0]?.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(frames()).toEqual([])
})

test('a waiting window that the shopper has closed is opened again by the next click, which asks first too', async () => {
  const opened = watchWindows()
  const { url, set, state } = await reloadWith(pending, { purchaseDelay: 1_500 })
  const widget = makeWidget({ companion: url, mode: 'popup' })
  const result = widget.open()
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(widget.open()).toBe(result)
  expect(opened.urls).toEqual(['', ''])
  await reaches(widget, 'confirming')
  expect(opened[1]?.closed).toBe(true)
  await set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success' })
  expect((await state()).tokens).toBe(0)
})

test('a shopper who has dismissed the doubt about a lost window is not asked again', async () => {
  const opened = watchWindows()
  const { url, set, state } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'popup' })
  const first = widget.open()
  await hasShown(widget, opened[0])
  opened[0]?.close()
  await first
  await set({ purchaseStatus: 502 })
  const second = widget.open()
  // Longer than the page goes on asking.
  await new Promise((resolve) => setTimeout(resolve, 9_000))
  opened[1]?.document
    .querySelector('div')
    ?.shadowRoot?.querySelectorAll('button')
    .forEach((each) => {
      if (each.textContent === 'Dismiss') each.click()
    })
  expect(await second).toEqual({ status: 'closed' })
  void widget.open()
  await expect.poll(async () => (await state()).tokens).toBe(2)
})

test('a page that is restored after a redirect leaves the result to the page that the purchase led to', async () => {
  const links = watchLinks()
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'redirect' })
  expect(await widget.open()).toEqual({ status: 'redirected' })
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  await set({ purchase: complete })
  expect(await widget.open()).toEqual({ status: 'redirected' })
  expect(links).toHaveLength(2)
})

test('while this tab leaves for the widget, another click begins no other purchase, unless it is for another product', async () => {
  const links = watchLinks()
  const { url, state } = await createCompanion()
  const options = { companion: url, mode: 'redirect', params: { product_id: 'gold-100' } } as const
  const widget = makeWidget(options)
  const first = widget.open()
  expect(await first).toEqual({ status: 'redirected' })
  expect(widget.open()).toBe(first)
  widget.update({ ...options })
  expect(widget.open()).toBe(first)
  expect([links.length, (await state()).reads]).toEqual([1, 0])
  // A navigation that has not left by then may never leave.
  advanceClock(window, 5_001)
  const second = widget.open()
  expect(second).not.toBe(first)
  expect(await second).toEqual({ status: 'redirected' })
  expect(links).toHaveLength(2)
  widget.update({ ...options, params: { product_id: 'silver-10' } })
  expect(await widget.open()).toEqual({ status: 'redirected' })
  expect(links[2]).toContain('silver-10')
})

test('a redirect is not continued on a page that the shopper has left and come back to', async () => {
  const links = watchLinks()
  const { url, set, state } = await createCompanion({ tokenDelay: 300 })
  const widget = makeWidget({ companion: url, mode: 'redirect' })
  const result = widget.open()
  await reaches(widget, 'opening')
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(await result).toEqual({ status: 'closed' })
  await expect.poll(async () => (await state()).tokens).toBe(1)
  await set({ tokenDelay: 0 })
  expect(links).toEqual([])
})

test('a redirect that waits for an answer about an earlier purchase is not continued on a page that the shopper has left', async () => {
  const links = watchLinks()
  const { url, set, state } = await reloadWith({ status: 'none' }, { purchaseDelay: 500 })
  const widget = makeWidget({ companion: url, mode: 'redirect' })
  const result = widget.open()
  await expect.poll(async () => (await state()).reads).toBe(1)
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(await result).toEqual({ status: 'closed' })
  await set({ purchaseDelay: 0 })
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect([links, (await state()).tokens]).toEqual([[], 0])
})

test('a redirect that continues with an earlier payment reports its result on a page that the shopper has left and come back to', async () => {
  const { url, set } = await reloadWith(pending)
  const widget = makeWidget({ companion: url, mode: 'redirect' })
  const result = widget.open()
  await expect.poll(bars).toEqual([sentence])
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  await set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

test('a payment about which the server says no more is not reported as under review', async () => {
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await set({ purchase: { status: 'complete', state: null, order: null } })
  widget.close()
  expect(await result).toEqual({ status: 'success', verified: false })
  expect(bars()).toEqual([])
})

test('a purchase that is open on this page is none that the page was reloaded during', async () => {
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url })
  void widget.open()
  await reaches(widget, 'loaded')
  await set({ purchase: pending })
  expect(await getPendingResult({ companion: url })).toBeNull()
  expect(bars()).toEqual([])
})

test('a tab of its own that the shopper cancels is looked up before the next purchase, since it may still be paid in', async () => {
  watchWindows()
  const { url, set, state } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'redirect', redirectPage: 'new' })
  const first = widget.open()
  await reaches(widget, 'loaded')
  button('Cancel').click()
  expect(await first).toEqual({ status: 'closed' })
  await set({ purchase: pending })
  const second = widget.open()
  await reaches(widget, 'confirming')
  await set({ purchase: complete })
  expect(await second).toMatchObject({ status: 'success' })
  expect((await state()).tokens).toBe(1)
})

test('without a companion, `confirm` is asked about the earlier purchase before another one opens', async () => {
  const { widgetUrl } = await createCompanion()
  const confirm = vi.fn().mockResolvedValue(pending.order)
  const accessToken = vi.fn().mockResolvedValue('canary-token')
  sessionStorage.setItem('purchase-widget', `${crypto.randomUUID()} ${Date.now()}`)
  const widget = makeWidget({ widgetUrl, accessToken, confirm })
  const result = widget.open()
  await reaches(widget, 'confirming')
  confirm.mockResolvedValue(paid)
  expect(await result).toMatchObject({ status: 'success', order: paid })
  expect(accessToken).not.toHaveBeenCalled()
})

test('while an earlier purchase may have been paid, a failure does not say that nothing was charged', async () => {
  const { widgetUrl } = await createCompanion()
  sessionStorage.setItem('purchase-widget', `${crypto.randomUUID()} ${Date.now()}`)
  const widget = makeWidget({ widgetUrl, accessToken: () => Promise.reject(Error('down')) })
  widget.on('error', () => {})
  void widget.open()
  await expect.poll(() => find('[part=notice] p').textContent).toBe('The purchase could not be started.')
})

test.each([
  ['the earlier payment', pending],
  ['no earlier payment', { status: 'none' }],
])('a late answer about %s ends the doubt by itself', async (_, purchase) => {
  const { url, set, state } = await reloadWith(purchase, { purchaseDelay: 6_000 })
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await expect.poll(() => find('[part=notice] p').textContent).toBe(unknown)
  await set({ purchaseDelay: 0 })
  if (purchase !== pending) return reaches(widget, 'loaded')
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success' })
  expect((await state()).tokens).toBe(0)
})

test.each([
  ['“Check again”', () => button('Check again').click()],
  ['a late answer', () => vi.useRealTimers()],
])('once the shopper has read that it is not known, %s reports a purchase that is paid', async (_, act) => {
  const { set, state, result } = await clickWithoutAnswer({ purchaseDelay: 6_000 })
  await set({ purchaseDelay: 0, purchase: complete })
  act()
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect((await state()).tokens).toBe(0)
})

/** A click on “Buy”, after which the page has given up asking a server that fails. */
async function clickInVain() {
  const click = await clickWithoutAnswer({ purchaseStatus: 502 })
  for (let reads = 0, before = -1; reads !== before; ) {
    before = reads
    await vi.advanceTimersByTimeAsync(1_000)
    reads = (await click.state()).reads
  }
  return click
}

test('“Check again” finds the earlier payment, or opens the widget', async () => {
  const first = await clickInVain()
  await first.set({ purchaseStatus: 200, purchase: pending })
  button('Check again').click()
  await expect.poll(bars).toEqual([sentence])
  await first.set({ purchase: complete })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await first.result).toMatchObject({ status: 'success' })
  const second = await clickInVain()
  await second.set({ purchaseStatus: 200 })
  button('Check again').click()
  await reaches(second.widget, 'loaded')
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

test('a click on another product reports no result of the payment that is under way', async () => {
  const { url, set } = await reloadWith(pending)
  const wishes = [{}, { product_id: 'silver' }, { product_id: 'gold' }]
  const widgets = wishes.map((params) => makeWidget({ companion: url, params }))
  const results = widgets.map((widget) => widget.open())
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: { ...complete, order: { ...paid, product_id: 'gold' } } })
  expect((await Promise.all(results)).map(({ status }) => status)).toEqual(['success', 'closed', 'success'])
})

test('a payment in a widget of this page is reported by that widget alone', async () => {
  const { url, set } = await createCompanion()
  const [first, second] = [makeWidget({ companion: url }), makeWidget({ companion: url })]
  const paying = first.open()
  await reaches(first, 'loaded')
  await set({ purchase: pending })
  const other = second.open()
  await reaches(second, 'confirming')
  await set({ purchase: complete })
  first.close()
  expect(await paying).toMatchObject({ status: 'success' })
  expect(await other).toEqual({ status: 'closed' })
})

/**
 * A shopper has closed the widget during a payment that is still under way.
 *
 * @param openNext Opens another widget of the page before the payment.
 */
async function closedWhilePaying(openNext = async (_url: string): Promise<void> => {}) {
  const { url, set, state } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await openNext(url)
  takeTimers()
  const fetched = answerAtOnce(pending)
  widget.close()
  await vi.advanceTimersByTimeAsync(60_000)
  fetched.mockRestore()
  expect(await result).toMatchObject({ status: 'closed', order: pending.order })
  vi.useRealTimers()
  await set({ purchase: pending })
  return { url, set, state, widget }
}

test('after a shopper closes the widget during a payment, a click hours later opens no other', async () => {
  const { set, state, widget } = await closedWhilePaying()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 36_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const result = widget.open()
  await reaches(widget, 'confirming')
  await set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect((await state()).tokens).toBe(1)
})

test('after a shopper closes the widget during a payment, the reloaded page says that it is being processed', async () => {
  const { url, set } = await closedWhilePaying()
  const later = getPendingResult({ companion: url })
  await expect.poll(bars).toEqual([sentence])
  await set({ purchase: complete })
  expect(await later).toMatchObject({ status: 'success' })
})

/** Opens a widget of this page. */
async function openOn(companion: string, redirectPage: 'self' | 'new' = 'self') {
  const widget = makeWidget({ companion, redirectPage })
  const result = widget.open()
  await reaches(widget, 'loaded')
  return { widget, result }
}

/** Waits for the end of a widget's question about its purchase, while the timers are the test's. */
const settles = (widget: PurchaseWidget): Promise<void> =>
  expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1_000)
      return widget.getSnapshot().status
    })
    .toBe('settled')

test('a payment that is under way when its widget is closed stays stored, also if another widget of the page was opened after it, and is closed', async () => {
  const next: Awaited<ReturnType<typeof openOn>>[] = []
  const { set, state } = await closedWhilePaying(async (companion) => {
    next.push(await openOn(companion))
  })
  const [paying] = (await state()).ids
  expect(stored()).toContain(paying)
  await set({ purchase: { status: 'none' } })
  for (const { widget, result } of next) {
    widget.close()
    expect(await result).toEqual({ status: 'closed' })
  }
  expect(stored()).toContain(paying)
})

test('a payment that is under way when its shopper comes back stays stored, also if another widget of the page was opened after it', async () => {
  const { url, set, state } = await createCompanion()
  const { widget, result } = await openOn(url, 'new')
  const view = frameWindow()
  await openOn(url)
  const [paying] = (await state()).ids
  expect(stored()).not.toContain(paying)
  await set({ purchase: pending })
  takeTimers()
  view.location.replace(`${location.origin}${url}/return/${paying}`)
  await settles(widget)
  expect(await result).toMatchObject({ status: 'unknown', order: pending.order })
  expect(stored()).toContain(paying)
})

test('a payment for which the shopper does not want to wait stays forgotten, and the next purchase stays stored', async () => {
  const { url, set, state } = await createCompanion()
  const first = await openOn(url)
  await set({ purchase: pending })
  takeTimers()
  first.widget.close()
  const next = makeWidget({ companion: url })
  const waiting = next.open()
  await expect.poll(bars).toContain(sentence)
  button('Dismiss').click()
  expect(await waiting).toEqual({ status: 'closed' })
  void next.open()
  await reaches(next, 'loaded')
  await settles(first.widget)
  expect(await first.result).toMatchObject({ status: 'closed', order: pending.order })
  expect(stored()).toContain((await state()).ids[1])
})
