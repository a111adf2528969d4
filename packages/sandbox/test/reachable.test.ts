// Promise: sandbox/reachable
/** A sandbox that is reachable from outside: from another machine, in a container, behind a TLS proxy. */
import { networkInterfaces } from 'node:os'
import { expect } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { type RawAnswer, rawRequest } from './support/http.ts'
import { test } from './support/service.ts'

const readClock = (url: string, headers: Record<string, string>): Promise<RawAnswer> =>
  rawRequest(url, { method: 'GET', path: '/_sandbox/clock', headers })

test('the sandbox reports its public addresses, and serves their hosts', async ({ start }) => {
  const closed = await start()
  await closed.close()
  const port = Number(new URL(closed.urls.baseUrl).port)
  const { urls } = await start({
    apiPublicUrl: 'https://api.sandbox.example',
    widgetPublicUrl: 'https://widget.sandbox.example/',
    port,
  })
  expect(urls).toEqual({
    widgetUrl: 'https://widget.sandbox.example',
    widgetApiUrl: 'https://api.sandbox.example',
    baseUrl: 'https://api.sandbox.example',
    controlUrl: 'https://api.sandbox.example/_sandbox',
  })
  for (const [headers, status] of [
    [{ host: 'api.sandbox.example' }, 200],
    [{ host: 'api.sandbox.example', origin: 'https://api.sandbox.example' }, 200],
    [{ host: 'api.sandbox.example', origin: 'https://widget.sandbox.example' }, 403],
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example', origin: 'https://api.sandbox.example' }, 403],
  ] as [Record<string, string>, number][])
    expect((await readClock(`http://127.0.0.1:${port}`, headers)).status, JSON.stringify(headers)).toBe(
      status,
    )
})

test.for([
  ['evil.example', /localhost/],
  [
    '192.0.2.2:4713',
    /\. To serve 192\.0\.2\.2, start it with --host 192\.0\.2\.2, or with --widget-public-url and --api-public-url/,
  ],
  ['[fd00::2]:4713', /\. To serve \[fd00::2\], start it with --host fd00::2, or with --widget-public-url /],
  ['laptop.local', /\. To serve laptop\.local, start it with --widget-public-url and --api-public-url/],
  ['0.0.0.0', /\[::1\]\.$/],
  ['[::]:4713', /\[::1\]\.$/],
] as const)(
  'on every address of the machine, a Host of %s is refused with what lets it in',
  async ([host, remedy], { start }) => {
    const { urls } = await start({ host: '0.0.0.0' })
    expect(urls.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const [url, path] of [
      [urls.baseUrl, '/_sandbox/clock'],
      [urls.widgetUrl, '/widget/'],
    ] as const) {
      const { status, text } = await rawRequest(url, { method: 'GET', path, headers: { host } })
      expect(status).toBe(403)
      expect(JSON.parse(text)).toEqual({ error: true, message: expect.stringMatching(remedy) })
    }
  },
)

test('an invalid Host next to an absolute URL in the request line is refused without a remedy', async ({
  sandbox,
}) => {
  const path = `${sandbox.urls.controlUrl}/clock`
  const { status, text } = await rawRequest(path, { method: 'GET', path, headers: { host: 'x:y' } })
  expect(status).toBe(403)
  expect(JSON.parse(text)).toEqual({ error: true, message: expect.stringMatching(/\[::1\]\.$/) })
})

const own = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test.runIf(own)('on an address of the machine, the sandbox reports and serves it', async ({ start }) => {
  const { urls } = await start({ host: own })
  expect(new URL(urls.widgetUrl).hostname).toBe(own)
  expect((await fetch(`${urls.widgetUrl}/widget/`)).status).toBe(200)
  expect((await fetch(`${urls.controlUrl}/clock`)).status).toBe(200)
})

test.for([
  'sandbox.example',
  'https://sandbox.example/path',
  'javascript:alert(1)',
  'https://me@sandbox.example',
])('%s is no public address', async (apiPublicUrl) => {
  await expect(createSandbox({ apiPublicUrl })).rejects.toThrow(
    'apiPublicUrl: must be an http or https address',
  )
})
