// Promise: loader/two-stages
/** The second stage loads before the click where possible, and during the click at the latest. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createStore } from '../../src/emitter.ts'
import { createPurchaseWidget } from '../../src/index.ts'
import { createSession } from '../../src/session.ts'
import { secondStage } from '../../src/stage.ts'
import {
  addContainer,
  createCompanion,
  drawn,
  frames,
  reaches,
  record,
  shells,
  watchWindows,
} from './page.ts'
import { linked, makeEarly } from './stage.ts'
import { replaceInWindows } from './windows.ts'

test('a widget loads the second stage when the page is idle', async () => {
  const { stage } = await makeEarly()
  expect(stage.load).not.toHaveBeenCalled()
  await expect.poll(() => stage.load.mock.calls.length).toBe(1)
})

test.each([
  [
    'is never idle loads the second stage after two seconds',
    (act: () => void, { timeout = 0 } = {}) => timeout === 2_000 && act(),
  ],
  ['has no requestIdleCallback loads the second stage without waiting', undefined],
])('a page that %s', async (_, requestIdleCallback) => {
  vi.stubGlobal('requestIdleCallback', requestIdleCallback)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { stage } = await makeEarly()
  await expect.poll(() => stage.load.mock.calls.length).toBe(1)
})

test('once it has loaded, the second stage is not loaded from its other address', async () => {
  const loaded = await secondStage.load()
  expect(await secondStage.load()).toBe(loaded)
})

test('a preloaded widget loads the second stage at once', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer(), preload: 'eager' })
  expect(stage.load).toHaveBeenCalledOnce()
  stage.arrive()
  await expect.poll(frames).toHaveLength(1)
  expect(widget.getSnapshot().status).toBe('idle')
})

test('a frame opened before the second stage has loaded appears once it has, and reports each state once', async () => {
  const { companion, stage, widget } = await makeEarly({ container: addContainer() })
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
  expect((await companion.state()).asked).toHaveLength(1)
})

test('a frame opened before the second stage has loaded takes the focus on another open() and on focus()', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer() })
  const field = document.body.appendChild(document.createElement('input'))
  onTestFinished(() => field.remove())
  const result = widget.open()
  stage.arrive()
  await reaches(widget, 'loaded')
  for (const again of [widget.open, widget.focus]) {
    field.focus()
    const returned = again()
    if (again === widget.open) expect(returned).toBe(result)
    expect(document.activeElement).toBe(shells()[0]?.host)
  }
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
})

test('a popup opens with its link during the click, and is tracked once the second stage has loaded', async () => {
  const opened = watchWindows()
  const { companion, stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  expect(opened.urls).toEqual([expect.stringContaining('/launch?')])
  // The window is open, so another click opens no other.
  expect(widget.open()).toBe(result)
  stage.arrive()
  await reaches(widget, 'loaded')
  const { links, launches } = await companion.state()
  expect(links).toHaveLength(1)
  // One navigation: a second one to the same link would start nothing, and cost the shopper a page load.
  expect(launches).toBe(1)
  expect(opened).toHaveLength(1)
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(opened[0]?.closed).toBe(true)
})

test('a popup whose address has to be requested opens blank during the click', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  void widget.open()
  expect(opened.urls).toEqual([''])
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(opened).toHaveLength(1)
})

test('closing a widget before the second stage has loaded leaves nothing open', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  const result = widget.open()
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  stage.arrive()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(widget.getSnapshot()).toEqual({ status: 'settled', result: { status: 'closed' } })
})

test('a widget destroyed before the second stage has loaded opens nothing', async () => {
  const { stage, widget } = await makeEarly({ container: addContainer() })
  const result = widget.open()
  widget.destroy()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
  stage.arrive()
  // The stage has loaded by the next task.
  await new Promise((resolve) => setTimeout(resolve))
  expect(frames()).toEqual([])
  expect(widget.getSnapshot()).toEqual({ status: 'destroyed' })
})

test.each([
  ['destroy', { status: 'error', error: { code: 'destroyed' } }],
  ['close', { status: 'closed' }],
] as const)('%s() in a listener of the first state change ends the opening', async (act, result) => {
  const { stage, widget } = await makeEarly({ container: addContainer() })
  widget.on('statechange', ({ status }) => status === 'opening' && widget[act]())
  expect(await widget.open()).toMatchObject(result)
  stage.arrive()
  // The stage has loaded by the next task.
  await new Promise((resolve) => setTimeout(resolve))
  expect(frames()).toEqual([])
})

test('open() in a listener of the first state change opens nothing else', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup' })
  const again: unknown[] = []
  widget.on('statechange', ({ status }) => status === 'opening' && again.push(widget.open()))
  const result = widget.open()
  stage.arrive()
  await reaches(widget, 'loading')
  expect(opened).toHaveLength(1)
  expect(again[0]).toBe(result)
})

test('destroying a widget before the second stage has loaded closes its window, and no other state follows', async () => {
  const opened = watchWindows()
  const { widget } = await linked({ mode: 'popup' })
  const states = record(widget, 'statechange')
  const result = widget.open()
  widget.destroy()
  expect(await result).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
  expect(opened[0]?.closed).toBe(true)
  expect(states.map(({ status }) => status)).toEqual(['opening', 'destroyed'])
})

test('invalid options that were not rejected earlier end an opening with their error and close the click’s window, and valid ones open the widget', async () => {
  const store = createStore()
  const errors: unknown[] = []
  store.on('error', (error) => errors.push(error))
  const { open, update, destroy } = createSession(store, { companion: 'javascript:alert(1)' })
  onTestFinished(destroy)
  const view = window.open('about:blank')
  const result = await open({ view, name: '' })
  expect(result).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
  expect(view?.closed).toBe(true)
  expect(errors).toEqual([result.status === 'error' && result.error])
  expect(store.getSnapshot()).toEqual({ status: 'settled', result })
  expect(frames()).toEqual([])
  update({ companion: (await createCompanion()).url }, true)
  const opened = open()
  await expect.poll(frames).toHaveLength(1)
  update({ companion: 'javascript:alert(1)' }, true)
  // Invalid options apply to the next opening.
  expect(open()).toBe(opened)
  expect(errors).toHaveLength(1)
})

test('the package’s own entry opens a frame', async () => {
  const { url } = await createCompanion()
  const widget = createPurchaseWidget({ companion: url, container: addContainer() })
  onTestFinished(() => widget.destroy())
  void widget.open()
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
  // From now on the second stage has loaded before the click.
  const next = createPurchaseWidget({ companion: url, container: addContainer() })
  onTestFinished(() => next.destroy())
  void next.open()
  await drawn()
  expect(shells()).toHaveLength(2)
})

test('options set after the click apply to the next opening, even before the second stage has loaded', async () => {
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

test('the next click reopens a window closed before the second stage has loaded, for the same purchase', async () => {
  const opened = watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  const result = widget.open()
  opened[0]?.close()
  // A busy browser may close it late.
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(widget.open()).toBe(result)
  expect(opened).toHaveLength(2)
  expect(opened.urls[1]).toBe(opened.urls[0])
  stage.arrive()
  await reaches(widget, 'loaded')
})

test('the next click brings a window to the front before the second stage has loaded', async () => {
  const focused = vi.fn()
  const opened = replaceInWindows(() => ({ focus: focused }))
  const { widget } = await linked({ mode: 'popup' })
  void widget.open()
  expect(focused).not.toHaveBeenCalled()
  void widget.open()
  expect(focused).toHaveBeenCalledOnce()
  expect(opened).toHaveLength(1)
})

test('closing a blank window before the second stage has loaded ends the opening as closed', async () => {
  const opened = watchWindows()
  const { stage, widget } = await makeEarly({ mode: 'popup', params: { quote_amount: '5' } })
  const result = widget.open()
  opened[0]?.close()
  stage.arrive()
  expect(await result).toEqual({ status: 'closed' })
})

test('after the shopper leaves the page before the second stage has loaded, and comes back, nothing opens', async () => {
  const { stage, widget } = await makeEarly()
  const result = widget.open()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(await result).toEqual({ status: 'closed' })
  stage.arrive()
  await expect.poll(() => widget.getSnapshot().status).toBe('settled')
  expect(frames()).toEqual([])
})

test('a window opened by the click stays open when the shopper leaves the page before the second stage has loaded', async () => {
  const opened = watchWindows()
  const { stage, widget } = await linked({ mode: 'popup' })
  void widget.open()
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  stage.arrive()
  await reaches(widget, 'loaded')
  expect(opened[0]?.closed).toBe(false)
})

test('a page whose open() throws falls back as for a blocked popup', async () => {
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
