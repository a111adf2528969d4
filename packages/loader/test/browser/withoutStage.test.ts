// Promise: loader/two-stages
/** When the second stage is late or fails, the shopper still reaches the widget, or reads that nothing has started. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { getPendingResult } from '../../src/entries/sync.ts'
import { KEY, storePurchaseId } from '../../src/outcome/kept.ts'
import {
  addContainer,
  comeBack,
  complete,
  keptId,
  reaches,
  record,
  setUserActivation,
  takeTimers,
  watchLinks,
  watchWindows,
} from './page.ts'
import { alerts, linked, makeEarly } from './stage.ts'
import { advanceClock, blockWindows, isElsewhere, replaceInWindows } from './windows.ts'

/** A popup that has gone to its link by itself: the second stage is missing. */
async function leftInWindow() {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  // The purchase does not exist until the window has reached the companion.
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  stage.fail()
  expect(await result).toMatchObject({ status: 'unknown' })
  return { opened, companion, stage, widget }
}

test('without the second stage a window shows the widget, and a later page requests the result', async () => {
  const { opened, companion } = await leftInWindow()
  expect(opened[0]?.closed).toBe(false)
  await companion.set({ purchase: { status: 'complete', state: 'matched' } })
  expect(await getPendingResult({ companion: companion.url })).toMatchObject({
    status: 'success',
    verified: true,
  })
  // A window that is already there is not navigated again.
  expect((await companion.state()).links).toHaveLength(1)
})

test('while a window that went on without the second stage is open, another click opens no other', async () => {
  let focused = 0
  const opened = replaceInWindows(() => ({ focus: () => void focused++ }))
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  stage.fail()
  await result
  const first = opened[0] as Window
  expect(widget.open()).toBe(result)
  widget.preload()
  stage.arrive()
  expect(widget.open()).toBe(result)
  expect([opened.length, focused]).toEqual([1, 2])
  await companion.set({ purchase: { status: 'none' } })
  first.close()
  await expect.poll(() => first.closed).toBe(true)
  void widget.open()
  expect(opened).toHaveLength(2)
})

test('a window that was paid in without the second stage is reported by the next click, which opens no other', async () => {
  const { opened, companion, stage, widget } = await leftInWindow()
  await companion.set({ purchase: complete })
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  widget.preload()
  stage.arrive()
  expect(await widget.open()).toMatchObject({ status: 'success', verified: true })
  expect((await companion.state()).ids).toHaveLength(1)
})

test('a window that went on without the second stage and is back on a page of this site no longer keeps the button', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  stage.fail()
  await result
  expect(widget.open()).toBe(result)
  await comeBack(companion, opened[0])
  await expect.poll(() => isElsewhere(opened[0])).toBe(false)
  const next = widget.open()
  expect(next).not.toBe(result)
  expect(opened).toHaveLength(2)
  stage.arrive()
  // The tab still knows the earlier purchase, which is looked up before another one begins.
  await reaches(widget, 'loaded')
  expect((await companion.state()).reads).toBeGreaterThan(0)
})

test('without a network and the second stage, a window that shows the widget stays open', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())
  stage.fail()
  expect(await result).toMatchObject({ status: 'unknown' })
  expect(opened[0]?.closed).toBe(false)
  expect(alerts()).toEqual([])
})

test('a tab whose window has opened at its link knows the purchase before the second stage has loaded', async () => {
  const { companion, widget } = await linked({ mode: 'popup' })
  void widget.open()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  expect(keptId()).toBe((await companion.state()).links[0]?.purchase)
})

const earlier = 'AbCdEfGhIjKlMnOpQrSt_-'

/** A click that fails, while the result of an earlier purchase of this tab is not known yet. */
async function failBesideEarlier(options: Record<string, unknown> = {}) {
  const shop = await linked(options)
  storePurchaseId(earlier)
  takeTimers()
  const result = shop.widget.open()
  shop.stage.fail()
  expect(await result).toMatchObject({ status: 'error' })
  return shop
}

test('a shopper who has read that an earlier purchase is not known yet can buy with the next click', async () => {
  const opened = watchWindows()
  const { companion, widget } = await failBesideEarlier({ mode: 'popup' })
  const sentence =
    'The purchase could not be started. It is not known yet whether your purchase went through.'
  expect(alerts()).toEqual([sentence])
  await vi.advanceTimersByTimeAsync(9_900)
  expect([keptId(), alerts()]).toEqual([earlier, [sentence]])
  await vi.advanceTimersByTimeAsync(200)
  expect([sessionStorage.getItem(KEY), alerts()]).toEqual([null, []])
  vi.useRealTimers()
  void widget.open()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  expect(opened).toHaveLength(2)
})

test('an earlier purchase stays known if the second stage arrives while the shopper reads that it is not known yet', async () => {
  const { stage } = await failBesideEarlier()
  stage.arrive()
  await vi.advanceTimersByTimeAsync(10_100)
  expect([keptId(), alerts()]).toEqual([earlier, []])
})

test('a window opened without a network is closed when the second stage fails', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())
  const opened = watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(opened[0]?.closed).toBe(true)
  expect(alerts()).toEqual(['The purchase could not be started. You have not been charged.'])
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test('a window that the page closes before the second stage has loaded is looked up later', async () => {
  const { companion, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(keptId()).toBe((await companion.state()).links[0]?.purchase)
})

test('a blank window says after three seconds that it is still connecting', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup', params: { quote_amount: '5' } })
  void widget.open()
  const said = (): string | null | undefined =>
    opened[0]?.document.querySelector('p[role=alert]')?.textContent
  await expect.poll(said).toBe('Still connecting...')
  expect(alerts()).toEqual([])
  stage.arrive()
  await reaches(widget, 'loaded')
})

test.each([{}, { widgetOrigin: undefined }])(
  'without the second stage a blank window navigates to the link, which anyone may open: %o',
  async (options) => {
    const opened = watchWindows()
    const { companion, stage, widget } = await makeEarly({ mode: 'popup', ...options })
    const result = widget.open()
    expect(opened.urls).toEqual([''])
    stage.fail()
    expect(await result).toMatchObject({ status: 'unknown' })
    await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  },
)

test('closing a blank window before the second stage has failed ends the opening as closed, and stores nothing', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  const result = widget.open()
  opened[0]?.close()
  stage.fail()
  expect(await result).toEqual({ status: 'closed' })
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

// Promise: surface/popup-opener
test('a tab that goes on without the second stage has no opener; a popup keeps its opener', async () => {
  const opened = watchWindows()
  for (const mode of ['redirect', 'popup']) {
    const { stage, widget } = await makeEarly({ mode, redirectPage: 'new' })
    const result = widget.open()
    stage.fail()
    await result
    sessionStorage.clear()
  }
  expect(opened.map(({ opener }) => opener)).toEqual([null, window])
})

// Promise: loader/two-stages
test('without the second stage an opening that needs a request fails, and the next click tries again', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup', params: { quote_amount: '5' } })
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed', recoverable: true } })
  expect(opened[0]?.closed).toBe(true)
  expect(alerts()).toEqual(['The purchase could not be started. You have not been charged.'])
  void widget.open()
  stage.arrive()
  await reaches(widget, 'loaded')
})

test('without a network a click before the second stage has loaded stays on the page, which shows an error message', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())
  const { stage, widget } = await linked({ strings: { failed: 'Nicht gestartet.', notCharged: 'Nichts.' } })
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toEqual(['Nicht gestartet. Nichts.'])
})

test('a page without random numbers gets the purchase id from the companion', async () => {
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
    throw new Error('Not implemented: getRandomValues')
  })
  onTestFinished(() => random.mockRestore())
  void widget.open()
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(await companion.state()).toMatchObject({ links: [], asked: [{}] })
})

test('an opening without a link says after three seconds that it is still connecting, until it has loaded', async () => {
  const { stage, widget } = await makeEarly({ params: { quote_amount: '5' } })
  void widget.open()
  await expect.poll(alerts).toEqual(['Still connecting...'])
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(alerts()).toEqual([])
})

test('while an earlier purchase may be under way, the message does not say that nothing was charged', async () => {
  sessionStorage.setItem(KEY, `AbCdEfGhIjKlMnOpQrSt_- ${Date.now()}`)
  const { stage, widget } = await linked()
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toEqual([
    'The purchase could not be started. It is not known yet whether your purchase went through.',
  ])
})

test('a frame that the page opens without a click never navigates the page away', async () => {
  const { stage, widget } = await linked({ container: addContainer() })
  setUserActivation(false)
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toHaveLength(1)
})

const links = [expect.stringContaining('/launch?')]

test('a redirect needs neither the second stage nor a click', async () => {
  const followed = watchLinks()
  setUserActivation(false)
  const { stage, widget } = await linked({ mode: 'redirect' })
  const results = record(widget, 'result')
  expect(await widget.open()).toEqual({ status: 'redirected' })
  expect(followed).toEqual(links)
  expect(followed[0]).toContain(keptId())
  expect(results).toEqual([{ status: 'redirected' }])
  // A page restored from the history is in the state in which it was left, and its next click has to work.
  expect(widget.getSnapshot().status).toBe('settled')
  sessionStorage.clear()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  void widget.open()
  expect(followed).toHaveLength(2)
  stage.fail()
})

test.each([
  ['arrives', 'arrive'],
  ['fails', 'fail'],
] as const)(
  'another click repeats a redirect that has not left the page in five seconds, also if the second stage %s meanwhile',
  async (_, act) => {
    const followed = watchLinks()
    const { companion, stage, widget } = await linked({ mode: 'redirect' })
    const result = widget.open()
    expect(widget.open()).toBe(result)
    widget.preload()
    stage[act]()
    await new Promise((resolve) => setTimeout(resolve))
    expect(widget.open()).toBe(result)
    expect(followed).toHaveLength(1)
    advanceClock(window, 5_001)
    expect([widget.open(), widget.open()]).toEqual([result, result])
    expect(followed).toEqual([followed[0], followed[0]])
    expect([alerts(), widget.getSnapshot().status]).toEqual([[], 'settled'])
    // After the shopper has come back to the page, the earlier purchase is looked up.
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    const next = widget.open()
    expect(next).not.toBe(result)
    stage.arrive()
    expect(await next).toEqual({ status: 'redirected' })
    expect(followed[2]).not.toBe(followed[0])
    expect((await companion.state()).reads).toBeGreaterThan(0)
  },
)

test.each([
  ['a dialog', {}],
  ['the link of a blocked window', { mode: 'popup' }],
])('%s that is three seconds late navigates this tab to its link, without a message', async (_, options) => {
  const followed = watchLinks()
  blockWindows()
  setUserActivation(true)
  takeTimers()
  const { widget } = await linked(options)
  const result = widget.open()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(followed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await result).toEqual({ status: 'redirected' })
  expect(followed).toEqual(links)
  expect(alerts()).toEqual([])
})

const productsOf = (links: string[]): (string | null)[] =>
  links.map((link) => new URL(link).searchParams.get('product_id'))

test('while this tab leaves for the widget without the second stage, a click on another product leads to that one', async () => {
  const links = watchLinks()
  const { companion, stage, widget } = await linked({ mode: 'redirect', params: { product_id: 'gold-100' } })
  const options = { ...companion.byLink, mode: 'redirect' } as const
  await widget.open()
  widget.update({ ...options, params: { product_id: 'gold-100' } })
  await widget.open()
  expect(links).toHaveLength(1)
  widget.update({ ...options, params: { product_id: 'silver-10' } })
  const next = widget.open()
  stage.arrive()
  expect(await next).toEqual({ status: 'redirected' })
  expect(productsOf(links)).toEqual(['gold-100', 'silver-10'])
})

test('a product that was chosen before this tab left without the second stage is the next click’s', async () => {
  const links = watchLinks()
  setUserActivation(true)
  const { companion, stage, widget } = await linked({ mode: 'modal', params: { product_id: 'gold-100' } })
  const first = widget.open()
  widget.update({ ...companion.byLink, mode: 'redirect', params: { product_id: 'silver-10' } })
  stage.fail()
  expect(await first).toEqual({ status: 'redirected' })
  const next = widget.open()
  stage.arrive()
  expect(await next).toEqual({ status: 'redirected' })
  expect(productsOf(links)).toEqual(['gold-100', 'silver-10'])
})

test('without the user activation API, an opening counts as clicked', async () => {
  const followed = watchLinks()
  setUserActivation(undefined)
  const { stage, widget } = await linked()
  const result = widget.open()
  stage.fail()
  expect(await result).toEqual({ status: 'redirected' })
  expect(followed).toEqual(links)
})

test('while a window navigates to the widget, no message says that it is still connecting', async () => {
  takeTimers()
  watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(alerts()).toEqual([])
  stage.fail()
  expect(await result).toMatchObject({ status: 'unknown' })
})

test('if the window was blocked, this tab navigates to the link, and without a link a message reports the failure', async () => {
  const followed = watchLinks()
  blockWindows()
  const one = await linked({ mode: 'popup' })
  const left = one.widget.open()
  expect(one.widget.open()).toBe(left)
  one.stage.fail()
  expect(await left).toEqual({ status: 'redirected' })
  expect(followed).toEqual(links)
  sessionStorage.clear()
  const other = await makeEarly({ mode: 'popup', params: { quote_amount: '5' } })
  const result = other.widget.open()
  other.stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toHaveLength(1)
})

test('with whenBlocked none, this tab does not navigate if the window was blocked, and messages report the wait and the failure', async () => {
  const followed = watchLinks()
  blockWindows()
  takeTimers()
  const { stage, widget } = await linked({ mode: 'popup', whenBlocked: 'none' })
  const result = widget.open()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(alerts()).toEqual(['Still connecting...'])
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect([followed, alerts()]).toEqual([
    [],
    ['The purchase could not be started. You have not been charged.'],
  ])
})

test('after a failed click, preload() uses the current options', async () => {
  const { companion, stage, widget } = await makeEarly({ params: { quote_amount: '5' } })
  const result = widget.open()
  stage.fail()
  await result
  alerts()
  widget.update({ companion: companion.url, params: { quote_amount: '6' } })
  widget.preload()
  stage.arrive()
  await expect
    .poll(async () => (await companion.state()).asked)
    .toMatchObject([{ params: { quote_amount: '6' } }])
})
