// Promise: return/other-purchase
/** Messages about the purchase from a page outside the widget's own window: sent over its channel, as from a tab without parent or opener. */
import { expect, onTestFinished, test } from 'vitest'
import {
  addContainer,
  complete,
  createCompanion,
  keptId,
  makeWidget,
  order,
  reaches,
  record,
} from './page.ts'

const failed = { status: 'failed', state: 'matched', order: order('order_failed') }

/** A tab of the shop that knows the purchase; `answers` are the replies that it receives, in order. */
function tabOf(purchaseId: string) {
  const channel = new BroadcastChannel(`purchase-widget:${purchaseId}`)
  onTestFinished(() => channel.close())
  const answers: unknown[] = []
  channel.onmessage = ({ data }) => answers.push(data)
  const say = (message: object): void =>
    channel.postMessage({ source: 'purchase-widget', purchaseId, ...message })
  const comeBack = (outcome: string, returnUrl: string | null = null): void =>
    say({ type: 'returned', outcome, returnUrl })
  return { answers, say, comeBack }
}

/** A widget shown in the page, and its `return` events, which are prevented so that the page stays. */
async function open(options: object, more: object = {}) {
  const companion = await createCompanion(more)
  const widget = makeWidget({ companion: companion.url, container: addContainer(), ...options })
  const returns = record(widget, 'return')
  widget.on('return', (event) => event.preventDefault())
  const result = widget.open()
  await reaches(widget, 'loaded')
  return { companion, widget, returns, result, tab: tabOf(keptId()) }
}

test('a returned message makes the page query the server as after a return, and the answer ends the purchase', async () => {
  const returnUrl = 'https://shop.example/thanks'
  const { companion, returns, result, tab } = await open({}, { purchase: { ...complete, returnUrl } })
  const purchaseId = keptId()
  tab.comeBack('failure', 'https://elsewhere.example/')
  expect(await result).toMatchObject({ status: 'success', verified: true, order: { id: 'o1' } })
  expect((await companion.state()).returns).toBe(1)
  expect(returns.map(({ info }) => info)).toEqual([{ purchaseId, status: 'success', url: returnUrl }])
  // A page in a frame has no window that its return page could close.
  await expect
    .poll(() => tab.answers)
    .toEqual([{ source: 'purchase-widget', type: 'heard', purchaseId, close: false }])
})

test('a failed order does not end a purchase that the shopper can retry in the widget', async () => {
  const { companion, widget, returns, tab } = await open({}, { purchase: failed })
  tab.comeBack('failure')
  await expect.poll(async () => (await companion.state()).returns).toBe(1)
  await companion.state()
  expect(widget.getSnapshot().status).toBe('loaded')
  expect(returns).toEqual([])
})

test('a failed order ends a purchase whose return page opens in its own tab', async () => {
  const { returns, result, tab } = await open({ redirectPage: 'new' }, { purchase: failed })
  tab.comeBack('failure')
  expect(await result).toMatchObject({ status: 'failure', verified: true })
  expect(returns.map(({ info }) => info.status)).toEqual(['failure'])
})

test('without a server, a returned message ends only a purchase whose return page opens in its own tab', async () => {
  const { widgetUrl } = await createCompanion()
  const source = { companion: undefined, widgetUrl, accessToken: 'canary-token' }
  const { widget, returns, tab } = await open(source)
  tab.comeBack('success')
  tab.say({ type: 'refused' })
  await expect.poll(() => widget.getSnapshot().status).toBe('loaded')
  const asTab = await open({ ...source, redirectPage: 'new' })
  asTab.tab.comeBack('success')
  expect(await asTab.result).toEqual({ status: 'success', verified: false })
  expect(asTab.returns).toHaveLength(1)
  expect(returns).toEqual([])
  expect(widget.getSnapshot().status).toBe('loaded')
})

test('a refusal makes the page query the server once, and an ended purchase receives no more messages', async () => {
  const { companion, widget, result, tab } = await open({})
  const { reads } = await companion.state()
  tab.say({ type: 'refused', purchaseId: 'AAAAAAAAAAAAAAAAAAAAAA' })
  tab.say({ type: 'retry' })
  postMessage({ source: 'purchase-widget', type: 'retry', purchaseId: keptId() }, origin)
  tab.say({ type: 'refused' })
  await expect.poll(async () => (await companion.state()).reads).toBe(reads + 1)
  expect(widget.getSnapshot().status).toBe('loaded')
  expect((await companion.state()).asked).toHaveLength(1)
  widget.close()
  await result
  const atEnd = (await companion.state()).reads
  tab.say({ type: 'refused' })
  tab.comeBack('success')
  // A channel delivers messages in order.
  const last = tabOf('last')
  const witness = tabOf('last')
  last.say({})
  await expect.poll(() => witness.answers).toHaveLength(1)
  expect((await companion.state()).reads).toBe(atEnd)
})
