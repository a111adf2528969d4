// Promise: loader/peers
/** Defects that we measured in peers or read in their source, each as a test of ours. */
import { expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { createPurchaseWidget } from '../../src/entries/sync.ts'
import {
  addContainer,
  createCompanion,
  drawn,
  find,
  frames,
  makeWidget,
  reaches,
  record,
  shells,
} from './page.ts'

/** What the browser itself counts, after a garbage collection. */
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

test('Typeform, Transak, GateFi, Polar: a hundred widgets opened and destroyed leave no frame, node or listener', async () => {
  const { url } = await createCompanion()
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
  // One leftover per cycle would be a hundred. The browser takes its time to collect the last few.
  await expect
    .poll(async () => {
      const after = await count()
      return (
        after.frames === before.frames &&
        after.nodes - before.nodes < 50 &&
        after.listeners - before.listeners < 50
      )
    })
    .toBe(true)
  expect(shells()).toEqual([])
  expect(document.adoptedStyleSheets).toEqual([])
})

test('Typeform: a StrictMode mount (mount, unmount, mount) leaves one frame and one set of listeners', async () => {
  const companion = await createCompanion()
  const container = addContainer()
  const first = makeWidget({ companion: companion.url, container })
  first.open()
  first.destroy()
  const second = makeWidget({ companion: companion.url, container })
  second.open()
  await reaches(second, 'loaded')
  expect(frames()).toHaveLength(1)
  expect(container.childElementCount).toBe(1)
  expect((await companion.state()).tokens).toBe(1)
})

test('Ramp: showing it a second time, while open and after it was closed, works', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const first = widget.open()
  expect(widget.open()).toBe(first)
  await reaches(widget, 'loaded')
  widget.close()
  expect(await first).toEqual({ status: 'closed' })
  const second = widget.open()
  expect(second).not.toBe(first)
  await reaches(widget, 'loaded')
})

test('Wert: closing twice, or before it was opened, is harmless', async () => {
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

test('GateFi: destroy() takes the message listener away', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const interpret = vi.fn()
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  const source = find<HTMLIFrameElement>('iframe').contentWindow
  widget.destroy()
  dispatchEvent(new MessageEvent('message', { data: 'late', source, origin: 'http://127.0.0.1' }))
  expect(interpret).not.toHaveBeenCalled()
  expect(messages).toEqual([])
})

test('Polar: opening leaves no style behind', async () => {
  const { url } = await createCompanion()
  const before = document.head.childElementCount
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  await reaches(widget, 'settled')
  expect(document.head.childElementCount).toBe(before)
  expect(document.body.querySelectorAll('style')).toHaveLength(0)
})

test('Polar: open() settles when the frame dies', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const result = widget.open()
  await reaches(widget, 'loaded')
  ;(find('dialog').getRootNode() as ShadowRoot).host.remove()
  expect(await result).toEqual({ status: 'closed' })
})

test('MoonPay: no element has a fixed id', async () => {
  const { url } = await createCompanion()
  makeWidget({ companion: url, container: addContainer() }).open()
  makeWidget({ companion: url, container: addContainer() }).open()
  await drawn()
  expect(shells()).toHaveLength(2)
  for (const root of shells()) {
    expect(root.host.id).toBe('')
    expect(root.querySelectorAll('[id]')).toHaveLength(0)
  }
})

test('Cal: a second widget has its own options', async () => {
  const { url } = await createCompanion()
  const container = addContainer()
  const first = makeWidget({ companion: url, container, title: 'First' })
  first.open()
  await reaches(first, 'loaded')
  first.destroy()
  makeWidget({ companion: url, container, title: 'Second' }).open()
  await expect.poll(() => frames().map(({ title }) => title)).toEqual(['Second'])
})

test('Uphold: nothing is ever posted to the widget, and closing keeps the page’s own listeners', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const states = record(widget, 'statechange')
  widget.open()
  await reaches(widget, 'loaded')
  widget.close()
  await reaches(widget, 'settled')
  const heard = states.length
  widget.open()
  await reaches(widget, 'loaded')
  expect(states.length).toBe(heard + 3)
})
