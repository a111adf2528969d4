import { expect, onTestFinished, test } from 'vitest'
import { addContainer, createCompanion, find, makeWidget, reaches, record } from './page.ts'

const tell = (say: unknown): void =>
  find<HTMLIFrameElement>('iframe').contentWindow?.postMessage({ say }, '*')

test('a message of the widget reaches the page, and may mean something', async () => {
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

test('a message that means close is asked about, and one that means finished is not believed', async () => {
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
    interpretMessage: () => ({ type: 'finished', orderId: 'o1' }),
  })
  const result = widget.open()
  await reaches(widget, 'loaded')
  tell('x')
  expect(await result).toMatchObject({ status: 'unknown' })
})

test('no message from elsewhere counts, nor one from the widget after it was closed', async () => {
  const { url, widgetUrl } = await createCompanion()
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
  const forged = { source: 'purchase-widget', type: 'return', url: location.href }
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
  await reaches(widget, 'closed')
  dispatchEvent(new MessageEvent('message', { data: 'late', origin, source }))
  expect(messages).toEqual([])
})

test('what a stranger says is refused before it is read', async () => {
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

test("another tab's return is not this purchase's", async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const channel = new BroadcastChannel('purchase-widget')
  onTestFinished(() => channel.close())
  const message = { source: 'purchase-widget', type: 'return', url: location.href }
  channel.postMessage(message)
  channel.postMessage({ ...message, id: 'another' })
  channel.postMessage(null)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(returns).toEqual([])
})

test('with redirectPage new, a return over the channel ends the purchase, and the page stays', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new', params: { redirect_url: '/done' } })
  const returns = record(widget, 'return')
  const result = widget.open()
  await reaches(widget, 'loaded')
  const channel = new BroadcastChannel('purchase-widget')
  onTestFinished(() => channel.close())
  channel.postMessage({
    source: 'purchase-widget',
    type: 'return',
    url: `${location.origin}/done?order_id=o1`,
  })
  await expect.poll(() => returns.length).toBe(1)
  expect(returns[0]?.info).toEqual({ status: 'success', orderId: 'o1', url: `${location.origin}/done` })
  await reaches(widget, 'confirming')
  widget.destroy()
  expect(await result).toMatchObject({ status: 'error' })
})

test('a return that leads off the list of origins is not taken', async () => {
  const { url } = await createCompanion()
  const widget = makeWidget({ companion: url, redirectPage: 'new' })
  const returns = record(widget, 'return')
  widget.open()
  await reaches(widget, 'loaded')
  const channel = new BroadcastChannel('purchase-widget')
  onTestFinished(() => channel.close())
  for (const address of ['javascript:alert(1)', 'https://evil.example/', '//evil.example', 7, null])
    channel.postMessage({ source: 'purchase-widget', type: 'return', url: address })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(returns).toEqual([])
})

test('preventDefault() on a return keeps the page, and the result is what the server says', async () => {
  const companion = await createCompanion()
  const widget = makeWidget({ companion: companion.url, container: addContainer() })
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await reaches(widget, 'loaded')
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  await companion.set({ orders: [{ id: 'o1', type: 'order_complete', decline: null }] })
  // The frame reaches a page of the merchant's own origin.
  find<HTMLIFrameElement>('iframe').contentWindow?.location.replace(`/done?order_id=o1`)
  expect(await result).toMatchObject({
    status: 'success',
    verified: true,
    order: { id: 'o1' },
    returnUrl: `${location.origin}/done`,
  })
})
