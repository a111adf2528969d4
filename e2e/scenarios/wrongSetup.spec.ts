// Promise: link/wrong-page
// Promise: launch/other-origin
/**
 * A shop that is set up wrongly: its service worker answers every navigation with the app, or its companion is on another origin or site, and
 * does not answer as one. The shopper reads that nothing was bought and can try again, and the developer's error says as much as the page may know.
 */
import { createServer, type RequestListener } from 'node:http'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage } from '../fixtures/hostPage.ts'
import { listen } from '../fixtures/listen.ts'
import type { Merchant, Page } from '../fixtures/merchant.ts'
import type { Service, Shop } from '../fixtures/service.ts'
import { isControlled, serveWorker } from '../fixtures/serviceWorker.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { developerErrors, noticeWith, smallWindow } from './failureReport.ts'
import { otherTab } from './widgetPage.ts'

test.use({ shopperOptions: smallWindow })

const sentence = 'The purchase could not be started. You have not been charged.'

/** The loader in its development build: only that says what a developer should change. */
function developersPage(source: string, mode: Mode): Page {
  const { body } = hostPage({
    options: `{ ${source}, mode: '${mode}', params: { product_id: 'gold-100' } }`,
    before: `addEventListener('load', () => widget.on('error', ({ code, message, cause }) =>
      note('developer: ' + code + ': ' + message + (cause ? ' ' + cause : ''))))`,
  })
  return { body: body.replace('/loader/sync.js', '/loader/development/sync.js') }
}

const modes = ['modal', 'popup'] as const
type Mode = (typeof modes)[number]

/** The sentence is in the dialog, in the window while that is blank, or else on the page. */
async function expectSentence(shopper: Shopper, host: Tab): Promise<void> {
  const sentences = async (): Promise<(string | undefined)[]> => {
    const found = []
    for (const { page } of await shopper.tabs()) found.push((await noticeWith(page, 'Try again'))?.sentence)
    return found
  }
  await expect.poll(sentences).toContain(sentence)
  expect(await host.page.text({ css: 'h1' })).toBe('Shop')
}

const appShell = '<!doctype html><title>Shop</title><div id="app">The app</div>'

for (const mode of modes) {
  if (!full && mode === 'modal') continue
  test(`${mode}: a service worker that answers every navigation with the app is named`, async ({
    shopper,
    merchant,
    service,
  }) => {
    serveWorker(
      merchant,
      `if (event.request.mode === 'navigate')
         event.respondWith(new Response(${JSON.stringify(appShell)}, { headers: { 'content-type': 'text/html' } }))`,
    )
    merchant.page('/', developersPage(`companion: '/companion', widgetOrigin: '${service.widgetUrl}'`, mode))
    const host = await shopper.visit(merchant.url)
    await expect.poll(() => merchant.reports()).toContain('page ready')
    test.skip(!(await isControlled(host.page)), 'This browser has no service workers in a fresh profile.')
    await host.page.click({ button: 'Buy' })
    await expectSentence(shopper, host)
    await expect
      .poll(() => developerErrors(merchant))
      .toEqual([
        expect.stringContaining(
          'open_failed: GET /launch: a page of this site is in the place of the widget.',
        ),
      ])
    // The worker has answered, so nothing has reached the companion.
    expect(merchant.requests().filter(({ url }) => url.startsWith('/companion/launch'))).toEqual([])
    recordFigure(`service worker with the app, ${mode}, ${shopper.engine}`, 'the error names it')
  })
}

interface Mistake {
  /** Answers in place of the companion. */
  answer?: RequestListener
  shop?: Shop
  /** The developer's error: what the page may know. A browser tells a page nothing about an answer without CORS headers. */
  error: RegExp
}

/** As a development server does, for pages on any port of its machine. */
const withCors =
  (status: number, body: string): RequestListener =>
  ({ method, headers }, response) => {
    const cors = {
      'access-control-allow-origin': `${headers.origin}`,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'content-type',
    }
    const isPreflight = method === 'OPTIONS'
    response.writeHead(isPreflight ? 204 : status, { 'content-type': 'text/html', ...cors })
    response.end(isPreflight ? '' : body)
  }

const noAnswer = /^token_failed: .*\/companion.*TypeError/
const mistakes: Record<string, Mistake> = {
  'does not know the page': { shop: {}, error: noAnswer },
  'is not mounted': { answer: (_, response) => void response.writeHead(404).end(), error: noAnswer },
  'is not mounted, behind CORS': {
    answer: withCors(404, 'Cannot POST /companion/launch'),
    error: /^token_failed: POST \/launch: 404\./,
  },
  'is an app': { answer: withCors(200, appShell), error: /^token_failed: POST \/launch: 200\./ },
  'gets no session': {
    shop: { authorize: () => null },
    error: /^token_failed: POST \/launch: 401 unauthorized\. Sign in first\./,
  },
}

const places = { 'on another origin': 'localhost', 'on another site': '127.0.0.1' } as const
const inTest = ['popup, on another site, does not know the page', 'popup, on another origin, is an app']

for (const mode of modes)
  for (const [where, host] of Object.entries(places))
    for (const [name, mistake] of Object.entries(mistakes)) {
      const title = `${mode}, ${where}, ${name}`
      if (!full && !inTest.includes(title)) continue
      test(`${mode}: a companion ${where} that ${name} is reported`, { tag: oneEngine }, async ({
        shopper,
        merchant,
        service,
      }) => {
        const { answer, shop, error } = mistake
        const elsewhere = await startCompanion(service, merchant, host, answer, shop)
        try {
          merchant.page('/', developersPage(`companion: '${elsewhere.url}/companion'`, mode))
          const tab = await shopper.visit(merchant.url)
          await expect.poll(() => merchant.reports()).toContain('page ready')
          await tab.page.click({ button: 'Buy' })
          if (mode === 'popup') await otherTab(shopper, tab)
          await expectSentence(shopper, tab)
          await expect.poll(() => developerErrors(merchant)).toEqual([expect.stringMatching(error)])
          recordFigure(`companion ${title}, ${shopper.engine}`, developerErrors(merchant)[0] ?? '')
        } finally {
          await elsewhere.close()
        }
      })
    }

async function startCompanion(
  service: Service,
  merchant: Merchant,
  host: 'localhost' | '127.0.0.1',
  answer: RequestListener = () => {},
  shop?: Shop,
): Promise<{ url: string; close(): Promise<void> }> {
  let respond = answer
  const elsewhere = await listen(
    createServer((request, response) => respond(request, response)),
    host,
  )
  if (!shop) return elsewhere
  // Only a companion that refuses the session knows the page.
  service.sell({ allowedOrigins: shop.authorize ? [merchant.url] : [elsewhere.url], ...shop })
  respond = service.companion(elsewhere.url)
  return elsewhere
}
