// Promise: sandbox/faults
/** Each kind of fault on each operation, seen from outside. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { type FaultTarget, faultTargets } from '../src/simulation/faults.ts'
import { type Service, test, validUser } from './support/service.ts'

interface Seen {
  status?: number
  text?: string
  failed?: string
}

/** A valid request to each operation, as a plain fetch. */
async function requests(
  service: Service,
  urls: { baseUrl: string; widgetUrl: string },
): Promise<Record<FaultTarget, () => Promise<Response>>> {
  const accessToken = await service.token()
  const { apiKey: api_key, secretKey } = service
  const key = { 'api-key': api_key }
  const { id } = await service.buy({ product_id: 'club-monthly' })
  const get = (url: string) => (): Promise<Response> => fetch(url)
  const post =
    (url: string, body: object, headers = {}) =>
    (): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
  const api = `${urls.baseUrl}/api`
  const tokens = `${api}/widget/refresh/access_token`
  const transactions = `${api}/business/transactions`
  let created = 0
  const details = { api_key, email: 'shopper@example.com' }
  return {
    createAccessToken: post(tokens, {}, { ...key, 'secret-key': secretKey }),
    getTokenExpiry: get(`${tokens}/expire_date?accessToken=${accessToken}`),
    getOrderHistory: get(`${api}/widget/order_history?accessToken=${accessToken}`),
    getSubscription: post(`${transactions}/user_subscription`, { product_id: 'club-monthly' }, key),
    getTransaction: post(`${transactions}/data`, { order_id: id }, key),
    createWidgetUser: () =>
      post(
        `${api}/user/create_widget_user`,
        { api_key, ...validUser, email: `${++created}@example.com` },
        key,
      )(),
    fetchUserDetails: post(`${api}/user/fetch_user_details`, details),
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

/** The result within this time, or "nothing yet". */
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

test.for(faultTargets)(
  'each kind of fault has its documented effect on %s',
  async (operation, { service, sandbox }) => {
    const request = (await requests(service, sandbox.urls))[operation]

    await sandbox.faults.set({ operation, kind: 'status', status: 503, retryAfter: 7, count: 1 })
    const refused = await request()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7'])

    await sandbox.faults.set({ operation, kind: 'reset', count: 1 })
    expect(await see(request)).toEqual({ failed: 'ECONNRESET' })

    await sandbox.faults.set({ operation, kind: 'latency', latencyMs: 80, count: 1 })
    expect((await see(request)).status).toBeLessThan(300)
    const logged = await sandbox.requests.list()
    expect(logged.find((request) => request.operation === operation)?.ms).toBeGreaterThanOrEqual(79)

    await sandbox.faults.set({ operation, kind: 'malformed', count: 1 })
    const half = await see(request)
    expect(half.status).toBeLessThan(300)
    expect(half.text?.length).toBeGreaterThan(0)
    expect(operation === 'widgetPage' ? half.text?.includes('</html>') : isJson(half.text)).toBe(false)

    await sandbox.faults.set({ operation, kind: 'stall', count: 1 })
    const stalled = await request()
    expect(stalled.status).toBeLessThan(300)
    const reader = stalled.body?.getReader()
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
    expect(await within<unknown>(200, Promise.resolve(reader?.read()))).toBe('nothing yet')
  },
)

const failing = { operation: 'getTransaction', kind: 'status', status: 500 } as const
const statusesOf = async (service: Service, times: number): Promise<number[]> => {
  const statuses: number[] = []
  for (let sent = 0; sent < times; sent++)
    statuses.push((await service.getTransaction<unknown>({ order_id: 'x' })).status)
  return statuses
}

test('a counted fault affects that many requests, then the next one applies; the list shows what is left', async ({
  service,
  sandbox,
}) => {
  await sandbox.faults.set({ ...failing, count: 2 })
  await sandbox.faults.set({ ...failing, status: 502, count: 2 })
  expect(await statusesOf(service, 3)).toEqual([500, 500, 502])
  expect(await sandbox.faults.list()).toMatchObject([{ operation: 'getTransaction', status: 502, count: 1 }])
  expect(await statusesOf(service, 2)).toEqual([502, 404])
})

test('a timed fault ends when its time is over', async ({ service, sandbox }) => {
  await sandbox.faults.set({ ...failing, forMs: 2_000 })
  expect(await statusesOf(service, 1)).toEqual([500])
  await expect.poll(() => statusesOf(service, 1)).toEqual([404])
})

test('a fault without count or time stays until it is removed, alone or with all others', async ({
  service,
  sandbox,
}) => {
  const { id } = await sandbox.faults.set(failing)
  expect(await statusesOf(service, 3)).toEqual([500, 500, 500])
  await sandbox.faults.remove(id)
  expect(await statusesOf(service, 1)).toEqual([404])
  await sandbox.faults.set(failing)
  await sandbox.faults.clear()
  expect(await statusesOf(service, 1)).toEqual([404])
  expect((await service.control('faults/99', undefined, 'DELETE')).status).toBe(404)
})

test('* means the seven operations, not the page', async ({ service, sandbox }) => {
  const all = await requests(service, sandbox.urls)
  await sandbox.faults.set({ ...failing, operation: '*' })
  for (const [operation, request] of Object.entries(all))
    expect([operation, (await request()).status < 300]).toEqual([operation, operation.startsWith('widget')])
})

test.for([
  ['reset: no', { kind: 'reset' }, 0],
  ['reset with takesEffect: yes', { kind: 'reset', takesEffect: true }, 1],
  ['status: no', { kind: 'status', status: 500 }, 0],
  ['status with takesEffect: yes', { kind: 'status', status: 500, takesEffect: true }, 1],
  ['stall: yes', { kind: 'stall' }, 1],
  ['malformed: yes', { kind: 'malformed' }, 1],
] as const)(
  'whether an operation took effect before its answer was lost, by %s',
  async ([, fault, created], { service, sandbox }) => {
    const { createWidgetUser } = await requests(service, sandbox.urls)
    const { length } = await sandbox.users()
    await sandbox.faults.set({ operation: 'createWidgetUser', ...fault, count: 1 })
    await within(500, see(createWidgetUser))
    expect(await sandbox.users()).toHaveLength(length + created)
  },
)

test('a status that allows no body, such as 204, has none', async ({ sandbox }) => {
  await sandbox.faults.set({ operation: 'widgetPage', kind: 'status', status: 204 })
  const response = await fetch(`${sandbox.urls.widgetUrl}/widget/`)
  expect([response.status, await response.text()]).toEqual([204, ''])
})

test('a request whose connection was cut is logged without a status', async ({ service, sandbox }) => {
  const { getOrderHistory } = await requests(service, sandbox.urls)
  await sandbox.faults.set({ operation: 'getOrderHistory', kind: 'reset', count: 1 })
  await see(getOrderHistory)
  const [newest] = await sandbox.requests.list()
  expect(newest).toMatchObject({ operation: 'getOrderHistory', status: null })
})

test('a sandbox closes while answers are stalled or late', async ({ service, sandbox, start }) => {
  const { getOrderHistory, getTokenExpiry } = await requests(service, sandbox.urls)
  await sandbox.requests.clear()
  await sandbox.faults.set({ operation: 'getOrderHistory', kind: 'stall' })
  await sandbox.faults.set({ operation: 'getTokenExpiry', kind: 'latency', latencyMs: 600_000 })
  const waiting = [see(getOrderHistory), see(getTokenExpiry)]
  await expect.poll(async () => (await sandbox.requests.list()).length).toBeGreaterThan(0)
  await sandbox.close()
  await Promise.all(waiting)
  await start({ port: Number(new URL(sandbox.urls.baseUrl).port) })
})
