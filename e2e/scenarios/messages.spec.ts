// Promise: loader/messages
/**
 * Messages count only from the widget's own frame and its exact origin. Everything else may try; and what the widget itself says can
 * neither end a purchase nor harm the page, unless the merchant's `interpretMessage` says so.
 */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab, View } from './driver.ts'

/** A page that does nothing by itself: the scenario speaks through it. */
const puppet = (): Promise<WidgetHost> =>
  startWidgetHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html lang="en"><title>Puppet</title><h1>Puppet</h1></html>')
  })

const widgetFrame = 'iframe[title="The widget"]'

let widget: WidgetHost
let stranger: WidgetHost

test.beforeEach(async ({ merchant }) => {
  widget = await puppet()
  stranger = await puppet()
  const options = `{
    widgetUrl: '${widget.url}', accessToken: 'token', mode: 'iframe', container: '#slot', title: 'The widget',
    interpretMessage: (data) => typeof data?.type === 'string' ? data : null,
  }`
  const extra = `
    <iframe id="sibling" src="${widget.url}/widget/"></iframe>
    <iframe id="lookalike" src="${stranger.url}/widget/"></iframe>
    <iframe id="opaque" sandbox="allow-scripts" src="${widget.url}/widget/"></iframe>`
  const before = `
    window.received = 0
    window.kept = []
    addEventListener('message', (event) => { received++; kept.push(event) })`
  merchant.page('/', hostPage({ options, extra, before }))
})

test.afterEach(async () => {
  await widget.close()
  await stranger.close()
})

async function openWidget(shopper: Shopper, url: string): Promise<Tab> {
  const host = await shopper.visit(url)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.frame(widgetFrame).text({ css: 'h1' })).toBe('Puppet')
  return host
}

/** Says `times` things to the page around the frame: some that would mean a lot if they were believed. */
const speak = (view: View, times: number): Promise<void> =>
  view.evaluate((times) => {
    const words = [
      { type: 'ready' },
      { type: 'close' },
      { type: 'finished', orderId: 'forged' },
      {
        source: 'purchase-widget',
        type: 'returned',
        purchaseId: 'forged',
        returnUrl: 'https://example.com/',
      },
    ]
    for (let index = 0; index < times; index++) parent.postMessage(words[index % words.length], '*')
  }, times)

const received = (host: Tab): Promise<number> =>
  host.page.evaluate(() => (window as unknown as { received: number }).received)

/** What the loader told the merchant's page, but for the states up to here. */
const accepted = (host: Tab): Promise<string[]> =>
  host.page.evaluate(() =>
    (window as unknown as { seen: string[] }).seen.filter(
      (entry) => !/^(page ready|state (opening|loading|loaded))$/.test(entry),
    ),
  )

test('messages that are not from the widget are ignored, and every genuine one is heard', async ({
  shopper,
  merchant,
}) => {
  const each = proofRuns(2_500, 50)
  const host = await openWidget(shopper, merchant.url)

  await speak(host.frame('#sibling'), each)
  await speak(host.frame('#lookalike'), each)
  await speak(host.frame('#opaque'), each)
  await host.page.evaluate((times) => {
    for (let index = 0; index < times; index++) postMessage({ type: 'ready' }, '*')
  }, each)
  await expect.poll(() => received(host)).toBe(4 * each)
  expect(await accepted(host)).toEqual([])
  recordFigure(
    `forged messages: sibling frame, look-alike origin, null origin, own page, ${shopper.engine}`,
    `0 of ${4 * each} accepted`,
  )

  await host.frame(widgetFrame).evaluate(() => {
    for (let index = 0; index < 100; index++) parent.postMessage({ hello: index }, '*')
  })
  await expect.poll(async () => (await accepted(host)).length).toBe(100)
  recordFigure(`genuine messages, ${shopper.engine}`, '100 of 100 heard')
})

test('messages from another page in the widget frame are ignored', async ({ shopper, merchant }) => {
  const each = proofRuns(2_500, 50)
  const host = await openWidget(shopper, merchant.url)
  await host.frame(widgetFrame).evaluate((url) => location.replace(url), `${stranger.url}/widget/elsewhere`)
  await expect
    .poll(() =>
      host
        .frame(widgetFrame)
        .evaluate(() => location.href)
        .catch(() => ''),
    )
    .toContain('elsewhere')
  await speak(host.frame(widgetFrame), each)
  await expect.poll(() => received(host)).toBe(each)
  expect(await accepted(host)).toEqual([])
  recordFigure(`forged messages: right frame, wrong origin, ${shopper.engine}`, `0 of ${each} accepted`)
})

test('messages after the widget was closed are ignored', { tag: oneEngine }, async ({
  shopper,
  merchant,
}) => {
  const each = proofRuns(2_500, 50)
  const host = await openWidget(shopper, merchant.url)
  await host.frame(widgetFrame).evaluate((times) => {
    for (let index = 0; index < times; index++) parent.postMessage({ type: 'ready' }, '*')
  }, each)
  await expect.poll(() => received(host)).toBe(each)
  const late = await host.page.evaluate(() => {
    const { widget, seen, kept } = window as unknown as {
      widget: { close(): void }
      seen: string[]
      kept: MessageEvent[]
    }
    const heard = (): number => seen.filter((entry) => entry === 'message' || entry === 'ready').length
    const genuine = heard()
    widget.close()
    // The very events that counted while the widget was open: right source, right origin.
    for (const event of kept.splice(0)) dispatchEvent(event)
    return { genuine, replayed: heard() - genuine }
  })
  expect(late.genuine).toBeGreaterThanOrEqual(each)
  expect(late.replayed).toBe(0)
  recordFigure(`forged messages: replayed after close, ${shopper.engine}`, `0 of ${each} accepted`)
})

test('odd data from the widget itself changes nothing', { tag: oneEngine }, async ({ shopper, merchant }) => {
  const rounds = proofRuns(180, 3)
  const host = await openWidget(shopper, merchant.url)
  const sent = await host.frame(widgetFrame).evaluate((rounds) => {
    const odd: unknown[] = [
      null,
      undefined,
      true,
      0,
      -1,
      Number.NaN,
      '',
      'ready',
      '{"type":"ready"}',
      [],
      ['ready'],
      new Date(),
      /x/,
      new Map([['type', 'ready']]),
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
      { type: { toString: null } },
      { type: ['finished'] },
      { type: '__proto__' },
      { type: 'constructor' },
      {
        get type() {
          return 'unheard of'
        },
      },
      'x'.repeat(100_000),
      new Error('ready'),
    ]
    for (let round = 0; round < rounds; round++) for (const data of odd) parent.postMessage(data, '*')
    return rounds * odd.length
  }, rounds)
  await expect.poll(() => received(host)).toBe(sent)
  expect((await accepted(host)).filter((entry) => entry !== 'message')).toEqual([])
  expect(await host.page.evaluate(() => 'polluted' in {})).toBe(false)
  expect(
    await host.page.evaluate(
      () =>
        (window as unknown as { widget: { getSnapshot(): { status: string } } }).widget.getSnapshot().status,
    ),
  ).toBe('loaded')
  recordFigure(`odd data from the widget itself, ${shopper.engine}`, `0 of ${sent} changed anything`)
})
