/** What the log of requests keeps: little of each, whatever arrives. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test as plainTest } from 'vitest'
import type { ConsoleRequest } from '../src/console/protocol.ts'
import { createRequestLog } from '../src/simulation/requestLog.ts'
import { type Service, test, validUser } from './support/service.ts'

const newest = async (service: Service): Promise<ConsoleRequest | undefined> =>
  (await service.control<ConsoleRequest[]>('requests', undefined, 'GET')).body[0]

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
