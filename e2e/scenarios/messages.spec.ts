// Promise: loader/messages
/**
 * Only messages from the widget's own frame and its exact origin are accepted, in each engine. The loader's own tests cover the
 * widget's messages and their timing.
 */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost, type WidgetHost } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab, View } from './driver.ts'

/** A passive page through which the scenario posts messages. */
const puppet = (): Promise<WidgetHost> =>
  startWidgetHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html lang="en"><title>Puppet</title><h1>Puppet</h1></html>')
  })

const widgetFrame = 'iframe[title="The widget"]'

let widget: WidgetHost
let foreignHost: WidgetHost

test.beforeEach(async ({ merchant }) => {
  widget = await puppet()
  foreignHost = await puppet()
  const options = `{
    widgetUrl: '${widget.url}', accessToken: 'token', mode: 'iframe', container: '#slot', title: 'The widget',
    interpretMessage: (data) => typeof data?.type === 'string' ? data : null,
  }`
  const extra = `
    <iframe id="sibling" src="${widget.url}/widget/"></iframe>
    <iframe id="lookalike" src="${foreignHost.url}/widget/"></iframe>
    <iframe id="opaque" sandbox="allow-scripts" src="${widget.url}/widget/"></iframe>`
  const before = `
    window.received = 0
    addEventListener('message', () => received++)`
  merchant.page('/', hostPage({ options, extra, before }))
})

test.afterEach(async () => {
  await widget.close()
  await foreignHost.close()
})

async function openWidget(shopper: Shopper, url: string): Promise<Tab> {
  const host = await shopper.visit(url)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.frame(widgetFrame).text({ css: 'h1' })).toBe('Puppet')
  return host
}

/** Posts `times` messages to the parent page, some of which would have serious effects if they were trusted. */
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

/** The loader's reports to the merchant's page, except the states so far. */
const accepted = (host: Tab): Promise<string[]> =>
  host.page.evaluate(() =>
    (window as unknown as { seen: string[] }).seen.filter(
      (entry) => !/^(page ready|state (opening|loading|loaded))$/.test(entry),
    ),
  )

test('messages that are not from the widget are ignored, and every genuine one is accepted', async ({
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
  await host
    .frame(widgetFrame)
    .evaluate((url) => location.replace(url), `${foreignHost.url}/widget/elsewhere`)
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
