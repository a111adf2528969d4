// Promise: token/nowhere
/**
 * The access token gives access to every order of the business (U9), so it must be nowhere on the merchant's page. The test makes a
 * whole purchase, and searches fifteen places for the token while the widget is open and after the shopper's return.
 */
import { createServer } from 'node:http'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { listen } from '../fixtures/listen.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { EngineName, Shopper, View } from './driver.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

/** Accepted exceptions where the token is visible: docs/security.md gives the reasons. */
const residuals: Partial<Record<EngineName, readonly string[]>> = {
  // WebKit lists the navigation of a frame in the timeline of the page around it (M2).
  webkit: ['Resource Timing'],
}

/** Records what the page sends to its console, its error handlers and its channels. */
const eavesdrop = `
  window.recorded = { console: [], errors: [], channels: [], callbacks: [] }
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    const say = console[level]
    console[level] = (...words) => { recorded.console.push(words.map(String).join(' ')); say.apply(console, words) }
  }
  const keep = ({ message, error, reason }) => recorded.errors.push([message, error?.stack, String(reason), reason?.stack].join(' '))
  addEventListener('error', keep)
  addEventListener('unhandledrejection', keep)
  const post = BroadcastChannel.prototype.postMessage
  BroadcastChannel.prototype.postMessage = function (data) { recorded.channels.push(JSON.stringify(data)); return post.call(this, data) }
  addEventListener('load', () => {
    for (const type of ['statechange', 'load', 'ready', 'message', 'return', 'success', 'failure', 'blocked', 'error', 'result'])
      widget.on(type, (event) => recorded.callbacks.push(type + JSON.stringify(event) + String(event?.stack)))
  })`

const modes: readonly Mode[] = ['iframe', 'modal', 'popup', 'redirect']
const every = modes.flatMap((mode) => [
  { mode, pageToken: false },
  { mode, pageToken: true },
])
/** Each token source in a frame and in a window. */
const some = every.filter(({ mode, pageToken }) => pageToken !== (mode === 'iframe' || mode === 'popup'))

for (const { mode, pageToken } of full ? every : some) {
  const source = pageToken ? 'a token in the page' : 'as it comes'
  test(`${mode}, ${source}: the token is in none of the fifteen places`, {
    tag: mode === 'iframe' ? [] : oneEngine,
  }, async ({ shopper, merchant, service, engineName }) => {
    await searchWholePurchase({ shopper, merchant, service, engineName, mode, pageToken })
  })
}

interface Purchase {
  shopper: Shopper
  merchant: Merchant
  service: Service
  engineName: EngineName
  mode: Mode
  pageToken: boolean
}

async function searchWholePurchase(purchase: Purchase): Promise<void> {
  const { shopper, merchant, service, engineName, mode, pageToken } = purchase
  const thirdParty = await startThirdParty()
  const headers = {
    'content-security-policy-report-only': `default-src 'none'; report-uri /csp-report`,
    // The most permissive policy, so that only the loader can keep the token private.
    'referrer-policy': 'unsafe-url',
  }
  const redirectPage = mode === 'redirect' ? 'new' : 'self'
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: '${redirectPage}', pageToken: ${pageToken} }`
  const pixel = `<img src="${thirdParty.url}/pixel" alt="">`
  merchant.page('/', hostPage({ options, before: eavesdrop, headers, extra: pixel }))
  merchant.page('/return.html', { body: returnPage.body + pixel, headers })

  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  const widget = await widgetIn(shopper, host, mode, redirectPage)
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  await host.page.evaluate((url) => {
    new Image().src = url
  }, `${thirdParty.url}/later`)
  const open = await search(host.page)
  await pay(widget, cards.success)
  await leave(shopper, widget, { declined: false })
  const [order] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
  // The return page may have posted its message in the popup before it closes.
  const path = redirectPage === 'self' ? '/return.html' : '/'
  await expect.poll(async () => new URL(await host.url()).pathname, 'the shop').toBe(path)
  const after = await search(host.page)
  // A place counts as searched only once it contains something.
  await expect.poll(() => merchant.requests().some(({ url }) => url === '/csp-report'), 'reports').toBe(true)
  await expect.poll(() => thirdParty.log().join(), 'third party').toContain('/later')
  await thirdParty.close()

  const token = await service.token()
  const places = {
    ...Object.fromEntries(Object.keys(open).map((place) => [place, `${open[place]} ${after[place] ?? ''}`])),
    'CSP reports': textOf(merchant, ({ url }) => url === '/csp-report'),
    'third-party Referer': thirdParty.log().join(' '),
    'merchant log': textOf(merchant, () => true),
  }
  expect(Object.keys(places)).toHaveLength(15)
  const found = Object.entries(places)
    .filter(([, text]) => text.includes(token))
    .map(([place]) => place)
  const allowed = pageToken ? (residuals[engineName] ?? []) : []
  expect(found.filter((place) => !allowed.includes(place))).toEqual([])
  const withToken = merchant.answers().filter((body) => body.includes(token)).length
  expect(withToken > 0, 'answers to scripts with the token').toBe(pageToken)
  recordFigure(
    `canary token, ${pageToken ? 'in the page' : 'as it comes'}, ${mode}, ${engineName}`,
    `0 of 15${found.length > 0 ? ` but for ${found.join(', ')}` : ''}, ${withToken} answers to scripts`,
  )
}

/** Collects everything that a script on the page can read, place by place. */
const search = (page: View): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const { recorded } = window as unknown as {
      recorded?: Record<'console' | 'errors' | 'channels' | 'callbacks', string[]>
    }
    const html = (root: Document | ShadowRoot): string =>
      [...root.querySelectorAll('*')]
        .map(
          (element) =>
            [...element.attributes].map(({ value }) => value).join(' ') +
            (element.shadowRoot ? html(element.shadowRoot) : '') +
            (element.childElementCount === 0 ? element.textContent : ''),
        )
        .join(' ')
    const dump = (storage: Storage): string => JSON.stringify({ ...storage })
    const databases = async (): Promise<string> => {
      const found = await indexedDB.databases()
      return JSON.stringify(found)
    }
    const entries =
      'navigation' in window ? (window.navigation as { entries(): { url: string }[] }).entries() : []
    return {
      DOM: html(document),
      'Resource Timing': performance
        .getEntries()
        .map(({ name }) => name)
        .join(' '),
      console: String(recorded?.console),
      errors: String(recorded?.errors),
      callbacks: String(recorded?.callbacks),
      'window.name': window.name,
      localStorage: dump(localStorage),
      sessionStorage: dump(sessionStorage),
      IndexedDB: await databases(),
      cookies: document.cookie,
      history:
        JSON.stringify(history.state) +
        location.href +
        document.referrer +
        entries.map(({ url }) => url).join(' '),
      BroadcastChannel: String(recorded?.channels),
    }
  })

const textOf = (merchant: Merchant, pick: (request: { url: string }) => boolean): string =>
  merchant
    .requests()
    .filter(pick)
    .map(({ url, headers, body }) => `${url} ${JSON.stringify(headers)} ${body}`)
    .join(' ')

async function startThirdParty(): Promise<{ url: string; log(): string[]; close(): Promise<void> }> {
  const log: string[] = []
  const server = createServer((request, response) => {
    log.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.writeHead(204).end()
  })
  return { ...(await listen(server, '127.0.0.1')), log: () => log }
}
