// Promise: token/nowhere
/**
 * The access token gives access to every order of the business (U9), so it must be nowhere on the merchant's page. The test makes a
 * whole purchase, and searches fifteen places for the token while the widget is open and after the shopper's return.
 */
import { createServer } from 'node:http'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { type Host, hosts, openShop } from '../fixtures/hosts.ts'
import { listen } from '../fixtures/listen.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { product } from '../fixtures/pairwise.ts'
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
  const hear = (type, event) => recorded.callbacks.push(type + JSON.stringify(event) + String(event?.stack))
  const types = ['statechange', 'load', 'ready', 'message', 'return', 'success', 'failure', 'blocked', 'error', 'result']
  for (const type of types) addEventListener('purchase-widget-' + type, ({ detail }) => hear(type, detail))
  addEventListener('load', () => {
    for (const type of window.widget ? types : []) widget.on(type, (event) => hear(type, event))
  })
  // What React's components call.
  for (const name of ['noteState', 'noteResult']) {
    const note = window[name]
    window[name] = (given) => { hear(name, given); return note(given) }
  }`

const modes = ['iframe', 'modal', 'popup', 'redirect'] as const
/** The page's own address for the widget, a ticket for it, or the companion's link. */
type Source = 'a token in the page' | 'as it comes' | `by the link, ${Host}`

const bySource = product({ mode: modes, source: ['as it comes', 'a token in the page'] } as const)
const byLink = product({ mode: modes, source: hosts.map((host) => `by the link, ${host}` as const) })
const every: readonly { mode: Mode; source: Source }[] = [...bySource, ...byLink]
/** Each source in a frame and in a window. */
const some: typeof every = [
  ...bySource.filter(
    ({ mode, source }) => (source === 'as it comes') === (mode === 'iframe' || mode === 'popup'),
  ),
  { mode: 'modal', source: 'by the link, script tag' },
  { mode: 'iframe', source: 'by the link, React' },
  { mode: 'popup', source: 'by the link, element' },
]

for (const { mode, source } of full ? every : some)
  test(`${mode}, ${source}: the token is in none of the fifteen places`, {
    // Engines differ in what they record of frames.
    tag:
      source === 'by the link, script tag' || (mode === 'iframe' && source === 'as it comes')
        ? []
        : oneEngine,
  }, async ({ shopper, merchant, service, engineName }) => {
    await searchWholePurchase({ shopper, merchant, service, engineName, mode, source })
  })

interface Purchase {
  shopper: Shopper
  merchant: Merchant
  service: Service
  engineName: EngineName
  mode: Mode
  source: Source
}

async function searchWholePurchase(purchase: Purchase): Promise<void> {
  const { shopper, merchant, service, engineName, mode, source } = purchase
  const pageToken = source === 'a token in the page'
  const thirdParty = await startThirdParty()
  const headers = {
    'content-security-policy-report-only': `default-src 'none'; report-uri /csp-report`,
    // The most permissive policy, so that only the loader can keep the token private.
    'referrer-policy': 'unsafe-url',
  }
  const redirectPage = mode === 'redirect' ? 'new' : 'self'
  const pixel = `<img src="${thirdParty.url}/pixel" alt="">`
  const additions = { before: eavesdrop, headers, extra: pixel }
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: '${redirectPage}', pageToken: ${pageToken} }`
  const host = hosts.find((each) => source === `by the link, ${each}`)
  if (host) {
    const given = { mode, redirectPage, pageToken, widgetOrigin: service.widgetUrl } as const
    await openShop(merchant, host, given, additions)
  } else merchant.page('/', hostPage({ options, ...additions }))
  merchant.page('/return.html', { body: returnPage.body + pixel, headers })

  const tab = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await tab.page.click({ button: 'Buy' })
  const widget = await widgetIn(shopper, tab, mode, redirectPage)
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  expect(isByLink(merchant), 'opened by the link').toBe(host !== undefined)
  await tab.page.evaluate((url) => {
    new Image().src = url
  }, `${thirdParty.url}/later`)
  const open = await search(tab.page)
  await pay(widget, cards.success)
  await leave(shopper, widget, { declined: false })
  const [order] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
  // The return page may have posted its message in the popup before it closes.
  const path = redirectPage === 'self' ? '/return.html' : '/'
  await expect.poll(async () => new URL(await tab.url()).pathname, 'the shop').toBe(path)
  const after = await search(tab.page)
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
    `canary token, ${source}, ${mode}, ${engineName}`,
    `0 of 15${found.length > 0 ? ` but for ${found.join(', ')}` : ''}, ${withToken} answers to scripts`,
  )
}

/** Whether the page has requested nothing but the link. */
const isByLink = (merchant: Merchant): boolean =>
  merchant
    .requests()
    .filter(({ url }) => /^\/companion\/(launch|token)\b/.test(url))
    .every(({ method }) => method === 'GET')

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
