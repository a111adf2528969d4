// Promise: loader/lifecycle
import { expect, onTestFinished, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { createPurchaseWidget } from '../../src/entries/sync.ts'
import type { PurchaseResult } from '../../src/index.ts'
import {
  addContainer,
  createCompanion,
  drawn,
  earlyFrame,
  frames,
  makeWidget,
  reaches,
  record,
  shells,
  watchWindows,
} from './page.ts'
import { blockWindows } from './windows.ts'

test('the status goes from idle through opening, loading and loaded to settled', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: addContainer() })
  const states = record(widget, 'statechange')
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
  const result = widget.open()
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
  expect(shells()).toEqual([])
})

const ends = {
  close: { status: 'closed' },
  destroy: { status: 'error', error: { code: 'destroyed' } },
} as const
test.each(
  (['modal', 'popup'] as const).flatMap((mode) =>
    (['close', 'destroy'] as const).map((act) => ({ mode, act })),
  ),
)('$act() in a listener of the first state change opens nothing ($mode)', async ({ mode, act }) => {
  const opened = watchWindows()
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, mode })
  const states = record(widget, 'statechange')
  widget.on('statechange', ({ status }) => status === 'opening' && widget[act]())
  expect(await widget.open()).toMatchObject(ends[act])
  await drawn()
  expect(states.map(({ status }) => status)).toEqual(['opening', act === 'close' ? 'settled' : 'destroyed'])
  expect(opened).toHaveLength(0)
  expect(shells()).toEqual([])
  expect((await companion.state()).tokens).toBe(0)
})

test.each(
  (['modal', 'none'] as const).flatMap((whenBlocked) =>
    (['close', 'destroy'] as const).map((act) => ({ whenBlocked, act })),
  ),
)(
  '$act() in a listener of a blocked window opens nothing instead ($whenBlocked)',
  async ({ whenBlocked, act }) => {
    blockWindows()
    const companion = await createCompanion()
    const widget = makeWidget({ companion: companion.url, mode: 'popup', whenBlocked })
    const errors = record(widget, 'error')
    widget.on('blocked', () => widget[act]())
    expect(await widget.open()).toMatchObject(ends[act])
    await drawn()
    expect([shells(), errors]).toEqual([[], []])
    expect((await companion.state()).tokens).toBe(0)
  },
)

test('the snapshot is the same object until the state changes', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  let changes = 0
  const stop = widget.subscribe(() => changes++)
  expect(widget.getSnapshot()).toBe(widget.getSnapshot())
  widget.open()
  expect(changes).toBe(1)
  stop()
  await reaches(widget, 'loaded')
  expect(changes).toBe(1)
  expect(widget.getSnapshot()).toBe(widget.getSnapshot())
})

test('open() returns the same promise while the widget is open', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url })
  const first = widget.open()
  for (let i = 0; i < 100; i++) expect(widget.open()).toBe(first)
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
  expect((await companion.state()).tokens).toBe(1)
})

test('open() itself can be the listener of a click', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const buy = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => buy.remove())
  buy.addEventListener('click', widget.open)
  buy.click()
  await reaches(widget, 'loaded')
  expect(frames()).toHaveLength(1)
})

test('destroy() ends an open widget at once, is final and idempotent', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  const states = record(widget, 'statechange')
  widget.destroy()
  widget.destroy()
  expect(states).toEqual([{ status: 'destroyed' }])
  expect(await result).toMatchObject({ status: 'error', error: { code: 'destroyed', recoverable: false } })
  expect(shells()).toEqual([])
  expect(widget.getSnapshot()).toEqual({ status: 'destroyed' })
  expect(await widget.open()).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
})

test('a widget that is destroyed in the same task requests no token', async () => {
  const companion = await createCompanion()
  for (let i = 0; i < 10; i++) {
    const widget = makeWidget({ companion: companion.url, preload: 'eager' })
    widget.open()
    widget.destroy()
  }
  const last = makeWidget({ companion: companion.url })
  last.open()
  await reaches(last, 'loaded')
  expect((await companion.state()).tokens).toBe(1)
  expect(frames()).toHaveLength(1)
})

// Promise: loader/listener-throws
test('a listener that throws affects neither the other listeners nor the widget', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const thrown: string[] = []
  const onError = (event: ErrorEvent): void => {
    event.preventDefault()
    event.stopImmediatePropagation()
    thrown.push(event.message)
  }
  addEventListener('error', onError, { capture: true })
  const stop = widget.on('statechange', () => {
    throw new Error('a listener of the page')
  })
  const states = record(widget, 'statechange')
  widget.open()
  await reaches(widget, 'loaded')
  stop()
  removeEventListener('error', onError, { capture: true })
  expect(states).toHaveLength(3)
  expect(thrown[0]).toContain('a listener of the page')
})

test('an opening that follows a close at once has its own result', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  let again: Promise<unknown> | undefined
  widget.on('statechange', ({ status }) => {
    if (status === 'settled') again ??= widget.open()
  })
  const first = widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  expect(await first).toEqual({ status: 'closed' })
  await reaches(widget, 'loaded')
  widget.destroy()
  expect(await again).toMatchObject({ status: 'error', error: { code: 'destroyed' } })
})

// Promise: loader/moved
test('a frame moved in the document reloads the widget with a new token', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container })
  const loads = record(widget, 'load')
  widget.open()
  await reaches(widget, 'loaded')
  addContainer().append(container)
  await expect.poll(() => loads.length).toBe(2)
  await reaches(widget, 'loaded')
  expect((await companion.state()).tokens).toBe(2)
})

test('a frame that other code removes counts as closed', async () => {
  const { url } = await createCompanion()
  const container = addContainer()
  const widget = makeWidget({ companion: url, container })
  const result = widget.open()
  await reaches(widget, 'loaded')
  container.replaceChildren()
  expect(await result).toEqual({ status: 'closed' })
})

// Promise: loader/preload
test('preload "eager" loads a hidden frame, and open() only shows it', async () => {
  // Long enough for the test to find the shell before the frame loads in it.
  const companion = await createCompanion({ tokenDelay: 1_000 })
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container, preload: 'eager' })
  const states = record(widget, 'statechange')
  const loads = record(widget, 'load')
  const frame = await earlyFrame()
  expect(container.getBoundingClientRect().height).toBe(0)
  // It is not open, so there is nothing to close.
  widget.close()
  expect(loads).toEqual([])
  widget.open()
  expect(loads).toEqual([{ mode: 'iframe' }])
  expect(states).toEqual([{ status: 'loaded', mode: 'iframe' }])
  expect(frames()).toEqual([frame])
  expect(frame?.getBoundingClientRect().height).toBeGreaterThan(100)
  expect((await companion.state()).tokens).toBe(1)
})

test('a frame that fails to preload is removed silently, and open() starts over', async () => {
  const companion = await createCompanion({ tokenStatus: 500 })
  const widget = makeWidget({ companion: companion.url, preload: 'eager' })
  const errors = record(widget, 'error')
  await expect.poll(async () => (await companion.state()).tokens).toBe(1)
  await expect.poll(shells).toEqual([])
  expect(errors).toEqual([])
  await companion.set({ tokenStatus: 200 })
  widget.open()
  await reaches(widget, 'loaded')
})

test('preload() loads a hidden frame whatever the option says, for one opening, and nothing for a window', async () => {
  const companion = await createCompanion()
  const tokens = async () => (await companion.state()).tokens
  const popup = makeWidget({ companion: companion.url, mode: 'popup', preload: 'eager' })
  const widget = makeWidget({ companion: companion.url })
  popup.preload()
  widget.preload()
  widget.preload()
  await expect.poll(frames).toHaveLength(1)
  expect(shells()).toHaveLength(1)
  for (const expected of [1, 2]) {
    widget.open()
    await reaches(widget, 'loaded')
    widget.preload()
    widget.close()
    await reaches(widget, 'settled')
    expect(await tokens()).toBe(expected)
  }
})

test('a destroyed widget preloads nothing when its container comes near', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  container.style.marginTop = '9000px'
  makeWidget({ companion: companion.url, container, preload: 'intent' }).destroy()
  container.style.marginTop = '0'
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
  expect((await companion.state()).tokens).toBe(0)
})

test('preloading without a container fails silently, and open() reports it', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: '#nowhere', preload: 'eager' })
  widget.preload()
  await Promise.resolve()
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
  expect(await widget.open()).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
})

test.each([{ preload: 'none' }, { preload: 'intent' }, { preload: 'eager' }] as const)(
  'a container that is no selector ends open() with invalid_options: %o',
  async (options) => {
    const { url } = await createCompanion()
    const widget = makeWidget({ companion: url, container: '#1a', ...options })
    expect(await widget.open()).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
    const container = addContainer()
    widget.update({ companion: url, container, ...options })
    widget.open()
    await reaches(widget, 'loaded')
  },
)

test('preload "intent" loads the hidden frame when the container comes near the viewport', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  container.style.marginTop = '9000px'
  makeWidget({ companion: companion.url, container, preload: 'intent' })
  // By then an observer has reported what is visible.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  expect((await companion.state()).tokens).toBe(0)
  container.style.marginTop = '0'
  await expect.poll(() => frames().length).toBe(1)
  expect(container.getBoundingClientRect().height).toBe(0)
  await expect.poll(async () => (await companion.state()).tokens).toBe(1)
})

test('a widget closes even if its confirm function throws or returns no promise', async () => {
  const { widgetUrl } = await createCompanion()
  const answers = [
    () => {
      throw Error('no database')
    },
    () => null as never,
  ]
  let calls = 0
  const widget = makeWidget({
    widgetUrl,
    accessToken: 'canary-token',
    confirm: () => answers[calls++ % 2]?.() as never,
  })
  const result = widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  expect(calls).toBe(2)
})

// Promise: loader/two-widgets
test('two widgets on one page have two frames and two results', async () => {
  const { url } = await createCompanion()
  const one = makeWidget({ companion: url, container: addContainer() })
  const two = makeWidget({ companion: url, container: addContainer() })
  const results: PurchaseResult[] = []
  one.open().then((result) => results.push(result))
  const second = two.open()
  await Promise.all([reaches(one, 'loaded'), reaches(two, 'loaded')])
  expect(frames()).toHaveLength(2)
  for (const root of shells()) {
    expect(root.host.id).toBe('')
    expect(root.querySelectorAll('[id]')).toHaveLength(0)
  }
  two.close()
  expect(await second).toEqual({ status: 'closed' })
  expect(results).toEqual([])
  expect(one.getSnapshot().status).toBe('loaded')
})

// Promise: loader/lifecycle
test('closing a widget twice, or before it is opened, is harmless', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.close()
  const result = widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  widget.close()
  expect(await result).toEqual({ status: 'closed' })
  widget.close()
  expect(widget.getSnapshot()).toEqual({ status: 'settled', result: { status: 'closed' } })
})

/** The browser's own counts, after a garbage collection. */
async function count(): Promise<{ nodes: number; frames: number; listeners: number }> {
  const session = cdp() as unknown as {
    send(method: string): Promise<{ metrics?: { name: string; value: number }[] }>
  }
  await session.send('Performance.enable')
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage')
  const { metrics = [] } = await session.send('Performance.getMetrics')
  const value = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN
  return { nodes: value('Nodes'), frames: value('Frames'), listeners: value('JSEventListeners') }
}

// Promise: loader/peers
test('a hundred widgets opened and destroyed leave no frame, node, style or listener behind', async () => {
  const { url } = await createCompanion()
  const styles = document.querySelectorAll('style').length
  const cycle = async (): Promise<void> => {
    const widget = createPurchaseWidget({ companion: url })
    widget.on('statechange', () => {})
    const result = widget.open()
    await Promise.resolve()
    widget.destroy()
    await result
  }
  for (let i = 0; i < 10; i++) await cycle()
  const before = await count()
  for (let i = 0; i < 100; i++) await cycle()
  // Fewer than before if the browser had not collected a frame of the first ten by then.
  await expect.poll(async () => (await count()).frames).toBeLessThanOrEqual(before.frames)
  // One leftover per cycle would be a hundred. The browser may collect the last few late.
  await expect.poll(async () => (await count()).nodes - before.nodes).toBeLessThan(50)
  await expect.poll(async () => (await count()).listeners - before.listeners).toBeLessThan(50)
  expect(shells()).toEqual([])
  expect(document.adoptedStyleSheets).toEqual([])
  expect(document.querySelectorAll('style')).toHaveLength(styles)
})
