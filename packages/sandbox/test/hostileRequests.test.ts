// Promise: sandbox/hostile-requests
/** Hostile requests: no 500 response, and time and memory grow no faster than the requests. */
import { expect } from 'vitest'
import { controlOperations } from '../src/http/operations.ts'
import { statusOf } from './support/http.ts'
import { test } from './support/service.ts'

const arrays = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.for([
  ['arrays', arrays],
  ['objects', objects],
] as const)('%s nested too deeply are refused at every address', async ([, nested], { service, sandbox }) => {
  const { baseUrl, controlUrl, widgetUrl } = sandbox.urls
  for (const levels of [201, 2000, 100_000])
    for (const [method, url, text] of [
      ['POST', `${controlUrl}/webhooks/forge`, `{"payload":${nested(levels)}}`],
      ['PATCH', `${controlUrl}/switches`, nested(levels)],
      ['POST', `${baseUrl}/api/business/transactions/data`, nested(levels)],
      ['POST', `${widgetUrl}/widget/api/checkouts`, `{"accessToken":${nested(levels)}}`],
    ] as const) {
      const headers = { 'api-key': service.apiKey }
      const { status, body } = await service.send(method, url, { text, headers, unchecked: true })
      expect([url, status, body]).toEqual([url, 400, expect.stringContaining('200 levels deep')])
    }
})

test('a less deeply nested body is forged unchanged, including brackets in strings', async ({ service }) => {
  await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
  const payload = { deep: JSON.parse(arrays(150)), text: '['.repeat(1000), quote: '\\"[' }
  const { status, body } = await service.control<{ payload: unknown }[]>('webhooks/forge', { payload })
  expect([status, body[0]?.payload]).toEqual([202, payload])
})

test('a body that never ends its string takes no longer than its length', async ({ service, sandbox }) => {
  const text = `{"a":"${'\\"'.repeat(400_000)}`
  // CPU time: on a busy machine a test may wait longer than that.
  const started = process.cpuUsage()
  const { status } = await service.send('PATCH', `${sandbox.urls.controlUrl}/switches`, {
    text,
    unchecked: true,
  })
  expect(status).toBe(400)
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000)
})

test('a body of more than a megabyte is refused, even without a Content-Length', async ({
  service,
  sandbox,
}) => {
  const text = JSON.stringify({ payload: 'x'.repeat(1_000_000) })
  const url = `${sandbox.urls.controlUrl}/webhooks/forge`
  expect((await service.send('POST', url, { text, unchecked: true })).status).toBe(413)
  const streamed: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: new Blob([text]).stream(),
    duplex: 'half',
  }
  expect((await fetch(url, streamed)).status).toBe(413)
})

test('a body that is too large is refused even where none is expected', async ({ service, sandbox }) => {
  const { id } = await service.buy()
  const bodiless = controlOperations.filter(({ method, body }) => method !== 'get' && !body)
  expect(bodiless.map(({ name }) => name)).toContain('reset')
  for (const { name, method, path } of bodiless) {
    const url = `${sandbox.urls.baseUrl}${path.replace(':id', '1')}`
    const { status } = await service.send(method.toUpperCase(), url, {
      text: 'x'.repeat(1_000_001),
      unchecked: true,
    })
    expect([name, status]).toEqual([name, 413])
  }
  expect(await service.read('orders')).toMatchObject([{ id }])
  expect((await service.send('POST', `${sandbox.urls.controlUrl}/reset`)).status).toBe(200)
})

test.for(['//', '/%', '/_sandbox/assets/%00', '/widget/assets/..%2f..%2f', '*', 'http://'])(
  'a path of %s gets a status below 500',
  async (path, { sandbox }) => {
    for (const url of [sandbox.urls.baseUrl, sandbox.urls.widgetUrl])
      expect(await statusOf(url, [`GET ${path} HTTP/1.1`, 'Host: localhost'])).toBeLessThan(500)
  },
)
