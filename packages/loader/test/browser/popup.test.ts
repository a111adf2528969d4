// Promise: surface/popup
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  button,
  comeBack,
  comeBackElsewhere,
  complete,
  createCompanion,
  find,
  frames,
  makeWidget,
  reaches,
  record,
  shells,
  takeTimers,
  watchWindows,
} from './page.ts'
import { hasShown, isElsewhere, leaves, replaceInWindows } from './windows.ts'

// Promise: surface/popup-once
test('100 clicks open one window in the click, on a waiting page, which leaves for the widget when the one token is there', async () => {
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
  // The waiting page does not count, however long it is there.
  vi.setSystemTime(Date.now() + 5_000)
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  // It counts as loaded once it has shown the widget for two seconds of the page's clock, of which each poll lets some pass.
  vi.setSystemTime(Date.now() + 1_000)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(widget.getSnapshot().status).toBe('loading')
  vi.setSystemTime(Date.now() + 1_100)
  await reaches(widget, 'loaded')
  expect((await companion.state()).tokens).toBe(1)
})

test('a window whose token fails says so, and is closed when the shopper gives up', async () => {
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

test('the waiting page has the title and the look of the shop, and the page says once that a window is open', async () => {
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
  // A screen reader would say it again if it were drawn again.
  expect(find('[part=bar]')).toBe(bar)
})

test('a popup comes to the front by its button and by focus()', async () => {
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

test('an address with a token is never in a link, where another script could read it', async () => {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  onTestFinished(() => clicked.mockRestore())
  const opened = watchWindows()
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, pageToken: true, mode: 'popup' })
  void widget.open()
  await hasShown(widget, opened[0])
  expect(clicked).not.toHaveBeenCalled()
})

test('a tab of its own stays once it shows the widget, and is closed while it is blank', async () => {
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

test('a window that is closed after its token was given up ends with that, and just before it is closed', async () => {
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

test('a window that is closed before the token is there is closed, and this page stays where it is', async () => {
  const opened = watchWindows()
  const companion = await createCompanion({ tokenDelay: 1_200 })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  const followed = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  onTestFinished(() => followed.mockRestore())
  const result = widget.open()
  opened[0]?.close()
  expect(await result).toEqual({ status: 'closed' })
  // A page that left once the token arrives would end this test.
  await expect.poll(async () => (await companion.state()).ids).toHaveLength(1)
  expect(widget.getSnapshot().status).toBe('settled')
  // It would open another window.
  expect(followed).not.toHaveBeenCalled()
})

test('a popup that takes longer than loadTimeout is no error, and offers no help beside it', async () => {
  const opened = watchWindows()
  const { url, widgetUrl } = await createCompanion()
  // By the link, since asking for an address could itself take longer.
  const source = { companion: url, widgetOrigin: new URL(widgetUrl).origin }
  const widget = makeWidget({ ...source, mode: 'popup', loadTimeout: 100 })
  const errors = record(widget, 'error')
  const left = leaves(widget)
  void widget.open()
  await left
  await new Promise((resolve) => setTimeout(resolve, 300))
  await hasShown(widget, opened[0])
  expect(errors).toEqual([])
  expect(() => button('Having trouble?')).toThrow()
})

// In Chromium a close that meets the way to another site is lost, and so is every later one.
test.each([
  ['the way back comes first', false],
  ['the widget comes first', true],
])('a window on its way is closed once it shows a new blank page: %s', async (_which, widgetFirst) => {
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

test('a return in the popup closes it, and the page stays when a listener says so', async () => {
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

test('with redirectPage new a window that still shows the widget goes once the purchase has ended elsewhere', async () => {
  const { view, companion, result } = await openLoaded({ redirectPage: 'new' }, complete)
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('with redirectPage new a shopper who has come back elsewhere and says so closes the window', async () => {
  const { view, companion, result } = await openLoaded({ redirectPage: 'new' })
  await comeBackElsewhere(companion, (await companion.state()).ids[0])
  await expect.poll(async () => (await companion.state()).returns).toBeGreaterThan(0)
  await companion.set({ purchase: complete })
  button('I have finished').click()
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('a popup that says that it has finished is closed', async () => {
  const { view, result } = await openLoaded({ interpretMessage: () => ({ type: 'finished' }) }, complete)
  view.postMessage({ say: 'done' }, '*')
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect(view.closed).toBe(true)
})

test('a window that is closed after its return page was heard is not closed; the order is waited for', async () => {
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

test.each(['I have finished', 'Cancel'])(
  'the bar brings the window to the front, and “%s” closes it',
  async (end) => {
    const cleared = vi.spyOn(window, 'clearInterval')
    onTestFinished(() => cleared.mockRestore())
    const { view, result } = await openLoaded()
    button('Show window').click()
    button(end).click()
    expect(await result).toEqual({ status: 'closed' })
    expect(view.closed).toBe(true)
    expect(cleared).toHaveBeenCalledOnce()
    expect(shells()).toEqual([])
  },
)

// Promise: surface/popup-blocked
test('a blocked popup falls back to the dialog, and without whenBlocked is popup_blocked before a token is fetched', async () => {
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
test('a tab of its own has no opener; a popup, which has to be closed, keeps it', async () => {
  const opened = watchWindows()
  const { url } = await createCompanion()
  const cut = makeWidget({ companion: url, mode: 'redirect', redirectPage: 'new' })
  const left = leaves(cut)
  cut.open()
  // Before the widget's page is there.
  await left
  expect(opened[0]?.opener).toBeNull()
  expect(opened[0]?.location.href).toBe('about:blank')
  const kept = makeWidget({ companion: url, mode: 'popup' })
  kept.open()
  expect(opened[1]?.opener).toBe(window)
})
