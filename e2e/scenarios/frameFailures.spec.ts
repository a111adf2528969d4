/** Ten ways for a frame to fail. The loader never says `ready`, and the shopper always finds a way out. */
import type { RequestListener } from 'node:http'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost, workingWidget } from '../fixtures/widgetHost.ts'
import type { Shopper } from './driver.ts'

const withHeaders =
  (headers: Record<string, string>): RequestListener =>
  (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    workingWidget(request, response)
  }

const failures: Record<string, RequestListener> = {
  'an answer of 500': (_request, response) => void response.writeHead(500).end('broken'),
  'an answer of 404': (_request, response) => void response.writeHead(404).end('not here'),
  'an answer of 204': (_request, response) => void response.writeHead(204).end(),
  'X-Frame-Options: DENY': withHeaders({ 'x-frame-options': 'DENY' }),
  "frame-ancestors 'none'": withHeaders({ 'content-security-policy': "frame-ancestors 'none'" }),
  'no answer': () => {},
  'half an answer': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
    response.write('<!doctype html><title>Widget</title>', () => response.destroy())
  },
  'a reset connection': (request) => void request.socket.resetAndDestroy(),
}

for (const [name, answer] of Object.entries(failures)) {
  test(`a frame that gets ${name} is not ready, and there is a way out`, async ({ shopper, merchant }) => {
    const widget = await startWidgetHost(answer)
    try {
      merchant.page('/', hostPage({ options: optionsFor(widget.url) }))
      await expectWayOut(shopper, merchant, name)
    } finally {
      await widget.close()
    }
  })
}

test('a frame whose connection is refused is not ready, and there is a way out', async ({
  shopper,
  merchant,
}) => {
  const widget = await startWidgetHost(workingWidget)
  await widget.close()
  merchant.page('/', hostPage({ options: optionsFor(widget.url) }))
  await expectWayOut(shopper, merchant, 'a refused connection')
})

test("a frame that the page's policy forbids is not ready, and there is a way out", async ({
  shopper,
  merchant,
}) => {
  const widget = await startWidgetHost(workingWidget)
  try {
    const headers = { 'content-security-policy': "frame-src 'self'" }
    merchant.page('/', hostPage({ options: optionsFor(widget.url), headers }))
    await expectWayOut(shopper, merchant, "the page's own frame-src")
  } finally {
    await widget.close()
  }
})

test('a widget that works is ready', async ({ shopper, merchant }) => {
  const widget = await startWidgetHost(workingWidget)
  try {
    merchant.page('/', hostPage({ options: optionsFor(widget.url) }))
    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    await expect.poll(() => merchant.reports()).toContain('ready')
  } finally {
    await widget.close()
  }
})

function optionsFor(widgetUrl: string): string {
  return `{
    widgetUrl: '${widgetUrl}', accessToken: 'token', mode: 'iframe', container: '#slot', loadTimeout: 2000,
    interpretMessage: (data) => data?.type === 'ready' ? { type: 'ready' } : null,
  }`
}

async function expectWayOut(shopper: Shopper, merchant: Merchant, failure: string): Promise<void> {
  const { page } = await shopper.visit(merchant.url)
  await page.click({ button: 'Buy' })
  await expect.poll(() => page.text({ button: 'Open in new window' }), 'the way out').not.toBeNull()
  expect(merchant.reports()).not.toContain('ready')
  recordFigure(`frame with ${failure}, ${shopper.engine}`, '`ready` 0 of 1, way out shown 1 of 1')
}
