// Promise: surface/no-dead-frame
/**
 * Ways for a frame to fail, of which the loader never says `ready`.
 *
 * A frame that does not load, or that the page's own policy blocks, gets a way out. Of many failures a browser reports a load, as it
 * does of a widget that works: nothing is put over those. The merchant's page stays as it is around them.
 */
import type { RequestListener } from 'node:http'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { holdRefusingPort, startWidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab } from './driver.ts'

const failures: Record<string, RequestListener> = {
  'an answer of 500': (_request, response) => void response.writeHead(500).end('broken'),
  'an answer of 204': (_request, response) => void response.writeHead(204).end(),
  'X-Frame-Options: DENY': (request, response) => {
    response.setHeader('x-frame-options', 'DENY')
    workingWidget(request, response)
  },
  'no answer': () => {},
  'half an answer': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
    response.write('<!doctype html><title>Widget</title>', () => response.destroy())
  },
}

for (const [name, answer] of Object.entries(failures)) {
  test(`a frame that gets ${name} is not ready, and offers recovery actions unless the browser reports a load`, {
    // Engines differ in what they make of a connection that is refused, and of a policy: both are below.
    tag: oneEngine,
  }, async ({ shopper, merchant }) => {
    const widget = await startWidgetHost(answer)
    try {
      merchant.page('/', hostPage({ options: optionsFor(widget.url), before: tellLater }))
      await expectWayOutUnlessLoaded(shopper, merchant, name)
    } finally {
      await widget.close()
    }
  })
}

test('a frame whose connection is refused is not ready, and offers recovery actions unless the browser reports a load', async ({
  shopper,
  merchant,
}) => {
  const nobody = await holdRefusingPort()
  try {
    merchant.page('/', hostPage({ options: optionsFor(nobody.url), before: tellLater }))
    await expectWayOutUnlessLoaded(shopper, merchant, 'a refused connection')
  } finally {
    await nobody.close()
  }
})

test("a frame that the page's policy forbids is not ready, and offers recovery actions", async ({
  shopper,
  merchant,
}) => {
  const widget = await startWidgetHost(workingWidget)
  try {
    const headers = { 'content-security-policy': "frame-src 'self'" }
    merchant.page('/', hostPage({ options: optionsFor(widget.url), before: tellLater, headers }))
    const { page } = await buy(shopper, merchant)
    await expect.poll(() => page.text(wayOut), 'the way out').not.toBeNull()
    await loaderHasDecided(merchant)
    await expect.poll(() => page.text(wayOut), 'the way out, later').not.toBeNull()
    expect(merchant.reports()).not.toContain('ready')
    recordFigure(`frame with the page's own frame-src, ${shopper.engine}`, '`ready` 0 of 1, way out shown')
  } finally {
    await widget.close()
  }
})

test('a widget that works is ready, and nothing is put over what the shopper types', async ({
  shopper,
  merchant,
}) => {
  const widget = await startWidgetHost(workingWidget)
  try {
    merchant.page('/', hostPage({ options: optionsFor(widget.url), before: tellLater }))
    const { page } = await buy(shopper, merchant)
    await expect.poll(() => merchant.reports()).toContain('ready')
    await loaderHasDecided(merchant)
    expect(await page.text(wayOut)).toBeNull()
  } finally {
    await widget.close()
  }
})

const loadTimeout = 2_000
const wayOut = { button: 'Open in a new window' }

function optionsFor(widgetUrl: string): string {
  return `{
    widgetUrl: '${widgetUrl}', accessToken: 'token', mode: 'iframe', container: '#slot', loadTimeout: ${loadTimeout},
    interpretMessage: (data) => data?.type === 'ready' ? { type: 'ready' } : null,
  }`
}

async function buy(shopper: Shopper, merchant: Merchant): Promise<Tab> {
  const tab = await shopper.visit(merchant.url)
  await tab.page.click({ button: 'Buy' })
  return tab
}

/** The page's own clock, which runs out after the loader's, however slow the machine is. */
const tellLater = `addEventListener('click', () => setTimeout(() => note('loadTimeout is over'), ${2 * loadTimeout}))`

const loaderHasDecided = (merchant: Merchant): Promise<void> =>
  expect.poll(() => merchant.reports()).toContain('loadTimeout is over')

async function expectWayOutUnlessLoaded(
  shopper: Shopper,
  merchant: Merchant,
  failure: string,
): Promise<void> {
  const { page } = await buy(shopper, merchant)
  const isLoaded = (): boolean => merchant.reports().includes('state loaded')
  const isOffered = async (): Promise<boolean> => (await page.text(wayOut)) !== null
  await expect.poll(async () => isLoaded() || (await isOffered()), 'a load or the way out').toBe(true)
  await loaderHasDecided(merchant)
  // A busy page may not answer a single reading in time.
  await expect.poll(async () => isLoaded() !== (await isOffered()), 'a load, or the way out').toBe(true)
  expect(merchant.reports()).not.toContain('ready')
  recordFigure(
    `frame with ${failure}, ${shopper.engine}`,
    isLoaded() ? '`ready` 0 of 1, load reported, nothing put over it' : '`ready` 0 of 1, way out shown',
  )
}
