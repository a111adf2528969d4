// Promise: loader/messages
import { expect, onTestFinished, test, vi } from 'vitest'
import type { MessageSignal } from '../../src/index.ts'
import {
  addContainer,
  createCompanion,
  earlyFrame,
  frameWindow,
  keptId,
  makeWidget,
  reaches,
  record,
} from './page.ts'

const tell = (say: unknown): void => frameWindow().postMessage({ say }, '*')

test('the page receives the widget’s messages, and interpretMessage can interpret them', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({
    companion: url,
    interpretMessage: (data) => (data === 'I am ready' ? { type: 'ready' } : null),
  })
  const messages = record(widget, 'message')
  const ready = record(widget, 'ready')
  widget.open()
  await reaches(widget, 'loaded')
  tell('hello')
  tell('I am ready')
  await reaches(widget, 'ready')
  expect(ready).toEqual([{ mode: 'modal' }])
  expect(messages.map(({ data }) => data)).toEqual(['hello', 'I am ready'])
})

test('a preloaded frame that has sent its ready message emits the ready event when it is shown', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({
    companion: url,
    container: addContainer(),
    preload: 'eager',
    interpretMessage: () => ({ type: 'ready' }),
  })
  const ready = record(widget, 'ready')
  const messages = record(widget, 'message')
  await earlyFrame()
  tell('I am ready')
  await expect.poll(() => messages).toHaveLength(1)
  expect(ready).toEqual([])
  void widget.open()
  expect(widget.getSnapshot()).toEqual({ status: 'ready', mode: 'iframe' })
  expect(ready).toEqual([{ mode: 'iframe' }])
})

test('a close message makes the page query the server, and a finished message alone is never trusted', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({
    companion: companion.url,
    interpretMessage: () => ({ type: 'close' }),
  })
  const result = widget.open()
  await reaches(widget, 'loaded')
  tell('x')
  expect(await result).toEqual({ status: 'closed' })
})

test('without a server, a finished message is not a success', async () => {
  const { widgetUrl } = await createCompanion()
  const widget = makeWidget({
    widgetUrl,
    accessToken: 'canary-token',
    interpretMessage: () => ({ type: 'finished' }),
  })
  const result = widget.open()
  await reaches(widget, 'loaded')
  tell('x')
  expect(await result).toMatchObject({ status: 'unknown' })
})

test('a message from another window, or after the widget was closed, is ignored', async () => {
  const { url, widgetUrl, set } = await createCompanion()
  const sibling = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => sibling.remove())
  sibling.src = `${widgetUrl}/widget/`
  await new Promise((resolve) => {
    sibling.onload = resolve
  })
  const widget = makeWidget({
    companion: url,
    container: addContainer(),
    interpretMessage: () => ({ type: 'finished' }),
  })
  const messages = record(widget, 'message')
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')

  const { origin } = new URL(widgetUrl)
  const source = frameWindow()
  const forged = { ...saidOf(keptId()), returnUrl: location.href }
  postMessage('from the page itself', '*')
  postMessage(forged, '*')
  sibling.contentWindow?.postMessage({ say: 'right origin, wrong window' }, '*')
  sibling.contentWindow?.postMessage({ say: forged }, '*')
  for (const wrong of ['null', '', `${origin}.evil.example`, `${origin}0`, origin.toUpperCase(), 'https://x'])
    dispatchEvent(new MessageEvent('message', { data: forged, origin: wrong, source }))
  dispatchEvent(new MessageEvent('message', { data: 'no window', origin, source: null }))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect([messages, returns]).toEqual([[], []])
  expect(widget.getSnapshot().status).toBe('loaded')

  widget.close()
  // The page's own message counts as a return, after which the page waits for the order.
  await set({ purchase: { status: 'complete' } })
  await reaches(widget, 'settled')
  dispatchEvent(new MessageEvent('message', { data: 'late', origin, source }))
  expect(messages).toEqual([])
})

test('the loader does not read message data from an unknown sender or without a listener', async () => {
  const { url, widgetUrl } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  let reads = 0
  for (const [origin, source] of [
    ['https://stranger.example', window],
    [new URL(widgetUrl).origin, frameWindow()],
  ] as const) {
    const event = new MessageEvent('message', { origin, source })
    Object.defineProperty(event, 'data', { get: () => reads++ })
    dispatchEvent(event)
  }
  expect(reads).toBe(0)
})

/** Data that a widget may send by mistake or with bad intent. */
const odd: unknown[] = [
  null,
  undefined,
  Number.NaN,
  '{"type":"ready"}',
  ['ready'],
  new Map([['type', 'ready']]),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  { type: { toString: null } },
  { type: ['finished'] },
  { type: '__proto__' },
  'x'.repeat(100_000),
]

test('malformed data from the widget itself changes nothing', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, interpretMessage: (data) => data as MessageSignal })
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  for (const data of odd) tell({ data })
  for (const data of odd.filter(Boolean)) tell(data)
  await expect.poll(() => messages.length).toBe(odd.length + odd.filter(Boolean).length)
  expect('polluted' in {}).toBe(false)
  expect(widget.getSnapshot().status).toBe('loaded')
})

/** A return page's message about this purchase. */
const saidOf = (purchaseId: unknown): Record<string, unknown> => ({
  source: 'purchase-widget',
  type: 'returned',
  purchaseId,
  outcome: 'success',
  returnUrl: null,
})

/** Changes that each make one field invalid. */
const wrong: Record<string, unknown>[] = [
  { source: 'purchase' },
  { type: 'return' },
  { purchaseId: 'AAAAAAAAAAAAAAAAAAAAAA' },
  { purchaseId: undefined },
  { outcome: 'complete' },
  { outcome: ['success'] },
  { returnUrl: { toString: 1 } },
  { returnUrl: undefined },
]
// Promise: return/other-purchase
test('a return message with one invalid field, or from another origin than the companion’s, is ignored without an error', async () => {
  const { url, widgetUrl } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new', allowedReturnOrigins: [widgetUrl] })
  const returns = record(widget, 'return')
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  const said = saidOf(keptId())
  const source = frameWindow()
  const channel = new BroadcastChannel(`purchase-widget:${said.purchaseId}`)
  onTestFinished(() => channel.close())
  for (const change of [...wrong, null]) {
    const data = change && { ...said, ...change }
    dispatchEvent(new MessageEvent('message', { data, origin, source }))
    channel.postMessage(change?.returnUrl ? null : data)
  }
  // The widget's page sends it itself. Messages sent earlier have arrived by then.
  tell(said)
  await expect.poll(() => messages).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(returns).toEqual([])
  expect(widget.getSnapshot().status).toBe('loaded')
  dispatchEvent(new MessageEvent('message', { data: said, origin, source }))
  await expect.poll(() => returns).toHaveLength(1)
})

test('another window of the shop cannot restart the widget', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  const fetched = vi.spyOn(window, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  const heard = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
  postMessage({ source: 'purchase-widget', type: 'retry', purchaseId: keptId() }, origin)
  await heard
  expect(fetched).not.toHaveBeenCalled()
})

test('the reply to a return page is sent to its exact origin', async () => {
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  const source = frame.contentWindow as Window
  const answered = vi.spyOn(source, 'postMessage')
  const data = { ...saidOf(keptId()), outcome: 'unknown' }
  await set({ purchase: { status: 'complete' } })
  const { origin } = location
  dispatchEvent(new MessageEvent('message', { data, origin, source }))
  await expect.poll(() => answered.mock.calls.map(([, to]) => to)).toEqual([origin])
})
