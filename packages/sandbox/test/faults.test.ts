// Promise: sandbox/faults
/** Each kind of fault on each operation, seen from outside. */
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { FaultTarget } from '../src/simulation/faults.ts'
import { type Service, test, validUser } from './support/service.ts'

const order = async (service: Service, operation: FaultTarget | '*', kind: object): Promise<{ id: number }> =>
  service.set<{ id: number }>('faults', { operation, ...kind })

interface Seen {
  status?: number
  text?: string
  failed?: string
}

/** A good request of each operation, as a plain fetch. */
async function requests(
  service: Service,
  urls: { baseUrl: string; widgetUrl: string },
): Promise<Record<FaultTarget, () => Promise<Response>>> {
  const accessToken = await service.token()
  const { id } = await service.buy({ product_id: 'club-monthly' })
  const post =
    (path: string, body: object, headers = {}) =>
    (): Promise<Response> =>
      fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
  const get = (url: string) => (): Promise<Response> => fetch(url)
  const key = { 'api-key': service.apiKey }
  const api = `${urls.baseUrl}/api`
  return {
    createAccessToken: post(
      `${api}/widget/refresh/access_token`,
      {},
      { ...key, 'secret-key': service.secretKey },
    ),
    getTokenExpiry: get(`${api}/widget/refresh/access_token/expire_date?accessToken=${accessToken}`),
    getOrderHistory: get(`${api}/widget/order_history?accessToken=${accessToken}`),
    getSubscription: post(
      `${api}/business/transactions/user_subscription`,
      { product_id: 'club-monthly' },
      key,
    ),
    getTransaction: post(`${api}/business/transactions/data`, { order_id: id }, key),
    createWidgetUser: post(`${api}/user/create_widget_user`, { api_key: service.apiKey, ...validUser }, key),
    fetchUserDetails: post(`${api}/user/fetch_user_details`, {
      api_key: service.apiKey,
      email: 'shopper@example.com',
    }),
    widgetPage: get(`${urls.widgetUrl}/widget/`),
    widgetApi: post(`${urls.widgetUrl}/widget/api/checkouts`, { accessToken, params: {} }),
  }
}

async function see(request: () => Promise<Response>): Promise<Seen> {
  try {
    const response = await request()
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { failed: cause instanceof Error ? ((cause as { code?: string }).code ?? cause.name) : 'unknown' }
  }
}

/** What came of it so far. */
const within = <Result>(milliseconds: number, result: Promise<Result>): Promise<Result | 'nothing yet'> =>
  Promise.race([result, delay(milliseconds, 'nothing yet' as const)])

const isJson = (text: string | undefined): boolean => {
  try {
    JSON.parse(text ?? '')
    return true
  } catch {
    return false
  }
}

const operations: FaultTarget[] = [
  'createAccessToken',
  'getTokenExpiry',
  'getOrderHistory',
  'getSubscription',
  'getTransaction',
  'createWidgetUser',
  'fetchUserDetails',
  'widgetPage',
  'widgetApi',
]

describe.each(operations)('faults of %s', (operation) => {
  test('status: the answer has that status and Retry-After', async ({ service, sandbox }) => {
    const request = (await requests(service, sandbox.urls))[operation]
    await order(service, operation, { kind: 'status', status: 503, retryAfter: 7, count: 1 })
    const response = await request()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7'])
    expect((await request()).status).toBeLessThan(300)
  })

  test('reset: the connection is cut without an answer', async ({ service, sandbox }) => {
    const request = (await requests(service, sandbox.urls))[operation]
    await order(service, operation, { kind: 'reset', count: 1 })
    expect(await see(request)).toEqual({ failed: 'ECONNRESET' })
    expect((await see(request)).status).toBeLessThan(300)
  })

  test('stall: headers and half a body arrive, and then nothing', async ({ service, sandbox }) => {
    const request = (await requests(service, sandbox.urls))[operation]
    await order(service, operation, { kind: 'stall', count: 1 })
    const response = await request()
    expect(response.status).toBeLessThan(300)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    expect(await within<unknown>(200, Promise.resolve(reader?.read()))).toBe('nothing yet')
  })

  test('malformed: half a body arrives as if it were all', async ({ service, sandbox }) => {
    const all = await requests(service, sandbox.urls)
    await order(service, operation, { kind: 'malformed', count: 1 })
    const seen = await see(all[operation])
    expect(seen.status).toBeLessThan(300)
    expect(seen.text?.length).toBeGreaterThan(0)
    expect(operation === 'widgetPage' ? seen.text?.includes('</html>') : isJson(seen.text)).toBe(false)
  })

  test('latency: the answer comes later than asked, and whole', async ({ service, sandbox }) => {
    const request = (await requests(service, sandbox.urls))[operation]
    await order(service, operation, { kind: 'latency', latencyMs: 80, count: 1 })
    const seen = await see(request)
    expect(seen.status).toBeLessThan(300)
    const body = await service.read<{ operation: string; ms: number }[]>('requests')
    expect(body.find((logged) => logged.operation === operation)?.ms).toBeGreaterThanOrEqual(79)
  })
})

describe('how long a fault lasts', () => {
  const failing = { kind: 'status', status: 500 }
  const statusesOf = async (service: Service, times: number): Promise<number[]> => {
    const statuses: number[] = []
    for (let sent = 0; sent < times; sent++)
      statuses.push((await service.getTransaction<unknown>({ order_id: 'x' })).status)
    return statuses
  }

  test('a counted fault meets that many requests', async ({ service }) => {
    await order(service, 'getTransaction', { ...failing, count: 2 })
    expect(await statusesOf(service, 4)).toEqual([500, 500, 404, 404])
  })

  test('a fault for a time is over after it', async ({ service }) => {
    await order(service, 'getTransaction', { ...failing, forMs: 2_000 })
    expect(await statusesOf(service, 1)).toEqual([500])
    await expect.poll(() => statusesOf(service, 1), { timeout: 10_000 }).toEqual([404])
  })

  test('a fault without either stays until it is taken back, alone or with all others', async ({
    service,
  }) => {
    const { id } = await order(service, 'getTransaction', failing)
    expect(await statusesOf(service, 3)).toEqual([500, 500, 500])
    await service.set(`faults/${id}`, undefined, 'DELETE')
    expect(await statusesOf(service, 1)).toEqual([404])
    await order(service, 'getTransaction', failing)
    await service.set('faults', undefined, 'DELETE')
    expect(await statusesOf(service, 1)).toEqual([404])
    expect((await service.control('faults/99', undefined, 'DELETE')).status).toBe(404)
  })

  test('faults of one operation come one after the other, and are listed with what is left', async ({
    service,
  }) => {
    await order(service, 'getTransaction', { ...failing, count: 1 })
    await order(service, 'getTransaction', { kind: 'status', status: 502, count: 2 })
    expect(await statusesOf(service, 2)).toEqual([500, 502])
    const body = await service.read<unknown>('faults')
    expect(body).toEqual([expect.objectContaining({ operation: 'getTransaction', status: 502, count: 1 })])
  })

  test('* means the seven operations, not the page', async ({ service, sandbox }) => {
    await order(service, '*', failing)
    const all = await Promise.all(
      (await requestsWithoutToken(sandbox.urls)).map(async (request) => (await request()).status),
    )
    expect(all).toEqual([500, 500, 200])
  })

  const requestsWithoutToken = async (urls: {
    baseUrl: string
    widgetUrl: string
  }): Promise<(() => Promise<Response>)[]> => [
    () => fetch(`${urls.baseUrl}/api/widget/order_history`),
    () => fetch(`${urls.baseUrl}/api/user/fetch_user_details`, { method: 'POST' }),
    () => fetch(`${urls.widgetUrl}/widget/`),
  ]
})

describe('whether an operation took effect before its answer was lost', () => {
  const lost: [title: string, kind: object, users: number][] = [
    ['reset: no', { kind: 'reset' }, 0],
    ['reset with takesEffect: yes', { kind: 'reset', takesEffect: true }, 1],
    ['status: no', { kind: 'status', status: 500 }, 0],
    ['status with takesEffect: yes', { kind: 'status', status: 500, takesEffect: true }, 1],
    ['stall: yes', { kind: 'stall' }, 1],
    ['malformed: yes', { kind: 'malformed' }, 1],
  ]
  for (const [title, kind, users] of lost)
    test(title, async ({ service, sandbox }) => {
      const { createWidgetUser } = await requests(service, sandbox.urls)
      await order(service, 'createWidgetUser', { ...kind, count: 1 })
      await within(500, see(createWidgetUser))
      const found = async (): Promise<number> =>
        (await service.fetchUserDetails({ api_key: service.apiKey, email: validUser.email })).status
      await expect.poll(found).toBe(users === 1 ? 200 : 404)
    })
})

test('a status without a body, as 204, has none', async ({ service, sandbox }) => {
  await order(service, 'widgetPage', { kind: 'status', status: 204 })
  const response = await fetch(`${sandbox.urls.widgetUrl}/widget/`)
  expect([response.status, await response.text()]).toEqual([204, ''])
})

test('a request that was cut is in the log without a status', async ({ service, sandbox }) => {
  const { getOrderHistory } = await requests(service, sandbox.urls)
  await order(service, 'getOrderHistory', { kind: 'reset', count: 1 })
  await see(getOrderHistory)
  const body = await service.read<{ operation: string; status: number | null }[]>('requests')
  expect(body[0]).toMatchObject({ operation: 'getOrderHistory', status: null })
})

test('a sandbox closes while answers are stalled or late', async ({ service, sandbox }) => {
  const { getOrderHistory, getTokenExpiry } = await requests(service, sandbox.urls)
  await order(service, 'getOrderHistory', { kind: 'stall' })
  await order(service, 'getTokenExpiry', { kind: 'latency', latencyMs: 600_000 })
  const waiting = [see(getOrderHistory), see(getTokenExpiry)]
  await expect.poll(async () => (await service.read<unknown[]>('requests')).length).toBeGreaterThan(1)
  await sandbox.close()
  await Promise.all(waiting)
  const port = Number(new URL(sandbox.urls.baseUrl).port)
  const free = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve, reject) => free.once('listening', resolve).once('error', reject))
  free.close()
})
