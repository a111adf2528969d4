// Promise: surface/popup
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseWidget } from '../../src/index.ts'
import {
  button,
  comeBack,
  comeBackElsewhere,
  complete,
  createCompanion,
  find,
  frames,
  makeWidget,
  pending,
  reaches,
  record,
  shells,
  takeTimers,
  watchLinks,
  watchWindows,
} from './page.ts'
import { hasShown, isElsewhere, leaves, replaceInWindows } from './windows.ts'

// Promise: surface/popup-once
test('100 clicks open one window at once, on a waiting page that navigates to the widget when the only token arrives', async () => {
  const opened = watchWindows()
  const companion = await createCompanion({ tokenDelay: 1_000 })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let i = 0; i < 100; i++) widget.open()
  expect(opened).toHaveLength(1)
  const waiting = opened[0]?.document
  expect(waiting?.title).toBe('Purchase')
  const sentence = (): string | undefined =>
    waiting?.querySelector('div')?.shadowRoot?.querySelector('p')?.textContent
  await expect.poll(sentence).toBe('Loading...')
  // The waiting page does not count as loaded, however long it is shown.
  vi.setSystemTime(Date.now() + 5_000)
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  // The window counts as loaded after showing the widget for two seconds of the page's clock, which each poll advances a little.
  vi.setSystemTime(Date.now() + 1_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(widget.getSnapshot().status).toBe('loading')
  vi.setSystemTime(Date.now() + 1_100)
  await reaches(widget, 'loaded')
  expect((await companion.state()).tokens).toBe(1)
})

test('a window whose token request fails says so, and closes when the shopper cancels', async () => {
  const opened = watchWindows()
  const { url } = await createCompanion({ tokenStatus: 500, tokenDelay: 100 })
  const widget = makeWidget({ companion: url, mode: 'popup' })
  const result = widget.open()
  const inWindow = (): ShadowRoot | null | undefined => opened[0]?.document.querySelector('div')?.shadowRoot
  await expect
    .poll(() => inWindow()?.querySelector('p')?.textContent)
    .toBe('The purchase could not be started. You have not been charged.')
  // The page says the same, not that a purchase is open.
  await expect.poll(() => find('p').textContent).toBe(inWindow()?.querySelector('p')?.textContent)
  expect(button('Show window')).toBeTruthy()
  expect(button('Cancel')).toBeTruthy()
  const [, cancel] = inWindow()?.querySelectorAll('button') ?? []
  cancel?.click()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'token_failed' } })
  expect(opened.map(({ closed }) => closed)).toEqual([true])
  expect(shells()).toEqual([])
})

test('the waiting page has the shop’s title and style, and the page announces the open window once', async () => {
  const opened = watchWindows()
  const { style } = document.documentElement
  style.setProperty('--purchase-widget-accent', 'rebeccapurple')
  onTestFinished(() => void style.removeProperty('--purchase-widget-accent'))
  const { url } = await createCompanion({ tokenDelay: 10_000 })
  takeTimers()
  const widget = makeWidget({ companion: url, mode: 'popup', title: 'Buy gold' })
  void widget.open()
  await expect.poll(() => find('[part=bar]')).toBeTruthy()
  const bar = find('[part=bar]')
  const page = opened[0]?.document as Document
  expect(page.documentElement.style.getPropertyValue('--purchase-widget-accent')).toBe('rebeccapurple')
  const waiting = page.querySelector('div')?.shadowRoot
  expect(waiting?.querySelector('h1')?.textContent).toBe('Buy gold')
  await vi.advanceTimersByTimeAsync(5_001)
  await expect.poll(() => waiting?.querySelector('p')?.textContent).toBe('Still connecting...')
  // If the bar were redrawn, a screen reader would announce it again.
  expect(find('[part=bar]')).toBe(bar)
})

test('its button and focus() both bring a popup to the front', async () => {
  const focused = vi.fn()
  replaceInWindows(() => ({ focus: focused }))
  const { url } = await createCompanion({ tokenDelay: 10_000 })
  const widget = makeWidget({ companion: url, mode: 'popup' })
  void widget.open()
  await expect.poll(() => button('Show window')).toBeTruthy()
  button('Show window').click()
  expect(focused).toHaveBeenCalledTimes(1)
  widget.focus()
  expect(focused).toHaveBeenCalledTimes(2)
})

test('an address with a token is never put in a link, where another script could read it', async () => {
  const followed = watchLinks()
  const opened = watchWindows()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, pageToken: true, mode: 'popup' })
  void widget.open()
  await hasShown(widget, opened[0])
  expect(followed).toEqual([])
})

test('close() leaves a redirect’s tab open once it shows the widget, and closes it while it is blank', async () => {
  const opened = watchWindows()
  const options = { mode: 'redirect', redirectPage: 'new' } as const
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, ...options })
  const result = widget.open()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  widget.close()
  await result
  expect(opened[0]?.closed).toBe(false)
  const slow = makeWidget({ companion: (await createCompanion({ tokenDelay: 10_000 })).url, ...options })
  const closed = slow.open()
  slow.close()
  expect(await closed).toEqual({ status: 'closed' })
  await expect.poll(() => opened[1]?.closed).toBe(true)
})

test('a window closed after its token request has timed out ends with token_failed, and one closed earlier as closed', async () => {
  const opened = watchWindows()
  const { url } = await createCompanion({ tokenDelay: 3_000 })
  const widget = makeWidget({ companion: url, mode: 'popup', loadTimeout: 500 })
  const errors = record(widget, 'error')
  const failed = widget.open()
  await expect.poll(() => errors.length).toBe(1)
  opened[0]?.close()
  expect(await failed).toMatchObject({ status: 'error', error: { code: 'token_failed' } })
  const closed = widget.open()
  opened[1]?.close()
  expect(await closed).toEqual({ status: 'closed' })
})

test('a window closed before the token arrives ends as closed, and this page does not navigate', async () => {
  const opened = watchWindows()
  const companion = await createCompanion({ tokenDelay: 1_200 })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  const followed = watchLinks()
  const result = widget.open()
  opened[0]?.close()
  expect(await result).toEqual({ status: 'closed' })
  // If the page navigated once the token arrives, this test would end.
  await expect.poll(async () => (await companion.state()).ids).toHaveLength(1)
  expect(widget.getSnapshot().status).toBe('settled')
  // A followed link would open another window.
  expect(followed).toEqual([])
})

test('a popup’s missing width or height is the default', async () => {
  const sizes: (string | undefined)[] = []
  const open = vi.spyOn(window, 'open').mockImplementation((_, __, features) => {
    sizes.push(features)
    return null
  })
  onTestFinished(() => open.mockRestore())
  const { url } = await createCompanion()
  for (const popup of [{ width: undefined, height: 300 }, { width: null }, null] as object[])
    void makeWidget({ companion: url, mode: 'popup', whenBlocked: 'none', popup }).open()
  expect(sizes).toEqual(['width=480,height=300', 'width=480,height=720', 'width=480,height=720'])
})

test('a popup that shows another origin causes no error after loadTimeout, since that may be the widget', async () => {
  takeTimers()
  const opened = watchWindows()
  const { byLink } = await createCompanion()
  const widget = makeWidget({ ...byLink, mode: 'popup' })
  const errors = record(widget, 'error')
  void widget.open()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  await vi.advanceTimersByTimeAsync(15_000)
  await hasShown(widget, opened[0])
  expect(errors).toEqual([])
  expect(() => button('Having trouble?')).toThrow()
})

test('a popup that still shows the waiting page after loadTimeout reports an error, and “Try again” there opens the widget', async () => {
  const opened = watchWindows()
  const { byLink, set } = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({ ...byLink, mode: 'popup', loadTimeout: 300 })
  const errors = record(widget, 'error')
  const failed = 'The purchase could not be started. You have not been charged.'
  void widget.open()
  await expect.poll(() => errors.map(({ code }) => code)).toEqual(['load_timeout'])
  await expect.poll(() => find('p').textContent).toBe(failed)
  await set({ launchStatus: 303 })
  const notice = (): Element | null | undefined =>
    opened[0]?.document.querySelector('div')?.shadowRoot?.querySelector('[part=notice]')
  await expect.poll(() => notice()?.textContent).toBe(`${failed}Try againCancel`)
  notice()?.querySelector('button')?.click()
  await hasShown(widget, opened[0])
  expect(opened).toHaveLength(1)
  await expect.poll(() => find('p').textContent).toBe('Your purchase is open in another window.')
})

test('a page of the shop in the window is an error at the link’s address, and none elsewhere, where a purchase returns', async () => {
  const opened = watchWindows()
  const { byLink, set } = await createCompanion()
  const widget = makeWidget({ ...byLink, mode: 'popup' })
  const errors = record(widget, 'error')
  const first = widget.open()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  await set({ refusesTickets: true })
  opened[0]?.location.replace(`${byLink.companion}/launch?purchase=another`)
  await expect.poll(() => !isElsewhere(opened[0]) && opened[0]?.document.readyState).toBe('complete')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(errors).toEqual([])
  widget.close()
  await first
  void widget.open()
  await expect
    .poll(() => errors)
    .toMatchObject([{ code: 'open_failed', message: expect.stringContaining('GET /launch') }])
})

test.each([
  ['“Try again” on the page', () => button('Try again').click()],
  ['another click', (widget: PurchaseWidget) => void widget.open()],
])('after an error page in the window, %s opens the widget there', async (_, tryAgain) => {
  const opened = watchWindows()
  const { byLink, set } = await createCompanion({ refusesTickets: true })
  const widget = makeWidget({ ...byLink, mode: 'popup' })
  const errors = record(widget, 'error')
  void widget.open()
  await expect.poll(() => errors).toHaveLength(1)
  await set({ refusesTickets: false })
  tryAgain(widget)
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  expect(opened).toHaveLength(1)
})

// In Chromium, close() during a navigation to another site is lost, and so is every later call.
test.each([
  ['the blank page loads first', false],
  ['the widget loads first', true],
])('a window closed during navigation closes at its next blank page: %s', async (_which, widgetFirst) => {
  const closedOn: string[] = []
  replaceInWindows((view) => {
    const waiting = view.document
    let lost = widgetFirst
    const replace = (url: string): void => {
      if (url !== 'about:blank' || !lost) view.location.replace(url)
      else lost = false
    }
    return {
      location: {
        get href() {
          return view.location.href
        },
        replace,
      },
      close() {
        closedOn.push(view.document === waiting ? 'the waiting page' : view.location.href)
        view.close()
      },
    }
  })
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'popup' })
  widget.on('statechange', ({ status }) => {
    if (status === 'loading') widget.close()
  })
  expect(await widget.open()).toEqual({ status: 'closed' })
  await expect.poll(() => closedOn).toEqual(['about:blank'])
})

/** A popup that shows the widget. */
async function openLoaded(options: object = {}, purchase?: typeof complete) {
  const opened = watchWindows()
  const companion = await createCompanion({
    returnUrl: `${location.origin}/done`,
    ...(purchase && { purchase }),
  })
  const widget = makeWidget({ companion: companion.url, mode: 'popup', ...options })
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await hasShown(widget, opened[0])
  return { view: opened[0] as Window, companion, widget, result }
}

test('a return in the popup closes it, and the page stays when a listener prevents the event', async () => {
  const { view, companion, result } = await openLoaded({}, complete)
  const id = await comeBack(companion, view)
  expect(await result).toMatchObject({
    status: 'success',
    returnUrl: `${location.origin}/done?purchase=${id}`,
  })
  await expect.poll(() => view.closed).toBe(true)
})

test('with redirectPage new the return page stays in its window', async () => {
  const { view, companion, result } = await openLoaded({ redirectPage: 'new' }, complete)
  await comeBack(companion, view)
  expect(await result).toMatchObject({ status: 'success', verified: true })
  await expect.poll(() => view.document.title).toBe('heard')
  expect(view.closed).toBe(false)
})

test('with redirectPage new a window that still shows the widget closes once the purchase has ended elsewhere', async () => {
  const { view, companion, result } = await openLoaded({ redirectPage: 'new' }, complete)
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('with redirectPage new “I have finished” closes the window of a shopper who has returned elsewhere', async () => {
  const { view, companion, result } = await openLoaded({ redirectPage: 'new' })
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  await expect.poll(async () => (await companion.state()).returns).toBeGreaterThan(0)
  await companion.set({ purchase: complete })
  button('I have finished').click()
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('a popup that sends a finished message is closed', async () => {
  const { view, result } = await openLoaded({ interpretMessage: () => ({ type: 'finished' }) }, complete)
  view.postMessage({ say: 'done' }, '*')
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('when a window closes after its return message, the page waits for the order instead of ending as closed', async () => {
  const { view, companion, widget, result } = await openLoaded({ redirectPage: 'new' })
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  await expect.poll(async () => (await companion.state()).returns).toBeGreaterThan(0)
  view.close()
  await reaches(widget, 'confirming')
  const { reads } = await companion.state()
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(reads)
  await companion.set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
})

test('the bar brings the window to the front, and “Cancel” closes it', async () => {
  const cleared = vi.spyOn(window, 'clearInterval')
  onTestFinished(() => cleared.mockRestore())
  const { view, result } = await openLoaded()
  button('Show window').click()
  button('Cancel').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(view.closed).toBe(true)
  expect(cleared).toHaveBeenCalledOnce()
  expect(shells()).toEqual([])
})

test('“I have finished” closes the window, and the page waits for an order that the server does not know yet', async () => {
  const { view, companion, result } = await openLoaded()
  button('I have finished').click()
  expect(view.closed).toBe(true)
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(1)
  await companion.set({ purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true })
})

test.each([
  ['before the page has noticed', async () => {}],
  ['once the page has noticed', () => expect.poll(shells).toEqual([])],
] as const)(
  'a click right after the window was closed, %s, reopens it for the same purchase',
  async (_which, notice) => {
    const opened = watchWindows()
    const companion = await createCompanion()
    const widget = makeWidget({ ...companion.byLink, mode: 'popup' })
    const result = widget.open()
    await hasShown(widget, opened[0])
    opened[0]?.close()
    await expect.poll(() => opened[0]?.closed).toBe(true)
    await notice()
    // The answer takes longer than the page waits for late messages of the closed window.
    await companion.set({ purchaseDelay: 1_000 })
    expect(widget.open()).toBe(result)
    expect(opened).toHaveLength(2)
    await expect.poll(async () => (await companion.state()).launches, { timeout: 5_000 }).toBe(2)
    await companion.set({ purchaseDelay: 0 })
    await hasShown(widget, opened[1])
    expect((await companion.state()).ids).toHaveLength(1)
    opened[1]?.close()
    expect(await result).toEqual({ status: 'closed' })
  },
)

test('a click right after the window of a paid purchase was closed reports the purchase, and starts no other', async () => {
  const { view, companion, widget, result } = await openLoaded()
  await companion.set({ purchase: complete })
  view.close()
  await expect.poll(shells).toEqual([])
  widget.open()
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  expect((await companion.state()).tokens).toBe(1)
})

test.each([pending, complete])(
  'a payment in a window that seems closed, but is hidden by a later page, is found by the next click: $status',
  async (purchase) => {
    const { view, companion, widget, result } = await openLoaded()
    view.close()
    expect(await result).toEqual({ status: 'closed' })
    await companion.set({ purchase })
    const found = widget.open()
    if (purchase === pending) await reaches(widget, 'confirming')
    await companion.set({ purchase: complete })
    expect(await found).toMatchObject({ status: 'success', verified: true })
    expect((await companion.state()).tokens).toBe(1)
    void widget.open()
    await expect.poll(async () => (await companion.state()).tokens).toBe(2)
  },
)

test('a window that was really closed is asked about once, before the next purchase', async () => {
  const { view, companion, widget, result } = await openLoaded()
  view.close()
  expect(await result).toEqual({ status: 'closed' })
  await companion.set({ reads: 0 })
  void widget.open()
  await expect.poll(async () => (await companion.state()).tokens).toBe(2)
  expect((await companion.state()).reads).toBe(1)
})

// Promise: surface/popup-blocked
test('a blocked popup falls back to the dialog, or with whenBlocked none ends with popup_blocked before a token is fetched', async () => {
  const spy = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => spy.mockRestore())
  const companion = await createCompanion()
  const options = { companion: companion.url, mode: 'popup' } as const
  const result = await makeWidget({ ...options, whenBlocked: 'none' }).open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'popup_blocked', recoverable: true } })
  expect((await companion.state()).tokens).toBe(0)
  const widget = makeWidget(options)
  const blocked = record(widget, 'blocked')
  widget.open()
  await expect.poll(() => widget.getSnapshot()).toEqual({ status: 'loaded', mode: 'modal' })
  expect(blocked).toEqual([{ instead: 'modal' }])
  expect(frames()).toHaveLength(1)
})

// Promise: surface/popup-opener
test('a redirect’s tab has no opener; a popup keeps its opener, which has to close it', async () => {
  const opened = watchWindows()
  const { url } = await createCompanion()
  const cut = makeWidget({ companion: url, mode: 'redirect', redirectPage: 'new' })
  const left = leaves(cut)
  cut.open()
  // Before the widget's page has loaded.
  await left
  expect(opened[0]?.opener).toBeNull()
  expect(opened[0]?.location.href).toBe('about:blank')
  const kept = makeWidget({ companion: url, mode: 'popup' })
  kept.open()
  expect(opened[1]?.opener).toBe(window)
})
