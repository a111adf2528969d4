// Promise: loader/results
/** How the page handles what the merchant's server knows about a purchase. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { getPendingResult } from '../../src/entries/sync.ts'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from '../../src/index.ts'
import type { CompanionState } from './merchant.ts'
import {
  addContainer,
  button,
  comeBack,
  comeBackElsewhere,
  complete,
  createCompanion,
  find,
  frames,
  frameWindow,
  keptId,
  makeWidget,
  order,
  paid,
  pending,
  reaches,
  record,
  type TestCompanion,
  takeTimers,
  watchNavigations,
  watchWindows,
} from './page.ts'
import { hasShown } from './windows.ts'

const failed = { status: 'failed', state: 'matched', order: order('order_failed', 'o2') }
const stored = () => sessionStorage.getItem('purchase-widget')

interface Open {
  companion: TestCompanion
  widget: PurchaseWidget
  result: Promise<PurchaseResult>
}

/** Opens a widget; `initially` is the companion's state. */
async function openLoaded(
  options: Partial<PurchaseWidgetOptions> = {},
  initially: Partial<CompanionState> = {},
): Promise<Open> {
  const companion = await createCompanion(initially)
  const widget = makeWidget({ companion: companion.url, ...options } as PurchaseWidgetOptions)
  const result = widget.open()
  await reaches(widget, 'loaded')
  return { companion, widget, result }
}

const framed = (purchase: CompanionState['purchase'], more: Partial<CompanionState> = {}): Promise<Open> =>
  openLoaded({ container: addContainer() } as never, { purchase, ...more })

// Promise: known/result
test('the page tells a shopper who paid for something else that the shop will review the purchase', async () => {
  const { companion, widget, result } = await openLoaded()
  await companion.set({ purchase: { ...complete, state: 'mismatched' } })
  widget.close()
  expect(await result).toEqual({ status: 'success', verified: false, order: paid })
  await expect.poll(() => find('[part=bar] p').textContent).toContain('You have paid')
  button('Dismiss').click()
  expect(() => find('[part=bar]')).toThrow()
})

// Promise: loader/closed
test('without an order the result is closed, and a payment that was on its way is found by the next click, which opens no other', async () => {
  const { companion, widget, result } = await openLoaded()
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  await companion.set({ purchase: complete })
  expect(await widget.open()).toEqual({ status: 'success', verified: true, order: paid })
  expect([frames(), (await companion.state()).asked.length]).toEqual([[], 1])
  expect(stored()).toBeNull()
})

test.each([
  ['dialog', 'modal', 2],
  ['window', 'popup', 30],
] as const)(
  'a %s in which the shopper could have paid is asked about for a while, by a later page too',
  async (_, mode, minutes) => {
    const opened = watchWindows()
    const companion = await createCompanion({ purchase: { status: 'none' } })
    const widget = makeWidget({ companion: companion.url, mode })
    const result = widget.open()
    await (mode === 'popup' ? hasShown(widget, opened[0]) : reaches(widget, 'loaded'))
    widget.close()
    expect(await result).toEqual({ status: 'closed' })
    const { reads } = await companion.state()
    const closedAt = Date.now()
    onTestFinished(() => void vi.useRealTimers())
    /** How often a page asks the server, so long after the widget was closed. */
    async function readsAfter(ms: number): Promise<number> {
      vi.useFakeTimers({ toFake: ['Date'], now: closedAt + ms })
      expect(await getPendingResult({ companion: companion.url })).toBeNull()
      return (await companion.state()).reads - reads
    }
    expect(await readsAfter(minutes * 60_000 - 1_000)).toBe(1)
    expect(await readsAfter(minutes * 60_000 + 1_000)).toBe(1)
  },
)

test('the page waits for a pending order, and tells the shopper so', async () => {
  const { companion, widget, result } = await openLoaded()
  await companion.set({ purchase: pending })
  widget.close()
  await expect.poll(() => find('[part=bar]').textContent).toBe('Checking your purchase...')
  expect(find('[part=bar] [part=spinner]')).toBeTruthy()
  expect(widget.getSnapshot().status).toBe('confirming')
  await companion.set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
  expect(() => find('[part=bar]')).toThrow()
})

test.each([
  ['Check again', { status: 'success', verified: true }],
  ['Dismiss', { status: 'unknown' }],
])('after a failed query to the server, “%s” leads to %j', async (way, expected) => {
  const { companion, widget, result } = await openLoaded()
  const errors = record(widget, 'error')
  await companion.set({ purchaseStatus: 500, purchase: complete })
  takeTimers()
  widget.close()
  const isOffered = async (): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(1_000)
    return !!document.querySelector('div')?.shadowRoot?.textContent?.includes(way)
  }
  await expect.poll(isOffered).toBe(true)
  expect(errors.map(({ code }) => code)).toEqual(['confirm_failed'])
  await companion.set({ purchaseStatus: 200 })
  button(way).click()
  expect(await result).toMatchObject(expected)
})

test('a return from the frame queries the server first; if prevented, the page stays and the result has the return address', async () => {
  const returnUrl = `${location.origin}/done`
  const { companion, widget, result } = await framed(complete, { returnUrl })
  const returns = record(widget, 'return')
  widget.on('return', (event) => event.preventDefault())
  const id = await comeBack(companion)
  const url = `${returnUrl}?purchase=${id}`
  expect(await result).toEqual({ status: 'success', verified: true, order: paid, returnUrl: url })
  expect(frames()).toEqual([])
  expect(returns.map(({ info }) => info)).toMatchObject([{ status: 'success', url }])
  expect(await companion.state()).toMatchObject({ returns: 1, reads: 1 })
})

test('while this page leaves for the return address, another click opens no other purchase', async () => {
  const navigations = watchNavigations()
  const { companion, widget, result } = await framed(complete, { returnUrl: `${location.origin}/done` })
  await comeBack(companion)
  expect(await result).toEqual({ status: 'redirected' })
  expect(widget.open()).toBe(result)
  expect(navigations.filter((url) => url.includes('/done?purchase='))).toHaveLength(1)
  expect([frames(), (await companion.state()).tokens]).toEqual([[], 1])
  // The shopper comes back to a page that the history restores.
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(widget.open()).not.toBe(result)
})

// Promise: loader/never-believed
test('the outcome in a return message is never taken as the result', async () => {
  const { companion, result } = await framed(complete)
  await comeBack(companion, frameWindow(), '/failed')
  expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
})

// Promise: return/other-purchase
test("the page ignores another purchase's return page; its own purchase's in another window makes it query the server, and ends nothing", async () => {
  const { companion, widget } = await openLoaded({}, { purchase: failed })
  const returns = record(widget, 'return')
  await comeBackElsewhere(companion, 'AAAAAAAAAAAAAAAAAAAAAA')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await companion.state()).reads).toBe(0)
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(widget.getSnapshot().status).toBe('loaded')
  expect(returns).toEqual([])
})

test('with redirectPage new, the return page in its own tab stays, and the server determines the result', async () => {
  const { companion, result } = await openLoaded({ redirectPage: 'new' }, { purchase: complete })
  const page = await comeBackElsewhere(companion, (await companion.state()).ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true })
  await expect.poll(() => page.title).toBe('heard')
})

test('a reloaded page receives the result once', async () => {
  const { companion, widget } = await openLoaded()
  const pendingResult = () => getPendingResult({ companion: companion.url })
  const { ids } = await companion.state()
  expect(stored()).toMatch(RegExp(`^${ids[0]} \\d+ [\\d.]+$`))
  // A page that unloads does not close its widget.
  widget.destroy()
  expect(await pendingResult()).toBeNull()
  await companion.set({ purchase: complete })
  expect(await pendingResult()).toEqual({ status: 'success', verified: true, order: paid })
  expect(await pendingResult()).toBeNull()
})

test('a stored value other than a recent purchase is ignored', async () => {
  const companion = await createCompanion()
  const young = (id: string, at: unknown = Date.now()) => `${id} ${at}`
  const id = 'AbCdEfGhIjKlMnOpQrSt_-'
  for (const value of [
    ...[
      '',
      ' ',
      'null',
      id,
      `${id} `,
      young(id, 1),
      young(id, '1e99'),
      JSON.stringify({ id, at: Date.now() }),
    ],
    ...[young(`../${id}`), young(`${id}/..`), young(id.slice(1)), young(id.repeat(2)), young('')],
    ...[young(id, Date.now() + 60_000), young(id, 'now'), young(id, Date.now() - 86_400_001)],
  ]) {
    sessionStorage.setItem('purchase-widget', value)
    expect(await getPendingResult({ companion: companion.url }), value).toBeNull()
  }
  expect((await companion.state()).reads).toBe(0)
})

/** Resolves once the page has its answer, which the server sent before this one. Time advanced earlier would not count. */
const hasAnswer = (companion: TestCompanion): Promise<unknown> => companion.state()

// Promise: loader/asks
test('the page queries the server about an open widget after 15, 30 and 90 s, and a declined attempt ends nothing', async () => {
  takeTimers()
  const { companion, widget } = await framed(failed)
  for (const [seconds, reads] of [
    [13, 0],
    [3, 1],
    [15, 2],
    [40, 2],
    [21, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(seconds * 1_000)
    await expect.poll(async () => (await companion.state()).reads).toBe(reads)
    await hasAnswer(companion)
  }
  // The page never gives up on a widget that the shopper can see.
  for (let reads = 4; reads < 36; reads++) {
    await vi.advanceTimersByTimeAsync(60_000)
    await expect.poll(async () => (await companion.state()).reads).toBe(reads)
    await hasAnswer(companion)
  }
  expect(widget.getSnapshot().status).toBe('loaded')
})

test('a complete purchase whose return page never loads ends after ten seconds', async () => {
  takeTimers()
  const { companion, widget, result } = await framed(complete)
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  await hasAnswer(companion)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(widget.getSnapshot().status).toBe('loaded')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(frames()).toEqual([])
})

test('a hidden page does not query the server until it is visible', async () => {
  takeTimers()
  const { companion } = await framed({ status: 'none' })
  const visibility = vi.spyOn(Document.prototype, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  await vi.advanceTimersByTimeAsync(100_000)
  expect((await companion.state()).reads).toBe(0)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
})

test('a page that is queried about for an hour keeps no listener for each query', async () => {
  const { widget } = await openLoaded()
  widget.destroy()
  const listens = vi.spyOn(Document.prototype, 'addEventListener')
  onTestFinished(() => listens.mockRestore())
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  takeTimers()
  await framed({ status: 'none' })
  fetched.mockResolvedValue({ ok: true, json: async () => ({ status: 'none' }) } as Response)
  fetched.mockClear()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(fetched.mock.calls.length).toBeGreaterThan(50)
  expect(listens.mock.calls.filter(([type]) => type === 'visibilitychange')).toEqual([])
})

// Promise: loader/without-companion
test('without a companion the return addresses contain a purchase id, which confirm receives', async () => {
  const { widgetUrl } = await createCompanion()
  const hints: unknown[] = []
  const widget = makeWidget({
    widgetUrl,
    accessToken: async () => 'canary-token',
    // The page may be at the return address of an earlier purchase.
    params: { redirect_url: '/done?purchase=old', fail_redirect_url: `${location.origin}/failed?from=shop` },
    async confirm(hint) {
      hints.push(hint)
      return paid
    },
  })
  const messages = record(widget, 'message')
  const result = widget.open()
  await reaches(widget, 'loaded')
  frameWindow().postMessage({ ask: 'query' }, '*')
  await expect.poll(() => messages.length).toBe(1)
  const query = new URLSearchParams(`${messages[0]?.data}`)
  const id = keptId()
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(query.get('redirect_url')).toBe(`${location.origin}/done?purchase=${id}`)
  expect(query.get('fail_redirect_url')).toBe(`${location.origin}/failed?from=shop&purchase=${id}`)
  widget.close()
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect(hints).toEqual([{ purchaseId: id }])
})

test('without a server, a return is a hint, and never verified', async () => {
  const { widgetUrl } = await createCompanion()
  const companion = await createCompanion({ returnUrl: 'https://elsewhere.example/' })
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', container: addContainer() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const id = keptId()
  frameWindow().location.replace(`${companion.url}/return/${id}/failed`)
  expect(await result).toMatchObject({ status: 'failure', verified: false })
})

// Promise: token/never-in-page
test('with launchUrl the token never enters the page', async () => {
  const { url, widgetUrl } = await createCompanion()
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  const widget = makeWidget({ widgetUrl, launchUrl: `${url}/launch`, params: { product_id: 'gold-100' } })
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  frameWindow().postMessage({ ask: 'query' }, '*')
  await expect
    .poll(() => messages[0]?.data)
    .toBe('?product_id=gold-100&redirect_page=self&accessToken=canary-token')
  expect(fetched).not.toHaveBeenCalled()
})
