// Promise: sandbox/control
/** The requests that arrived: masked, and little of each, whatever arrives. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test as plainTest } from 'vitest'
import type { ConsoleRequest } from '../src/console/protocol.ts'
import { createRequestLog } from '../src/simulation/requestLog.ts'
import { must, type Service, test, validUser } from './support/service.ts'

describe('the requests that arrived', () => {
  test('are listed newest first, with secrets masked wherever they stand', async ({ service }) => {
    const accessToken = await service.token()
    await service.getOrderHistory({ accessToken, custom_id: 'c-1' })
    await service.createWidgetUser()
    await must(service.pay(await service.openCheckout({}, accessToken)))
    const body = await service.read<Record<string, unknown>[]>('requests')
    expect(body.map(({ operation }) => operation)).toEqual([
      'widgetApi',
      'widgetApi',
      'createWidgetUser',
      'getOrderHistory',
      'createAccessToken',
    ])
    expect(body[3]).toMatchObject({
      method: 'GET',
      path: '/api/widget/order_history',
      query: { custom_id: 'c-1', accessToken: expect.stringMatching(/^\*{3}/) },
      status: 200,
      body: null,
    })
    expect(body[2]).toMatchObject({
      body: { email: validUser.email },
      headers: { 'content-type': 'application/json' },
    })
    const seen = JSON.stringify(body)
    for (const secret of [accessToken, service.apiKey, service.secretKey, '4242 4242'])
      expect(seen).not.toContain(secret)
  })

  test('keep no token of a Referer', async ({ service, sandbox }) => {
    await fetch(`${sandbox.urls.widgetUrl}/widget/`, {
      headers: { Referer: 'https://shop.example/page?accessToken=canary' },
    })
    const body = await service.read<{ headers: { referer: string } }[]>('requests')
    expect(body[0]?.headers.referer).toBe('https://shop.example/page?***')
  })

  test('can be forgotten', async ({ service }) => {
    await service.token()
    await service.set('requests', undefined, 'DELETE')
    expect(await service.read('requests')).toEqual([])
  })
})

const newest = async (service: Service): Promise<ConsoleRequest | undefined> =>
  (await service.read<ConsoleRequest[]>('requests'))[0]

describe('of each request', () => {
  test('a body of more than 16,000 characters is kept as its size', async ({ service }) => {
    const small = { ...validUser, first_name: 'x'.repeat(15_000) }
    const large = { ...validUser, first_name: 'x'.repeat(16_000) }
    await service.createWidgetUser<unknown>(small)
    expect((await newest(service))?.body).toEqual(small)
    await service.createWidgetUser<unknown>(large)
    expect((await newest(service))?.body).toBe(`${JSON.stringify(large).length} characters of JSON, not kept`)
  })

  test('long headers, parameters and paths are cut', async ({ service, sandbox }) => {
    const long = 'x'.repeat(4000)
    await service.send('GET', `${sandbox.urls.baseUrl}/${long}?custom_id=${long}`, {
      headers: { 'X-Long': long, 'X-Short': 'short' },
    })
    const { path, query, headers } = (await newest(service)) ?? {}
    const cut = `${'x'.repeat(1000)}… 4000 characters`
    expect(path).toBe(`/${'x'.repeat(999)}… 4001 characters`)
    expect(query).toEqual({ custom_id: cut })
    expect(headers).toMatchObject({ 'x-long': cut, 'x-short': 'short' })
  })

  test('a body of many levels is kept down to the 32nd', async ({ service, sandbox }) => {
    for (const levels of [33, 100, 199]) {
      const text = `{"api_key":"a secret of the merchant","nested":${'['.repeat(levels)}${']'.repeat(levels)}}`
      const { status } = await service.send('POST', `${sandbox.urls.baseUrl}/api/user/create_widget_user`, {
        text,
        headers: { 'api-key': service.apiKey },
      })
      expect(status).toBe(401)
      const kept = JSON.stringify((await newest(service))?.body)
      expect(kept).toBe(`{"api_key":"***hant","nested":${'['.repeat(31)}"…"${']'.repeat(31)}}`)
    }
  })
})

plainTest('a thousand requests are kept, however large they were, in less than 64 MB', () => {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  const heap = (): number => {
    gc()
    return process.memoryUsage().heapUsed
  }
  const log = createRequestLog()
  const before = heap()
  for (let index = 0; index < 1500; index++) {
    const large = String(index).padEnd(200_000, 'x')
    log.add({
      at: '',
      operation: null,
      method: 'GET',
      path: large,
      query: { large },
      headers: { large },
      response: null,
      body: index % 2 ? { large } : Array.from({ length: 1900 }, () => ({ a: {} })),
      status: 404,
      ms: 0,
    })
  }
  expect(heap() - before).toBeLessThan(64_000_000)
  expect(log.list()).toHaveLength(1000)
  expect(
    log
      .list()
      .map(({ id }) => id)
      .slice(0, 2),
  ).toEqual([1500, 1499])
})
