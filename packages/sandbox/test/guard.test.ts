// Promise: sandbox/guard
/** A website cannot do anything to a sandbox on its visitor's machine. */
import type { OutgoingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, vi } from 'vitest'
import { controlOperations } from '../src/http/operations.ts'
import type { Sandbox } from '../src/index.ts'
import { startTestSandbox, type TestSandbox } from '../src/testing/index.ts'
import { type RawAnswer, type Receiver, rawRequest, startReceiver, statusOf } from './support/http.ts'
import { serviceOf, test as serviceTest } from './support/service.ts'
import { attempts, crossSite, evil, form, metadata, plain } from './support/websiteAttempts.ts'

interface Route {
  name: string
  method: string
  path: string
  body?: string | undefined
}

/** A sandbox with data to read or damage at every address. */
interface Target {
  /** As in the Host header. */
  host: string
  routes: Route[]
  send(route: Route, headers: OutgoingHttpHeaders, method?: string): Promise<RawAnswer>
  /** Everything that a website could have changed. */
  seen(): Promise<unknown>
}

const test = serviceTest.extend<{ target: Target }>({
  target: async ({ sandbox, receiver }, use) => use(await prepare(sandbox, receiver)),
})

/** Bodies that change something; operations not listed here get an empty object. */
const bodies: Record<string, unknown> = {
  moveClock: { advanceSeconds: 60 },
  patchSwitches: { coop: 'same-origin' },
  addFault: { operation: '*', kind: 'reset' },
  putLimits: { low: { crypto: '900', digital_goods: '900' }, full: { crypto: '900', digital_goods: '900' } },
  addWebhook: { url: 'http://127.0.0.1:9/' },
  forgeWebhook: { payload: 'forged' },
}

async function prepare(sandbox: TestSandbox, receiver: Receiver): Promise<Target> {
  const { webhooks, faults } = sandbox
  const { id } = await webhooks.add(receiver.url)
  const fault = await faults.set({ operation: 'widgetPage', kind: 'reset' })
  await sandbox.buy()
  const snapshot = await sandbox.snapshot()
  await vi.waitUntil(
    async () => (await webhooks.deliveries()).every(({ status }) => status !== 'pending'),
    20_000,
  )
  const [delivery] = await webhooks.deliveries()
  const ids = { deliveries: delivery?.id, webhooks: id, snapshots: snapshot, faults: fault.id }
  const idIn = (path: string): unknown => Object.entries(ids).find(([part]) => path.includes(part))?.[1]
  const operations = controlOperations.map(
    ({ name, method, path, body }): Route => ({
      name,
      method: method.toUpperCase(),
      path: path.replace(':id', String(idIn(path))),
      body: body && JSON.stringify(bodies[name] ?? {}),
    }),
  )
  const pages = ['', '/', '/openapi.json', '/assets/x.js', '/nothing'].map(
    (path): Route => ({ name: `page ${path}`, method: 'GET', path: `/_sandbox${path}` }),
  )
  const { baseUrl } = sandbox.urls
  return {
    host: new URL(baseUrl).host,
    routes: [...operations, ...pages, { name: 'encoded', method: 'POST', path: '/%5Fsandbox/reset' }],
    send: ({ path, body, ...route }, headers, method = route.method) =>
      rawRequest(baseUrl, {
        method,
        path,
        headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
        body: /GET|HEAD|OPTIONS/.test(method) ? undefined : body,
      }),
    seen: async () => [
      { ...(await serviceOf(sandbox).read('state')), now: null },
      await sandbox.limits.get(),
      receiver.received.length,
    ],
  }
}

describe('a website reads nothing and changes nothing of the control plane', () => {
  let target: Target
  beforeAll(async () => {
    const [sandbox, receiver] = await Promise.all([startTestSandbox(), startReceiver()])
    target = await prepare(sandbox, receiver)
    return () => Promise.all([sandbox.close(), receiver.close()])
  })

  test.for(attempts)('a website reads and changes nothing by %s', async ([, headers, method]) => {
    const before = await target.seen()
    for (const route of target.routes) {
      const answer = await target.send(route, headers(target.host), method)
      expect([route.name, answer.status]).toEqual([route.name, 403])
      expectRefusal(answer, method)
    }
    expect(await target.seen()).toEqual(before)
  })

  test('a website reads and changes nothing by a form without Origin and fetch metadata', async () => {
    const before = await target.seen()
    for (const type of [plain, form, { 'Content-Type': 'multipart/form-data; boundary=x' }])
      for (const route of target.routes.filter(({ method }) => method === 'POST')) {
        const answer = await target.send({ body: '{}', ...route }, type)
        expect([route.name, answer.status]).toEqual([route.name, 400])
        expect(answer.text).toContain('Content-Type')
      }
    expect(await target.seen()).toEqual(before)
  })
})

function expectRefusal({ headers, text }: RawAnswer, method: string | undefined): void {
  if (method !== 'HEAD') expect(JSON.parse(text)).toEqual({ error: true, message: expect.any(String) })
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
}

describe('the whole sandbox serves only localhost names', () => {
  const addresses = ({ urls }: Sandbox): string[] => [
    `${urls.baseUrl}/_sandbox/openapi.json`,
    `${urls.baseUrl}/api/widget/order_history`,
    `${urls.baseUrl}/nothing`,
    `${urls.widgetUrl}/widget`,
    `${urls.widgetUrl}/widget/`,
    `${urls.widgetUrl}/widget/api/checkouts/x`,
    `${urls.widgetUrl}/nothing`,
  ]

  test('a foreign Host is refused with one sentence', async ({ sandbox }) => {
    for (const address of addresses(sandbox))
      for (const Host of ['evil.example', '256.256.256.256', '1.2.3.4.5']) {
        const path = new URL(address).pathname
        const { status, text } = await rawRequest(address, { method: 'GET', path, headers: { Host } })
        expect([address, status]).toEqual([address, 403])
        expect(JSON.parse(text)).toEqual({
          error: true,
          message: expect.stringMatching(/^Host: must be .*localhost/),
        })
      }
  })

  test('an invalid, missing or duplicate Host is 400 or 403', async ({ sandbox }) => {
    for (const address of addresses(sandbox)) {
      const { host, pathname } = new URL(address)
      const get = `GET ${pathname} HTTP/1.1`
      const malformed = ['x:99999', 'localhost:-1', 'x:y', '[', '%', '', ' ', '[::1', `evil@${host}`].concat(
        ['/x', '#', ', x'].map((end) => host + end),
      )
      for (const head of [
        ...malformed.map((value) => [get, `Host: ${value}`]),
        [get],
        [`GET ${pathname} HTTP/1.0`],
        [get, `Host: ${host}`, 'Host: evil.example'],
        [get, 'Host: evil.example', `Host: ${host}`],
        [`GET http://evil.example${pathname} HTTP/1.1`, `Host: ${host}`],
        [`GET http://${host}${pathname} HTTP/1.1`, 'Host: evil.example'],
      ])
        expect([head, await statusOf(address, head)]).toEqual([
          head,
          expect.toSatisfy((status) => /40[03]/.test(status)),
        ])
    }
  })
})

describe('what may use the control plane', () => {
  const page = (host: string): OutgoingHttpHeaders => ({
    Host: host,
    Origin: `http://${host}`,
    ...metadata('same-origin', 'cors', 'empty'),
  })
  const port = (host: string): string | undefined => host.split(':')[1]
  const welcome: [name: string, headers: (host: string) => OutgoingHttpHeaders][] = [
    ['a program', () => ({})],
    ['fetch of Node', () => ({ 'Sec-Fetch-Mode': 'cors' })],
    ['the console', page],
    ['the console at localhost', (host) => page(`localhost:${port(host)}`)],
    ['the console at a name under localhost', (host) => page(`shop.localhost:${port(host)}`)],
    ['the console at 127.1.2.3', (host) => page(`127.1.2.3:${port(host)}`)],
    ['the console at [::1]', (host) => page(`[::1]:${port(host)}`)],
    ['a typed address', () => metadata('none', 'navigate', 'document')],
  ]

  test.for(welcome)('%s may use every address', async ([, headers], { target }) => {
    for (const route of target.routes) {
      const answer = await target.send(route, headers(target.host))
      const isServed = answer.status !== 403 && answer.status < 500
      expect(isServed, `${route.name}: ${answer.status} ${answer.text}`).toBe(true)
      expect(answer.headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    }
  })

  test('a program may send JSON with any parameter names', async ({ target }) => {
    const type = { 'Content-Type': 'application/json; profile="text/plain"' }
    const move = { name: 'moveClock', method: 'POST', path: '/_sandbox/clock', body: '{"advanceSeconds":1}' }
    expect((await target.send(move, type)).status).toBe(200)
  })

  test.for(['cross-site', 'same-site'])('a %s link may open the console', async (site, { target }) => {
    const console: Route = { name: 'console', method: 'GET', path: '/_sandbox/' }
    const link = { ...metadata(site, 'navigate', 'document'), 'Sec-Fetch-User': '?1' }
    const { status, headers } = await target.send(console, link)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
    })
  })
})

test('the widget page may be framed by any website', async ({ sandbox }) => {
  const { status, headers } = await rawRequest(sandbox.urls.widgetUrl, {
    method: 'GET',
    path: '/widget/?accessToken=x',
    headers: crossSite('navigate', 'iframe'),
  })
  expect(status).not.toBe(403)
  expect(headers['content-security-policy']).not.toContain('frame-ancestors')
  expect(headers).not.toHaveProperty('x-frame-options')
  expect(headers).not.toHaveProperty('cross-origin-resource-policy')
})

test('no other website reads the seven operations or the page’s own API', async ({ sandbox }) => {
  const { baseUrl, widgetUrl } = sandbox.urls
  for (const url of [`${baseUrl}/api/widget/order_history`, `${widgetUrl}/widget/api/checkouts/x`]) {
    const { headers } = await fetch(url, { headers: evil })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
  expect((await serviceOf(sandbox).createAccessToken()).status).toBe(200)
})
