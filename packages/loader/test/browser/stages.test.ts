// Promise: loader/two-stages
/** The second stage is loaded before the click where that is possible, and in it at the latest. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { openEarly } from '../../src/early.ts'
import { createStore } from '../../src/emitter.ts'
import { getPendingResult } from '../../src/entries/sync.ts'
import { createPurchaseWidget, type PurchaseWidgetOptions } from '../../src/index.ts'
import { KEY } from '../../src/outcome/kept.ts'
import * as rest from '../../src/rest.ts'
import { createSession } from '../../src/session.ts'
import type { Rest } from '../../src/stage.ts'
import { createWidget } from '../../src/widget.ts'
import { addContainer, createCompanion, frames, reaches, record, watchWindows } from './page.ts'

/** A second stage that comes, or fails, when the test says so. */
function createStage() {
  let now: Rest | undefined
  let resolve = (_: Rest): void => {}
  let reject = (_: Error): void => {}
  let loading: Promise<Rest> | undefined
  const load = vi.fn(() => {
    loading ??= new Promise<Rest>((...settle) => {
      ;[resolve, reject] = settle
    }).finally(() => {
      loading = undefined
    })
    return loading
  })
  return {
    load,
    now: () => now,
    arrive() {
      now = rest
      resolve(rest)
    },
    fail: () => reject(new TypeError('Failed to fetch dynamically imported module')),
  }
}

async function makeEarly(options: Record<string, unknown> = {}) {
  const companion = await createCompanion()
  const stage = createStage()
  const widget = createWidget(
    { companion: companion.url, ...options } as unknown as PurchaseWidgetOptions,
    stage,
    openEarly,
  )
  onTestFinished(() => {
    widget.destroy()
    sessionStorage.clear()
  })
  return { companion, stage, widget }
}

/** What the first stage says by itself, taken away when the test is over. */
function alerts(): (string | null)[] {
  const lines = [...document.querySelectorAll('p[role=alert]')]
  onTestFinished(() => {
    for (const line of lines) line.remove()
  })
  return lines.map(({ textContent }) => textContent)
}

const linked = async (options: Record<string, unknown> = {}) => {
  const { widgetUrl } = await createCompanion()
  return makeEarly({ widgetOrigin: widgetUrl, ...options })
}

test('a widget loads the second stage when the page is idle', async () => {
  const { stage } = await makeEarly()
  expect(stage.load).not.toHaveBeenCalled()
  await expect.poll(() => stage.load.mock.calls.length).toBe(1)
})

test('a widget that is loaded early loads the second stage at once', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer(), preload: 'eager' })
  expect(stage.load).toHaveBeenCalledOnce()
  stage.arrive()
  await expect.poll(frames).toHaveLength(1)
  expect(widget.getSnapshot().status).toBe('idle')
})

test('a frame that is opened before the second stage opens once it is there, and says each state once', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer() })
  const states = record(widget, 'statechange')
  const result = widget.open()
  expect(widget.getSnapshot()).toEqual({ status: 'opening', mode: 'iframe' })
  expect(widget.open()).toBe(result)
  stage.arrive()
  await reaches(widget, 'loaded')
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(states.map(({ status }) => status)).toEqual([
    'opening',
    'loading',
    'loaded',
    'confirming',
    'settled',
  ])
})

test('a popup opens at its link in the click, and is followed once the second stage is there', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  expect(opened.urls).toEqual([expect.stringContaining('/launch?')])
  stage.arrive()
  await reaches(widget, 'loaded')
  const { links, launches } = await companion.state()
  expect(links).toHaveLength(1)
  // Led there once: a second navigation to the same link would begin nothing, and cost the shopper a page.
  expect(launches).toBe(1)
  expect(opened).toHaveLength(1)
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(opened[0]?.closed).toBe(true)
})

test('a popup whose address has to be asked for opens blank in the click', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  void widget.open()
  expect(opened.urls).toEqual([''])
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(opened).toHaveLength(1)
})

test('a shopper who cancels before the second stage has loaded leaves nothing open', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  const result = widget.open()
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  stage.arrive()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(widget.getSnapshot()).toEqual({ status: 'settled', result: { status: 'closed' } })
})

test('a widget that is destroyed before the second stage is there opens nothing', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer() })
  const result = widget.open()
  widget.destroy()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
  stage.arrive()
  // The stage has come by the next task.
  await new Promise((resolve) => setTimeout(resolve))
  expect(frames()).toEqual([])
})

test('without the second stage a window shows the widget, and a later page asks what became of it', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'unknown' })
  expect(opened[0]?.closed).toBe(false)
  // Before the window has reached the companion, there is no such purchase.
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  await companion.set({ purchase: { status: 'complete', state: 'matched' } })
  expect(await getPendingResult({ companion: companion.url })).toMatchObject({
    status: 'success',
    verified: true,
  })
})

test('without the second stage a blank window is led to the link, which anybody may open', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await makeEarly({ mode: 'popup' })
  const result = widget.open()
  expect(opened.urls).toEqual([''])
  stage.fail()
  expect(await result).toMatchObject({ status: 'unknown' })
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
})

test('without the second stage nothing that has to be asked for opens, and the next click tries again', async () => {
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

test('without a network a click that comes before the second stage leaves the page where it is, and says so', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => onLine.mockRestore())
  const { stage, widget } = await linked({ strings: { failed: 'Nicht gestartet.', notCharged: 'Nichts.' } })
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toEqual(['Nicht gestartet. Nichts.'])
})

test('a page that has no random numbers gets the purchase’s id from the companion', async () => {
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

test('options that may not be opened end an opening with their error, where they were not refused before, and right ones open it', async () => {
  const store = createStore()
  const errors: unknown[] = []
  store.on('error', (error) => errors.push(error))
  const { open, update, destroy } = createSession(store, { companion: 'javascript:alert(1)' })
  onTestFinished(destroy)
  const result = await open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
  expect(errors).toEqual([result.status === 'error' && result.error])
  expect(store.getSnapshot()).toEqual({ status: 'settled', result })
  expect(frames()).toEqual([])
  update({ companion: (await createCompanion()).url }, true)
  void open()
  await expect.poll(frames).toHaveLength(1)
})

test('the package’s own entry opens a frame', async () => {
  const { url } = await createCompanion()
  const widget = createPurchaseWidget({ companion: url, container: addContainer() })
  onTestFinished(() => widget.destroy())
  void widget.open()
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
})

test('options that come after the click are for the next opening, also before the second stage', async () => {
  const { companion, stage, widget } = await makeEarly({ params: { product_id: 'clicked' } })
  void widget.open()
  widget.update({ companion: companion.url, params: { product_id: 'later' } })
  stage.arrive()
  await reaches(widget, 'loaded')
  expect((await companion.state()).asked).toMatchObject([{ params: { product_id: 'clicked' } }])
  widget.close()
  await reaches(widget, 'settled')
  void widget.open()
  await expect.poll(async () => (await companion.state()).links).toMatchObject([{ product_id: 'later' }])
})

test('a window that is closed before the second stage opens again in the next click, for the same purchase', async () => {
  const opened = watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  opened[0]?.close()
  // A busy browser takes its time.
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(widget.open()).toBe(result)
  expect(opened).toHaveLength(2)
  expect(opened.urls[1]).toBe(opened.urls[0])
  stage.arrive()
  await reaches(widget, 'loaded')
})

test('a blank window that is closed before the second stage ends the opening as closed', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup', params: { quote_amount: '5' } })
  const result = widget.open()
  opened[0]?.close()
  stage.arrive()
  expect(await result).toEqual({ status: 'closed' })
})

test('what has no link says after three seconds that it is still connecting, and takes it back', async () => {
  const { stage, widget } = await makeEarly({ params: { quote_amount: '5' } })
  void widget.open()
  await expect.poll(alerts).toEqual(['Still connecting...'])
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(alerts()).toEqual([])
})

test('while an earlier purchase may be under way, nobody reads that nothing was charged', async () => {
  sessionStorage.setItem(KEY, JSON.stringify({ id: 'AbCdEfGhIjKlMnOpQrSt_-', at: Date.now() }))
  const { stage, widget } = await linked()
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toEqual(['The purchase could not be started.'])
})

test('a frame that the page opens without a click never takes the page away', async () => {
  const { stage, widget } = await linked({ container: addContainer() })
  vi.spyOn(navigator, 'userActivation', 'get').mockReturnValue({ isActive: false } as UserActivation)
  onTestFinished(() => void vi.restoreAllMocks())
  const result = widget.open()
  stage.fail()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'open_failed' } })
  expect(alerts()).toHaveLength(1)
})

test('whoever leaves the page before the second stage, and comes back to it, has not clicked again', async () => {
  const { stage, widget } = await makeEarly()
  const result = widget.open()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(await result).toEqual({ status: 'closed' })
  stage.arrive()
  await expect.poll(() => widget.getSnapshot().status).toBe('settled')
  expect(frames()).toEqual([])
})

test('a window that the click has opened stays when its page is left before the second stage', async () => {
  const opened = watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  void widget.open()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(opened[0]?.closed).toBe(false)
})

test('a page whose open() throws gets what a blocked window gets', async () => {
  const { open } = window
  onTestFinished(() => {
    window.open = open
  })
  window.open = () => {
    throw new Error('not here')
  }
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  void widget.open()
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
})
