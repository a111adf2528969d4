// Promise: surface/no-dead-frame
import { expect, test, vi } from 'vitest'
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
  reaches,
  record,
  takeTimers,
} from './page.ts'

const notKnown = 'It is not known yet whether your purchase went through.'

test('a frame that loads late offers recovery actions once, until it loads', async () => {
  const { widgetUrl } = await createCompanion()
  const widget = makeWidget({ widgetUrl: `${widgetUrl}/slow`, accessToken: 'canary-token', loadTimeout: 300 })
  const errors = record(widget, 'error')
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  expect(button('Open in a new window')).toBeTruthy()
  expect(button('Cancel')).toBeTruthy()
  const failed = 'The purchase could not be started. You have not been charged.'
  await expect.poll(() => find('p').textContent).toBe(failed)
  expect(widget.getSnapshot().status).toBe('loading')
  await reaches(widget, 'loaded')
  expect(() => button('Try again')).toThrow()
  expect(errors.map(({ code }) => code)).toEqual(['load_timeout'])
  expect(String(errors[0]?.stack) + errors[0]?.message).not.toContain('canary-token')
})

test('nothing covers a frame that has loaded, however long it sends no message', async () => {
  const { url } = await createCompanion()
  takeTimers()
  const widget = makeWidget({ companion: url, loadTimeout: 15_000 })
  const errors = record(widget, 'error')
  widget.open()
  await reaches(widget, 'loaded')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(() => button('Try again')).toThrow()
  expect(() => find('p')).toThrow()
  expect(errors).toEqual([])
})

test('after five seconds of loading, the page says that it is still connecting', async () => {
  const { byLink } = await createCompanion({ launchStatus: 204 })
  takeTimers()
  void makeWidget({ ...byLink, container: addContainer() }).open()
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  await vi.advanceTimersByTimeAsync(5_000)
  await expect.poll(() => find('p').textContent).toBe('Still connecting...')
})

test('the message about a failure is still shown five seconds later', async () => {
  const { url } = await createCompanion({ tokenStatus: 500 })
  takeTimers()
  void makeWidget({ companion: url, container: addContainer() }).open()
  const failed = 'The purchase could not be started. You have not been charged.'
  await expect.poll(() => find('p').textContent).toBe(failed)
  // It would have nothing to open.
  expect(() => button('Open in a new window')).toThrow()
  await vi.advanceTimersByTimeAsync(6_000)
  expect(find('p').textContent).toBe(failed)
})

test('of several ways on, the first alone is tinted', async () => {
  const { byLink } = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({ ...byLink, mode: 'modal', loadTimeout: 300 })
  widget.on('error', () => {})
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  const fills = ['Try again', 'Open in a new window', 'Cancel'].map(
    (name) => getComputedStyle(button(name)).backgroundColor,
  )
  const nothing = 'rgba(0, 0, 0, 0)'
  expect(fills).toEqual([expect.not.stringContaining(nothing), nothing, nothing])
})

test('a loaded frame has help beside it until the help is dismissed, or the frame is used or ready', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, interpretMessage: () => ({ type: 'ready' }) })
  const endings = [
    () => button('Dismiss').click(),
    () => frames()[0]?.focus(),
    () => frameWindow().postMessage({ say: 'ready' }, '*'),
  ]
  for (const end of endings) {
    const result = widget.open()
    await reaches(widget, 'loaded')
    const [frame] = frames()
    expect(button('Having trouble?').closest('header')).toBeTruthy()
    if (end === endings[0]) button('Having trouble?').click()
    // The frame stays, so nothing typed in it is lost.
    expect(frame?.isConnected && getComputedStyle(frame).visibility).toBe('visible')
    end()
    await expect.poll(() => find('header').textContent).toBe('PurchaseClose')
    expect(widget.getSnapshot().status).toMatch(/^(loaded|ready)$/)
    widget.close()
    await result
  }
})

test('a focused frame behind a message does not remove the message', async () => {
  const { byLink } = await createCompanion({ launchStatus: 204 })
  // With its origin known, the frame appears at once; requesting it could take longer than the limit.
  const widget = makeWidget({ ...byLink, loadTimeout: 300 })
  widget.on('error', () => {})
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  const [frame] = frames()
  // As WebKit does by itself when the clicked button is removed.
  frame?.style.setProperty('visibility', 'visible')
  frame?.focus()
  window.dispatchEvent(new Event('blur'))
  expect(document.activeElement?.shadowRoot?.activeElement).toBe(frame)
  expect(button('Try again')).toBeTruthy()
})

test('“Try again” fetches a new token and reloads the frame', async () => {
  const { widgetUrl } = await createCompanion()
  const tokens: string[] = []
  const widget = makeWidget({
    widgetUrl: `${widgetUrl}/slow`,
    accessToken: () => `token-${tokens.push('')}`,
    container: addContainer(),
    loadTimeout: 300,
  })
  const loads = record(widget, 'load')
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  button('Try again').click()
  await reaches(widget, 'loaded')
  expect(tokens).toHaveLength(2)
  expect(loads).toHaveLength(1)
  expect(frames()).toHaveLength(1)
})

test('“Try again” on a frame that has not loaded does not query the server about an order', async () => {
  const companion = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({ companion: companion.url, container: addContainer(), loadTimeout: 300 })
  widget.open()
  await expect.poll(() => button('Try again')).toBeTruthy()
  await companion.set({ launchStatus: 303 })
  button('Try again').click()
  await reaches(widget, 'loaded')
  expect((await companion.state()).reads).toBe(0)
})

test('“Try again” after the purchase was paid opens no other, and reports it', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ purchase: complete })
  button('Having trouble?').click()
  button('Try again').click()
  expect(await result).toEqual({ status: 'success', verified: true, order: paid })
  expect((await companion.state()).tokens).toBe(1)
})

test('“Try again” right after the companion has asked the service waits for its next answer', async () => {
  const companion = await createCompanion({ purchase: { status: 'none', fresh: false } })
  const widget = makeWidget({ companion: companion.url })
  void widget.open()
  await reaches(widget, 'loaded')
  button('Having trouble?').click()
  button('Try again').click()
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  await companion.set({ purchase: { status: 'none' } })
  await expect.poll(async () => (await companion.state()).tokens).toBe(2)
  await reaches(widget, 'loaded')
})

/** “Try again” on a widget that may have been paid in, until the shopper reads that the server does not know. */
async function tryAgainInDoubt(initially: Partial<CompanionState>, change: Partial<CompanionState> = {}) {
  const companion = await createCompanion(initially)
  const widget = makeWidget({ companion: companion.url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  await companion.set(change)
  button('Having trouble?').click()
  button('Try again').click()
  await expect.poll(() => find('[part=notice] p').textContent).toBe(notKnown)
  return { companion, widget, result }
}

test.each<[string, Partial<CompanionState>, Partial<CompanionState>]>([
  ['does not answer', {}, { purchaseStatus: 503 }],
  ['knows only an older failure', { purchase: { status: 'failed', fresh: false } }, {}],
])('while the server %s, “Try again” opens no other', async (_, initially, change) => {
  const { companion, result } = await tryAgainInDoubt(initially, change)
  await companion.set({ purchaseStatus: 200, purchase: complete })
  expect(await result).toMatchObject({ status: 'success', verified: true })
  expect((await companion.state()).tokens).toBe(1)
})

test('a shopper who gives up while it is not known whether a widget was paid gets the result by the next click', async () => {
  const { companion, widget, result } = await tryAgainInDoubt({}, { purchaseStatus: 503 })
  button('Dismiss').click()
  expect(await result).toMatchObject({ status: 'unknown' })
  await companion.set({ purchaseStatus: 200, purchase: complete })
  expect(await widget.open()).toMatchObject({ status: 'success', verified: true })
  expect((await companion.state()).tokens).toBe(1)
})

test('a widget that loads another page of its own has loaded once', async () => {
  const { byLink, widgetUrl } = await createCompanion()
  const widget = makeWidget({ ...byLink, container: addContainer() })
  const loads = record(widget, 'load')
  widget.open()
  await reaches(widget, 'loaded')
  const next = new Promise((resolve) => {
    find<HTMLIFrameElement>('iframe').addEventListener('load', resolve, { once: true })
  })
  frameWindow().postMessage({ go: `${widgetUrl}/widget/?step=2` }, '*')
  await next
  expect(loads).toEqual([{ mode: 'iframe' }])
})

test('a new window replaces the frame', async () => {
  const { widgetUrl } = await createCompanion()
  const widget = makeWidget({ widgetUrl: `${widgetUrl}/slow`, accessToken: 'canary-token', loadTimeout: 300 })
  widget.open()
  await expect.poll(() => button('Open in a new window')).toBeTruthy()
  button('Open in a new window').click()
  await expect.poll(() => widget.getSnapshot()).toEqual({ status: 'loaded', mode: 'popup' })
  expect(frames()).toEqual([])
})

test('the message does not say that nothing was charged if the shopper may have paid already', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  widget.open()
  await reaches(widget, 'loaded')
  await companion.set({ tokenStatus: 500, launchStatus: 204, refusesTickets: true })
  button('Having trouble?').click()
  button('Try again').click()
  await expect.poll(() => find('[part=notice] p').textContent).toBe('The purchase could not be started.')
})

test('nor when a frame that had loaded does not load again, and Cancel asks whether the shopper has paid', async () => {
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url, loadTimeout: 1_000 })
  const errors = record(widget, 'error')
  const result = widget.open()
  await reaches(widget, 'loaded')
  await set({ launchStatus: 204 })
  button('Having trouble?').click()
  button('Try again').click()
  await expect.poll(() => errors.map(({ code }) => code)).toEqual(['load_timeout'])
  await expect.poll(() => find('[part=notice] p').textContent).toBe('The purchase could not be started.')
  await set({ purchase: complete })
  button('Cancel').click()
  expect(await result).toMatchObject({ status: 'success', verified: true })
})
