// Promise: loader/lifecycle
import { expect, test } from 'vitest'
import type { PurchaseResult } from '../../src/index.ts'
import { addContainer, createCompanion, find, frames, makeWidget, reaches, record, shells } from './page.ts'

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

test('destroy() ends an open widget at once, is final and idempotent', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  widget.destroy()
  widget.destroy()
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

test('a missing container ends with invalid_options', async () => {
  const { url } = await createCompanion()
  const result = await makeWidget({ companion: url, container: '#nowhere' }).open()
  expect(result).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
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

// Promise: token/never-in-page
test('the token is in no attribute, no resource timing and no storage', async () => {
  const { url } = await createCompanion()
  makeWidget({ companion: url, container: addContainer() }).open()
  await expect.poll(() => find('iframe').isConnected).toBe(true)
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  const markup = shells().map(({ innerHTML }) => innerHTML)
  const timeline = performance.getEntriesByType('resource').map(({ name }) => name)
  const stored = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, window.name]
  expect([...markup, ...timeline, ...stored].join()).not.toContain('canary-token')
})

// Promise: loader/moved
test('a frame that was moved in the document loads the widget again, with a token of its own', async () => {
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
  // Long enough for the frame to be seen before it loads.
  const companion = await createCompanion({ tokenDelay: 1_000 })
  const container = addContainer()
  const widget = makeWidget({ companion: companion.url, container, preload: 'eager' })
  const states = record(widget, 'statechange')
  await expect.poll(() => frames().length).toBe(1)
  await new Promise((resolve) => frames()[0]?.addEventListener('load', resolve))
  expect(container.getBoundingClientRect().height).toBe(0)
  const [frame] = frames()
  widget.open()
  expect(states).toEqual([{ status: 'loaded', mode: 'iframe' }])
  expect(frames()).toEqual([frame])
  expect(frame?.getBoundingClientRect().height).toBeGreaterThan(100)
  expect((await companion.state()).tokens).toBe(1)
})

test('preloading without a container fails silently, and open() reports it', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, container: '#nowhere', preload: 'eager' })
  widget.preload()
  await Promise.resolve()
  expect(widget.getSnapshot()).toEqual({ status: 'idle' })
  expect(await widget.open()).toMatchObject({ status: 'error', error: { code: 'invalid_options' } })
})

test('preload "intent" loads the hidden frame when the container comes near the viewport', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  container.style.marginTop = '9000px'
  makeWidget({ companion: companion.url, container, preload: 'intent' })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await companion.state()).tokens).toBe(0)
  container.style.marginTop = '0'
  await expect.poll(() => frames().length).toBe(1)
  expect(container.getBoundingClientRect().height).toBe(0)
  await expect.poll(async () => (await companion.state()).tokens).toBe(1)
})

test('a confirm function that throws or returns no promise blocks nothing', async () => {
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
  two.close()
  expect(await second).toEqual({ status: 'closed' })
  expect(results).toEqual([])
  expect(one.getSnapshot().status).toBe('loaded')
})
