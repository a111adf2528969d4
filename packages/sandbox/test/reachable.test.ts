// Promise: sandbox/reachable
/** A sandbox that others reach: another machine, a container, a proxy with TLS. */
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import type { ConsoleState } from '../src/console/protocol.ts'
import { createSandbox } from '../src/index.ts'
import { type RawAnswer, rawRequest } from './support/rawRequest.ts'
import { serviceOf } from './support/service.ts'

const publicly = {
  apiPublicUrl: 'https://api.sandbox.example',
  widgetPublicUrl: 'https://widget.sandbox.example/',
}

test('public addresses are the ones that it names, and their hosts are served', async () => {
  const port = await freePort()
  const sandbox = await createSandbox({ ...publicly, port })
  expect(sandbox.urls).toEqual({
    widgetUrl: 'https://widget.sandbox.example',
    widgetApiUrl: 'https://api.sandbox.example',
    baseUrl: 'https://api.sandbox.example',
    controlUrl: 'https://api.sandbox.example/_sandbox',
  })
  const statusFor = async (host: string, headers = {}): Promise<number> =>
    (await readClock(`http://127.0.0.1:${port}`, { host, ...headers })).status
  expect(await statusFor('api.sandbox.example')).toBe(200)
  expect(await statusFor('api.sandbox.example', { origin: 'https://api.sandbox.example' })).toBe(200)
  expect(await statusFor('api.sandbox.example', { origin: 'https://widget.sandbox.example' })).toBe(403)
  expect(await statusFor('evil.example')).toBe(403)
  expect(await statusFor('evil.example', { origin: 'https://api.sandbox.example' })).toBe(403)
  await sandbox.close()
})

test('on every address of the machine it names the loopback one, and refuses other names still', async () => {
  const sandbox = await createSandbox({ host: '0.0.0.0' })
  expect(sandbox.urls.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const answer = await readClock(sandbox.urls.baseUrl, { host: 'evil.example' })
  expect(answer.status).toBe(403)
  await sandbox.close()
})

test.for([
  [
    '192.0.2.2:4713',
    /\. To serve 192\.0\.2\.2, start it with --host 192\.0\.2\.2, or with --widget-public-url and --api-public-url/,
  ],
  ['[fd00::2]:4713', /\. To serve \[fd00::2\], start it with --host fd00::2, or with --widget-public-url /],
  ['laptop.local', /\. To serve laptop\.local, start it with --widget-public-url and --api-public-url/],
  ['0.0.0.0', /\[::1\]\.$/],
  ['[::]:4713', /\[::1\]\.$/],
] as const)('a Host of %s is refused with what lets it in', async ([host, remedy]) => {
  const sandbox = await createSandbox({ host: '0.0.0.0' })
  for (const [url, path] of [
    [sandbox.urls.baseUrl, '/_sandbox/clock'],
    [sandbox.urls.widgetUrl, '/widget/'],
  ] as const) {
    const { status, text } = await rawRequest(url, { method: 'GET', path, headers: { host } })
    expect([status, JSON.parse(text)]).toEqual([403, { error: true, message: expect.stringMatching(remedy) }])
  }
  await sandbox.close()
})

test('a Host that is none, beside an address in the request line, is refused without a remedy', async () => {
  const sandbox = await createSandbox()
  const path = `${sandbox.urls.controlUrl}/clock`
  const { status, text } = await rawRequest(path, { method: 'GET', path, headers: { host: 'x:y' } })
  expect([status, JSON.parse(text)]).toEqual([
    403,
    { error: true, message: expect.stringMatching(/\[::1\]\.$/) },
  ])
  await sandbox.close()
})

const own = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test.runIf(own)('on an address of the machine it names that one and serves it', async () => {
  const sandbox = await createSandbox({ host: own })
  expect(new URL(sandbox.urls.widgetUrl).hostname).toBe(own)
  expect((await fetch(`${sandbox.urls.widgetUrl}/widget/`)).status).toBe(200)
  expect((await fetch(`${sandbox.urls.controlUrl}/clock`)).status).toBe(200)
  await sandbox.close()
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

test('a seed is there at the start and after a reset, and its webhooks hear of nothing before', async () => {
  const sandbox = await createSandbox({
    seed: {
      users: [{ email: 'grace@example.com', fullKyc: true }],
      purchases: [
        { email: 'grace@example.com', params: { product_id: 'btc', quote_amount: '900.00' } },
        { email: 'ada@example.com', card_number: '4000 0000 0000 4004' },
      ],
      switches: { paymentMs: 500, refreshInvalidates: true },
      webhooks: ['http://127.0.0.1:9/'],
    },
  })
  const { control } = serviceOf(sandbox)
  const seen = async () => {
    const { body } = await control<ConsoleState>('state', undefined, 'GET')
    const { orders, webhooks, switches } = body
    return {
      orders: orders.map(({ type, email }) => [type, email]),
      targets: webhooks.targets.length,
      deliveries: webhooks.deliveries.length,
      refreshInvalidates: switches.find(({ name }) => name === 'refreshInvalidates')?.value,
    }
  }
  const planted = {
    orders: [
      ['order_failed', 'ada@example.com'],
      ['order_complete', 'grace@example.com'],
    ],
    targets: 1,
    deliveries: 0,
    refreshInvalidates: true,
  }
  expect(await seen()).toEqual(planted)
  sandbox.reset()
  expect(await seen()).toEqual(planted)
  await sandbox.close()
})

const readClock = (url: string, headers: Record<string, string>): Promise<RawAnswer> =>
  rawRequest(url, { method: 'GET', path: '/_sandbox/clock', headers })

async function freePort(): Promise<number> {
  const sandbox = await createSandbox()
  const { port } = new URL(sandbox.urls.baseUrl)
  await sandbox.close()
  return Number(port)
}
