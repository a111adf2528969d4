// Promise: loader/preload
/** What opening does with a frame that has been loaded unseen. */
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  addContainer,
  button,
  createCompanion,
  earlyFrame,
  find,
  frames,
  frameWindow,
  keptId,
  makeWidget,
  reaches,
  record,
  shells,
  takeTimers,
} from './page.ts'

/** Longer than a preloading that has begun takes until its request. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100))

test('opening a preloaded frame stores its purchase, so that a reloaded page finds it', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ ...companion.byLink, container: addContainer(), preload: 'eager' })
  await earlyFrame()
  expect(sessionStorage.getItem('purchase-widget')).toBeNull()
  widget.open()
  const [link] = (await companion.state()).links
  expect(keptId()).toBe(link?.purchase)
})

test('a preloaded frame that is still loading when it is opened says so, and offers recovery actions', async () => {
  const companion = await createCompanion({ launchStatus: 204 })
  const widget = makeWidget({
    ...companion.byLink,
    container: addContainer(),
    preload: 'eager',
    loadTimeout: 300,
  })
  await expect.poll(async () => (await companion.state()).links.length).toBe(1)
  widget.open()
  await expect.poll(() => find('p').textContent).toBe('Loading...')
  await expect.poll(() => button('Try again')).toBeTruthy()
})

test('a preloaded frame that was never shown charged nobody: if the next one fails, the message says so', async () => {
  const { widgetUrl } = await createCompanion()
  const accessToken = vi.fn(async () => 'canary-token')
  const widget = makeWidget({ widgetUrl, accessToken, container: addContainer(), preload: 'eager' })
  await earlyFrame()
  accessToken.mockRejectedValue(Error('no session'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 660_000 })
  onTestFinished(() => void vi.useRealTimers())
  widget.open()
  const failed = 'The purchase could not be started. You have not been charged.'
  await expect.poll(() => find('[part=notice] p').textContent).toBe(failed)
})

test('a preloaded frame that the page removes causes no message', async () => {
  const companion = await createCompanion({ purchaseStatus: 503 })
  const widget = makeWidget({ ...companion.byLink, preload: 'eager' })
  const states = record(widget, 'statechange')
  await earlyFrame()
  shells()[0]?.host.remove()
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(shells()).toEqual([])
  expect(states).toEqual([])
  expect((await companion.state()).reads).toBe(0)
  widget.open()
  await reaches(widget, 'loaded')
})

test('a preloaded frame that is shown is reported to the companion again after a failed request', async () => {
  const companion = await createCompanion({ purchaseStatus: 503 })
  const widget = makeWidget({ ...companion.byLink, container: addContainer(), preload: 'eager' })
  const asked = vi.spyOn(window, 'fetch')
  onTestFinished(() => asked.mockRestore())
  await earlyFrame()
  takeTimers()
  widget.open()
  const id = (await companion.state()).links[0]?.purchase
  const reports = (): number =>
    asked.mock.calls.filter(([url]) => `${url}`.endsWith(`purchases/${id}?opened=1`)).length
  expect(reports()).toBe(1)
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.poll(reports).toBe(2)
})

test('nothing stands beside a preloaded frame that has sent its ready message', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({
    ...companion.byLink,
    container: addContainer(),
    preload: 'eager',
    interpretMessage: (data) => (data === 'ready' ? { type: 'ready' } : undefined),
  })
  const messages = record(widget, 'message')
  await earlyFrame()
  frameWindow().postMessage({ say: 'ready' }, '*')
  await expect.poll(() => messages.length).toBe(1)
  widget.open()
  expect(widget.getSnapshot()).toEqual({ status: 'ready', mode: 'iframe' })
  expect(() => find('p')).toThrow()
  expect(() => button('Having trouble?')).toThrow()
})

test('preload() leaves an open frame as it is', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, container: addContainer(), preload: 'intent' })
  widget.open()
  await reaches(widget, 'loaded')
  const open = frames()
  widget.preload()
  await pause()
  expect(frames()).toEqual(open)
  expect(widget.getSnapshot().status).toBe('loaded')
  expect((await companion.state()).tokens).toBe(1)
})

test('after a purchase nothing is preloaded for the next one, even if the options change', async () => {
  const companion = await createCompanion()
  const options = { companion: companion.url, container: addContainer(), preload: 'eager' } as const
  const widget = makeWidget(options)
  widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  await reaches(widget, 'settled')
  widget.update({ ...options, params: { product_id: 'gold-550' } })
  await pause()
  expect(frames()).toEqual([])
  expect((await companion.state()).asked).toHaveLength(1)
})
