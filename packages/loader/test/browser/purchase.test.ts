// Promise: loader/results
/** What the merchant's server knows of a purchase, and what becomes of it on the page. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { getPendingResult } from '../../src/entries/sync.ts'
import type { PurchaseResult } from '../../src/index.ts'
import {
  addContainer,
  button,
  createCompanion,
  find,
  frames,
  makeWidget,
  reaches,
  record,
  type TestCompanion,
} from './page.ts'

const paid = { id: 'o1', type: 'order_complete', decline: null }
const decline = { code: '4004', reason: 'Insufficient balance', action: 'Add funds' }
const failed = { id: 'o2', type: 'order_failed', decline }
const started = { id: 'o3', type: 'payment_started', decline: null }

const stored = () => sessionStorage.getItem('purchase-widget')

/** Opens a widget and closes it again. */
async function openAndClose(purchase: object): Promise<PurchaseResult> {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: purchase as never })
  widget.close()
  return result
}

test.each([
  ['matched', true],
  ['unchecked', true],
  ['renewal', true],
  ['mismatched', false],
  ['duplicate', false],
  ['none', false],
  [undefined, false],
  ['constructor', false],
])('a paid order that is %s is a success, verified: %s', async (state, verified) => {
  expect(await openAndClose({ status: 'complete', state, order: paid })).toEqual({
    status: 'success',
    verified,
    order: paid,
  })
})

// Promise: known/result
test('a shopper who paid for something else reads that the shop will look at it', async () => {
  await openAndClose({ status: 'complete', state: 'mismatched', order: paid })
  await expect.poll(() => find('[part=bar] p').textContent).toContain('You have paid')
  button('Dismiss').click()
  expect(() => find('[part=bar]')).toThrow()
})

test('a failed purchase is a failure, with the decline as the server says it', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({
    companion: companion.url,
    locale: 'de',
  })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: { status: 'failed', state: 'matched', order: failed } })
  widget.close()
  expect(await result).toEqual({
    status: 'failure',
    verified: true,
    order: failed,
    decline,
  })
})

// Promise: loader/closed
test('without an order the result is closed, and nothing is left in storage', async () => {
  expect(await openAndClose({ status: 'none' })).toEqual({ status: 'closed' })
  expect(stored()).toBeNull()
})

test('a pending order is waited for, and the shopper is told so', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: { status: 'pending', state: 'matched', order: started } })
  widget.close()
  await expect.poll(() => find('[part=bar]').textContent).toBe('Checking your purchase...')
  expect(widget.getSnapshot().status).toBe('confirming')
  await companion.set({ purchase: { status: 'complete', state: 'matched', order: paid } })
  expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
  expect(() => find('[part=bar]')).toThrow()
})

test('a server that does not answer is asked again when the shopper says so', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const errors = record(widget, 'error')
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchaseStatus: 500 })
  widget.close()
  await expect.poll(() => button('Check again')).toBeTruthy()
  expect(errors.map(({ code }) => code)).toEqual(['confirm_failed'])
  await companion.set({
    purchaseStatus: 200,
    purchase: { status: 'complete', state: 'matched', order: paid },
  })
  button('Check again').click()
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

test('a server that does not answer makes the result unknown, and is asked again after a reload', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchaseStatus: 500 })
  widget.close()
  await expect.poll(() => button('Check again')).toBeTruthy()
  button('Dismiss').click()
  expect(await result).toMatchObject({ status: 'unknown' })
})

/** The return page arrives in the widget's own window. */
const returnInFrame = async (
  companion: { url: string; state(): Promise<{ ids: string[] }> },
  failed = '',
) => {
  const { ids } = await companion.state()
  find<HTMLIFrameElement>('iframe').contentWindow?.location.replace(
    `${companion.url}/return/${ids.at(-1)}${failed}`,
  )
}

test('a return from the frame asks the server first of all, and removes the frame', async () => {
  const companion = await createCompanion({ purchase: { status: 'complete', state: 'matched', order: paid } })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const returns = record(widget, 'return')
  const result = widget.open()
  await reaches(widget, 'loaded')
  await returnInFrame(companion)
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect(frames()).toEqual([])
  expect(returns.map(({ info }) => info)).toMatchObject([{ status: 'success', url: '' }])
  expect(await companion.state()).toMatchObject({ returns: 1, reads: 1 })
})

test('preventDefault() on a return keeps the page, and the result has the return address', async () => {
  const returnUrl = `${location.origin}/done`
  const companion = await createCompanion({
    returnUrl,
    purchase: { status: 'complete', state: 'matched', order: paid },
  })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await reaches(widget, 'loaded')
  await returnInFrame(companion)
  const { ids } = await companion.state()
  expect(await result).toEqual({
    status: 'success',
    verified: true,
    order: paid,
    returnUrl: `${returnUrl}?purchase=${ids[0]}`,
  })
})

test('a return to an address of another origin leads nowhere', async () => {
  const companion = await createCompanion({
    returnUrl: 'https://evil.example/done',
    purchase: { status: 'complete', state: 'matched', order: paid },
  })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await returnInFrame(companion)
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

// Promise: loader/never-believed
test('what the return page says is never the result', async () => {
  const companion = await createCompanion({ purchase: { status: 'complete', state: 'matched', order: paid } })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await returnInFrame(companion, '/failed')
  expect(await result).toMatchObject({ status: 'success', verified: true, order: paid })
})

test('a return that says failure ends a failed purchase at once, and one that says success waits for another order', async () => {
  for (const [said, then, status] of [
    ['/failed', null, 'failure'],
    ['', { status: 'complete', state: 'matched', order: paid }, 'success'],
  ] as const) {
    const companion = await createCompanion({
      purchase: { status: 'failed', state: 'matched', order: failed },
    })
    const widget = makeWidget({ companion: companion.url, container: addContainer() })
    const result = widget.open()
    await reaches(widget, 'loaded')
    await returnInFrame(companion, said)
    await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(0)
    if (then) await companion.set({ purchase: then })
    expect(await result).toMatchObject({ status, verified: true })
    if (!then) expect((await companion.state()).reads).toBe(1)
  }
})

/** The return page arrives in a tab that the page knows nothing of. */
async function returnElsewhere(companion: { url: string }, id: string | undefined): Promise<Document> {
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  frame.src = `${companion.url}/return/${id}`
  await new Promise((resolve) => {
    frame.onload = resolve
  })
  return frame.contentDocument as Document
}

test('a return page in another window makes the page ask, and ends nothing that has not ended', async () => {
  const companion = await createCompanion({ purchase: { status: 'failed', state: 'matched', order: failed } })
  const widget = makeWidget({ companion: companion.url })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const { ids } = await companion.state()
  await returnElsewhere(companion, ids[0])
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(widget.getSnapshot().status).toBe('loaded')
  expect(returns).toEqual([])
})

test('with redirectPage new, the return page in its own tab stays, and the server says how it ended', async () => {
  const companion = await createCompanion({ purchase: { status: 'complete', state: 'matched', order: paid } })
  const widget = makeWidget({ companion: companion.url, redirectPage: 'new' })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const { ids } = await companion.state()
  const page = await returnElsewhere(companion, ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true })
  await expect.poll(() => page.title).toBe('heard')
})

// Promise: return/other-purchase
test("another purchase's return page is not heard", async () => {
  const companion = await createCompanion({ purchase: { status: 'complete', state: 'matched', order: paid } })
  const widget = makeWidget({ companion: companion.url })
  widget.open()
  await reaches(widget, 'loaded')
  await returnElsewhere(companion, 'AAAAAAAAAAAAAAAAAAAAAA')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await companion.state()).reads).toBe(0)
  expect(widget.getSnapshot().status).toBe('loaded')
})

test('a page that was reloaded learns how it ended, once', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  widget.open()
  await reaches(widget, 'loaded')
  const { ids } = await companion.state()
  expect(JSON.parse(stored() ?? '')).toEqual({ id: ids[0], at: expect.any(Number) })
  // A page that goes takes no leave of its widget.
  widget.destroy()
  expect(await getPendingResult({ companion: companion.url })).toBeNull()
  await companion.set({ purchase: { status: 'complete', state: 'matched', order: paid } })
  expect(await getPendingResult({ companion: companion.url })).toEqual({
    status: 'success',
    verified: true,
    order: paid,
  })
  expect(await getPendingResult({ companion: companion.url })).toBeNull()
})

test.each([
  '',
  '{',
  'null',
  '7',
  '{"id":7,"at":1}',
  `{"id":"AAAAAAAAAAAAAAAAAAAAAA","at":1}`,
  '{"id":"../x","at":1e99}',
])('storage that holds %s is ignored', async (value) => {
  const companion = await createCompanion()
  sessionStorage.setItem('purchase-widget', value)
  expect(await getPendingResult({ companion: companion.url })).toBeNull()
  expect((await companion.state()).reads).toBe(0)
})

/** The page's timers, but not what comes over the network. They stand still until the test moves them, however slow the machine is. */
function takeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Resolves once the page has its answer: time that the test lets pass before would not count. The server gave it before this one. */
const hasAnswer = (companion: TestCompanion): Promise<unknown> => companion.state()

// Promise: loader/asks
test('an open widget is asked about after 15, 30 and 90 s, and a declined try ends nothing', async () => {
  const companion = await createCompanion({ purchase: { status: 'failed', state: 'matched', order: failed } })
  takeTimers()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.open()
  await reaches(widget, 'loaded')
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
  expect(widget.getSnapshot().status).toBe('loaded')
})

test('a complete purchase whose return page never comes ends after ten seconds', async () => {
  const companion = await createCompanion({ purchase: { status: 'complete', state: 'matched', order: paid } })
  takeTimers()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  await hasAnswer(companion)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(widget.getSnapshot().status).toBe('loaded')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(frames()).toEqual([])
})

// Promise: loader/asks
test('a page that nobody sees asks nothing until it is seen', async () => {
  const companion = await createCompanion()
  takeTimers()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.open()
  await reaches(widget, 'loaded')
  const visibility = vi.spyOn(Document.prototype, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  await vi.advanceTimersByTimeAsync(100_000)
  expect((await companion.state()).reads).toBe(0)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
})

test("where the page's own policy blocks the return page, the page asks", async () => {
  const companion = await createCompanion({ purchase: { status: 'pending', order: started } })
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.open()
  await reaches(widget, 'loaded')
  document.dispatchEvent(
    new SecurityPolicyViolationEvent('securitypolicyviolation', {
      blockedURI: `${location.origin}${companion.url}/return/x`,
      disposition: 'enforce',
      effectiveDirective: 'frame-src',
      documentURI: location.href,
      originalPolicy: '',
      statusCode: 200,
      violatedDirective: 'frame-src',
    }),
  )
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  expect(widget.getSnapshot().status).toBe('loaded')
})

// Promise: loader/without-companion
test('without a companion the return addresses carry an id, and confirm is asked about it', async () => {
  const { widgetUrl } = await createCompanion()
  const hints: unknown[] = []
  const widget = makeWidget({
    widgetUrl,
    accessToken: async () => 'canary-token',
    params: { redirect_url: '/done', fail_redirect_url: `${location.origin}/failed?from=shop` },
    async confirm(hint) {
      hints.push(hint)
      return paid
    },
  })
  const messages = record(widget, 'message')
  const result = widget.open()
  await reaches(widget, 'loaded')
  find<HTMLIFrameElement>('iframe').contentWindow?.postMessage({ ask: 'query' }, '*')
  await expect.poll(() => messages.length).toBe(1)
  const query = new URLSearchParams(`${messages[0]?.data}`)
  const { id } = JSON.parse(stored() ?? '')
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(query.get('redirect_url')).toBe(`${location.origin}/done?purchase=${id}`)
  expect(query.get('fail_redirect_url')).toBe(`${location.origin}/failed?from=shop&purchase=${id}`)
  widget.close()
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect(hints).toEqual([{ purchaseId: id }])
})

test('without a server to ask, a return is a hint, and never verified', async () => {
  const { widgetUrl } = await createCompanion()
  const companion = await createCompanion({ returnUrl: 'https://elsewhere.example/' })
  const widget = makeWidget({ widgetUrl, accessToken: 'canary-token', container: addContainer() })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const { id } = JSON.parse(stored() ?? '')
  find<HTMLIFrameElement>('iframe').contentWindow?.location.replace(`${companion.url}/return/${id}/failed`)
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
  find<HTMLIFrameElement>('iframe').contentWindow?.postMessage({ ask: 'query' }, '*')
  await expect
    .poll(() => messages[0]?.data)
    .toBe('?product_id=gold-100&redirect_page=self&accessToken=canary-token')
  expect(fetched).not.toHaveBeenCalled()
})
