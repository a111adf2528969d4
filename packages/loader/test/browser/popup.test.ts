// Promise: surface/popup
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseResult, PurchaseWidget, PurchaseWidgetOptions } from '../../src/index.ts'
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
  watchWindows,
} from './page.ts'

const isElsewhere = (view: Window | undefined): boolean => {
  try {
    return !view?.document
  } catch {
    return true
  }
}

/** The window has shown the widget for two seconds of the page's clock, after which it counts as loaded. */
async function hasShown(widget: PurchaseWidget, view: Window | undefined): Promise<void> {
  await expect.poll(() => isElsewhere(view)).toBe(true)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_100 })
  await reaches(widget, 'loaded')
  vi.useRealTimers()
}

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
  const [, cancel] = inWindow()?.querySelectorAll('button') ?? []
  cancel?.click()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'token_failed' } })
  expect(opened.map(({ closed }) => closed)).toEqual([true])
  expect(shells()).toEqual([])
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
  const result = widget.open()
  opened[0]?.close()
  expect(await result).toEqual({ status: 'closed' })
  // A page that left once the token arrives would end this test.
  await expect.poll(async () => (await companion.state()).ids).toHaveLength(1)
  expect(widget.getSnapshot().status).toBe('settled')
})

/** Lets the loader see what `own` says in place of a window's own properties. */
const replaceInWindows = (own: (view: Window) => object): Window[] =>
  watchWindows((view) => {
    const replaced = own(view)
    return new Proxy(view, {
      get(target, name) {
        const value = Reflect.get(name in replaced ? replaced : target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    })
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

/** The moment at which the window leaves for the widget: a busy machine polls for it too late. */
const leaves = (widget: PurchaseWidget): Promise<void> =>
  new Promise((resolve) => {
    widget.on('statechange', ({ status }) => {
      if (status === 'loading') resolve()
    })
  })

/** Opens a window, and closes it before it has shown the widget for long enough to be told from one that COOP has cut off. */
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
  'a window that is closed as the widget appears is opened again by %s, with the same purchase',
  async (_which, reopen) => {
    const companion = await createCompanion()
    const lost = await openAndLose({ companion: companion.url, mode: 'popup' })
    reopen(lost)
    expect(lost.opened).toHaveLength(2)
    await hasShown(lost.widget, lost.opened[1])
    await expect.poll(() => find('p').textContent).toBe('Your purchase is open in another window.')
    expect((await companion.state()).tokens).toBe(1)
    // The person closes it, and the server knows no order.
    lost.opened[1]?.close()
    expect(await lost.result).toEqual({ status: 'closed' })
    expect(shells()).toEqual([])
  },
)

test('a window that is opened again when its address has expired shows another purchase', async () => {
  const companion = await createCompanion({ expiresIn: 30 })
  const { widget, opened } = await openAndLose({ companion: companion.url, pageToken: true, mode: 'popup' })
  widget.open()
  await hasShown(widget, opened[1])
  expect(opened).toHaveLength(2)
  expect((await companion.state()).tokens).toBe(2)
})

test('a window whose purchase was paid before it was closed is not opened on the widget again', async () => {
  const companion = await createCompanion()
  const { widget, opened, result } = await openAndLose({ companion: companion.url, mode: 'popup' })
  await companion.set({ purchase: complete })
  widget.open()
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  expect(opened[1]?.closed).toBe(true)
  expect((await companion.state()).tokens).toBe(1)
})

test('once the server knows an order of a window that was closed as the widget appeared, the page says that it is being processed', async () => {
  const companion = await createCompanion()
  await openAndLose({ companion: companion.url, mode: 'popup' })
  await companion.set({ purchase: pending })
  const says = (): string | null => find('p').textContent
  await expect.poll(says).toBe('Your payment is being processed. Do not pay again.')
  expect(() => button('Open in a new window')).toThrow()
  expect(button('I have finished')).toBeTruthy()

  // A server that is away since then has not taken it back.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reads = async (): Promise<number> => (await companion.state()).reads
  await companion.set({ purchaseStatus: 503 })
  const before = await reads()
  await expect.poll(reads).toBeGreaterThan(before)
  const failed = await reads()
  await vi.advanceTimersByTimeAsync(16_000)
  await expect.poll(reads).toBeGreaterThan(failed)
  expect(says()).toBe('Your payment is being processed. Do not pay again.')
})

test('a shopper who has closed the window as the widget appeared can cancel, and the purchase is closed', async () => {
  const { url } = await createCompanion()
  const { result } = await openAndLose({ companion: url, mode: 'popup' })
  button('Cancel').click()
  expect(await result).toEqual({ status: 'closed' })
  expect(shells()).toEqual([])
})

/** What a page sees of a window that COOP has cut off. */
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

// Promise: surface/popup-detached
test('a window that goes out of sight before the widget was seen is detached, never closed by guess', async () => {
  const companion = await createCompanion({ returnUrl: `${location.origin}/done` })
  const widget = makeWidget({ companion: companion.url, mode: 'popup' })
  cutOff(widget)
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await reaches(widget, 'detached')
  expect(button('I have finished')).toBeTruthy()

  // A declined try ends nothing.
  await companion.set({ purchase: { ...complete, status: 'failed' } })
  await expect.poll(async () => (await companion.state()).reads).toBeGreaterThan(1)
  expect(widget.getSnapshot().status).toBe('detached')

  await companion.set({ purchase: complete })
  const page = await comeBackElsewhere(companion, (await companion.state()).ids[0])
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  // The return page may close its window, which this page cannot.
  await expect.poll(() => page.title).toBe('heard close')
})

test('a detached window that the shopper calls finished is unknown, when the server knows of nothing', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, mode: 'popup' })
  cutOff(widget)
  const result = widget.open()
  await reaches(widget, 'detached')
  button('I have finished').click()
  expect(await result).toMatchObject({ status: 'unknown' })
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
