// Promise: loader/messages
import { expect, onTestFinished, test, vi } from 'vitest'
import { addContainer, createCompanion, find, makeWidget, reaches, record } from './page.ts'

const tell = (say: unknown): void =>
  find<HTMLIFrameElement>('iframe').contentWindow?.postMessage({ say }, '*')

test('a message of the widget reaches the page, and interpretMessage may give it a meaning', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({
    companion: url,
    interpretMessage: (data) => (data === 'I am ready' ? { type: 'ready' } : null),
  })
  const messages = record(widget, 'message')
  widget.open()
  await reaches(widget, 'loaded')
  tell('hello')
  tell('I am ready')
  await reaches(widget, 'ready')
  expect(messages.map(({ data }) => data)).toEqual(['hello', 'I am ready'])
})

test('a close message makes the page ask the server, and a finished message alone is never believed', async () => {
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

test('without a server to ask, a finished message is no success', async () => {
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
  const source = find<HTMLIFrameElement>('iframe').contentWindow
  const { id: purchaseId } = JSON.parse(sessionStorage.getItem('purchase-widget') ?? '')
  const forged = {
    source: 'purchase-widget',
    type: 'returned',
    purchaseId,
    outcome: 'success',
    returnUrl: location.href,
  }
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
  // What the page itself has said counts as a return, after which the order is waited for.
  await set({ purchase: { status: 'complete' } })
  await reaches(widget, 'settled')
  dispatchEvent(new MessageEvent('message', { data: 'late', origin, source }))
  expect(messages).toEqual([])
})

test('a message from an unknown sender is refused before its data is read', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  let reads = 0
  const event = new MessageEvent('message', { origin: 'https://stranger.example', source: window })
  Object.defineProperty(event, 'data', {
    get() {
      reads++
      return null
    },
  })
  dispatchEvent(event)
  expect(reads).toBe(0)
})

/** Everything but one thing is as it must be. */
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
test.each(wrong)('a return message with %j is ignored and throws nothing', async (change) => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new' })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const { id } = JSON.parse(sessionStorage.getItem('purchase-widget') ?? '')
  const data = {
    source: 'purchase-widget',
    type: 'returned',
    purchaseId: id,
    outcome: 'success',
    returnUrl: null,
    ...change,
  }
  const source = find<HTMLIFrameElement>('iframe').contentWindow
  dispatchEvent(new MessageEvent('message', { data, origin, source }))
  dispatchEvent(new MessageEvent('message', { data: null, origin, source }))
  const channel = new BroadcastChannel(`purchase-widget:${id}`)
  onTestFinished(() => channel.close())
  channel.postMessage(change.returnUrl ? null : data)
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(returns).toEqual([])
  expect(widget.getSnapshot().status).toBe('loaded')
})

// Promise: return/other-purchase
test('a return page of another origin than the companion’s is not heard, also in the widget’s own window', async () => {
  const { url, widgetUrl } = await createCompanion()
  const widget = makeWidget({ companion: url, allowedReturnOrigins: [widgetUrl] })
  const returns = record(widget, 'return')
  // Should it be heard, this page stays.
  widget.on('return', (event) => event.preventDefault())
  widget.open()
  await reaches(widget, 'loaded')
  const { id } = JSON.parse(sessionStorage.getItem('purchase-widget') ?? '')
  tell({
    source: 'purchase-widget',
    type: 'returned',
    purchaseId: id,
    outcome: 'success',
    returnUrl: location.href,
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(returns).toEqual([])
})

test('the answer to a return page goes to its exact origin', async () => {
  const { url, set } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  const { id: purchaseId } = JSON.parse(sessionStorage.getItem('purchase-widget') ?? '')
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  const source = frame.contentWindow as Window
  const answered = vi.spyOn(source, 'postMessage')
  const data = {
    source: 'purchase-widget',
    type: 'returned',
    purchaseId,
    outcome: 'unknown',
    returnUrl: null,
  }
  await set({ purchase: { status: 'complete' } })
  const { origin } = location
  dispatchEvent(new MessageEvent('message', { data, origin, source }))
  await expect.poll(() => answered.mock.calls.map(([, to]) => to)).toEqual([origin])
})

test('without a listener the data of a message is not read', async () => {
  const { url, widgetUrl } = await createCompanion()
  const widget = makeWidget({ companion: url })
  widget.open()
  await reaches(widget, 'loaded')
  const source = find<HTMLIFrameElement>('iframe').contentWindow
  let reads = 0
  const event = new MessageEvent('message', { origin: new URL(widgetUrl).origin, source })
  Object.defineProperty(event, 'data', { get: () => reads++ })
  dispatchEvent(event)
  expect(reads).toBe(0)
})
