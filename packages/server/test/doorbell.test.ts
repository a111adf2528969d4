/** Whoever rings, however often: `onOrder` hears of each state of an order once, as the service tells it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Companion, type CompanionOptions, memoryStore, type Order } from '../src/index.ts'
import { companionOf, get, mount } from './support/companion.ts'
import { declinedCard, type Service, startService } from './support/service.ts'

let service: Service
let companions: Companion[] = []

beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterEach(() => {
  for (const companion of companions) companion.close()
  companions = []
})
afterAll(() => service.close())

function open(onOrder: (order: Order) => void, options: Partial<CompanionOptions> = {}): Companion {
  const companion = companionOf(service.client(), {
    store: memoryStore(),
    onOrder,
    onError: () => {},
    ...options,
  })
  companions.push(companion)
  return companion
}

const ring = (companion: Companion, body: unknown, type = 'application/json'): Promise<Response> =>
  companion.fetch(
    new Request(`${mount}/webhook`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': type },
    }),
  )

/** Waits as long as a busy machine may need. */
const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 })

const buy = (): Promise<Order> => service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })

test('a webhook is answered at once and leads to the order as the service has it', async () => {
  const onOrder = vi.fn()
  const order = await buy()
  const response = await ring(open(onOrder), {
    order_id: order.id,
    type: 'order_failed',
    quote_amount: '1000000',
  })
  expect(response.status).toBe(202)
  await soon(() => expect(onOrder).toHaveBeenCalledOnce())
  expect(onOrder.mock.calls[0]?.[0]).toMatchObject({
    id: order.id,
    type: 'order_complete',
    quote_amount: order.quote_amount,
  })
})

describe('finds the order in a webhook of', () => {
  test.each(['nested', 'flat', 'record'])(
    'the sandbox’s shape %s, sent by the sandbox',
    async (webhookPayload) => {
      const { listen } = await import('./support/http.ts')
      const { toNodeHandler } = await import('../src/index.ts')
      const onOrder = vi.fn()
      const server = await listen(toNodeHandler(open(onOrder)))
      await service.control('PATCH', '/switches', { webhookPayload, webhookDelivery: 'twice' })
      await service.control('POST', '/webhooks', { url: `${server.url}/webhook` })
      const { id } = await buy()
      await soon(() => expect(onOrder.mock.calls.map(([order]) => order.id)).toContain(id))
      const states = onOrder.mock.calls.map(([order]) => `${order.id} ${order.type}`)
      expect(states).toHaveLength(new Set(states).size)
      await server.close()
    },
  )

  test.each<[string, (id: string) => string, string?]>([
    ['a form', (id) => `event=x&order_id=${id}`, 'application/x-www-form-urlencoded'],
    ['camel case', (id) => JSON.stringify({ orderId: id })],
    ['a list', (id) => JSON.stringify([{ a: 1 }, { data: { order_id: id } }])],
    [
      'an event with an id of its own',
      (id) => JSON.stringify({ id: 'evt', type: 'x', data: { object: { order_id: id } } }),
    ],
    ['JSON without a content type', (id) => JSON.stringify({ order_id: id }), 'text/plain'],
    ['only a custom id', () => JSON.stringify({ custom_id: 'shopper-1' })],
  ])('%s', async (_, payload, type) => {
    const onOrder = vi.fn()
    const { id } = await buy()
    await ring(open(onOrder), payload(id), type)
    await soon(() => expect(onOrder.mock.calls.map(([order]) => order.id)).toEqual([id]))
  })
})

test.each([
  ['nothing', ''],
  ['no object', '42'],
  ['no id', '{"a":{"b":{"c":1}}}'],
  ['an unknown order', '{"order_id":"unknown"}'],
  ['very deep nesting', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
])('a webhook with %s is acknowledged and changes nothing', async (_, body) => {
  const onOrder = vi.fn()
  const response = await ring(open(onOrder), body)
  expect(response.status).toBe(202)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(onOrder).not.toHaveBeenCalled()
})

test('a webhook that is too large is refused', async () => {
  expect((await ring(open(vi.fn()), 'x'.repeat(70_000))).status).toBe(413)
})

test('webhook, return and poll lead to one call for each state', async () => {
  const onOrder = vi.fn()
  const companion = open(onOrder)
  const { id } = await buy()
  await Promise.all([
    ...Array.from({ length: 5 }, () => ring(companion, { order_id: id })),
    companion.fetch(get(`/orders/${id}`, 'shopper-1')),
    companion.fetch(get('/orders', 'shopper-1')),
    companion.ring({ order_id: id }),
  ])
  await soon(() => expect(onOrder).toHaveBeenCalledOnce())
  await companion.fetch(get('/orders', 'shopper-1'))
  await ring(companion, { order_id: id })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(onOrder).toHaveBeenCalledOnce()
})

test('a failed order is told too, with its decline', async () => {
  const onOrder = vi.fn()
  const { id } = await service.buy({ product_id: 'gold-100' }, declinedCard('4005'))
  await ring(open(onOrder), { order_id: id })
  await soon(() => expect(onOrder).toHaveBeenCalledOnce())
  expect(onOrder.mock.calls[0]?.[0]).toMatchObject({ id, type: 'order_failed' })
})

test('each state that an order reaches is told once', async () => {
  const states: string[] = []
  const companion = open(({ type }) => void states.push(type))
  await service.control('PATCH', '/switches', { paymentMs: 500 })
  const bought = buy()
  await soon(async () => {
    const [order] = (await service.control('GET', '/orders')) as Order[]
    await ring(companion, { order_id: order?.id })
    expect(states).toEqual(['payment_started'])
  })
  const { id } = await bought
  await soon(async () => {
    await ring(companion, { order_id: id })
    expect(states).toEqual(['payment_started', 'order_complete'])
  })
})

test('an onOrder that throws is called again', async () => {
  let calls = 0
  const errors: unknown[] = []
  const companion = open(
    () => {
      if (++calls === 1) throw new Error('the database is busy')
    },
    { onError: (error) => errors.push(error) },
  )
  const { id } = await buy()
  await ring(companion, { order_id: id })
  await soon(() => expect(calls).toBe(2))
  expect(errors).toMatchObject([{ message: 'the database is busy' }])
})

test('a ring that comes while its order is being handled is not swallowed', async () => {
  const states: string[] = []
  let release = (): void => {}
  const companion = open(async ({ type }) => {
    states.push(type)
    if (type === 'payment_started') await new Promise<void>((resolve) => (release = resolve))
  })
  await service.control('PATCH', '/switches', { paymentMs: 500 })
  const bought = buy()
  await soon(async () => {
    const [order] = (await service.control('GET', '/orders')) as Order[]
    await companion.ring({ order_id: order?.id ?? '' })
    expect(states).toEqual(['payment_started'])
  })
  const { id } = await bought
  await companion.ring({ order_id: id })
  release()
  await soon(() => expect(states).toEqual(['payment_started', 'order_complete']))
})

test('a service that is away is asked again', async () => {
  const onOrder = vi.fn()
  const { id } = await buy()
  await service.control('POST', '/faults', {
    operation: 'getTransaction',
    kind: 'status',
    status: 503,
    count: 3,
  })
  await ring(open(onOrder), { order_id: id })
  await soon(() => expect(onOrder).toHaveBeenCalledOnce())
})

test('when the store is gone the webhook is not acknowledged', async () => {
  const store = memoryStore()
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
  const companion = open(vi.fn(), { store: { ...store, queue: () => ({ ...store.queue('x'), add: gone }) } })
  expect((await ring(companion, { order_id: 'x' })).status).toBe(500)
})

test('ring() without onOrder says what is missing', async () => {
  await expect(companionOf(service.client()).ring({ order_id: 'x' })).rejects.toThrow(/onOrder/)
})

test('a serverless runtime is kept awake until the order is handled', async () => {
  const onOrder = vi.fn()
  const work: Promise<unknown>[] = []
  const { id } = await buy()
  const request = new Request(`${mount}/webhook`, { method: 'POST', body: JSON.stringify({ order_id: id }) })
  await open(onOrder).fetch(request, { waitUntil: (promise) => work.push(promise) })
  await Promise.all(work)
  expect(onOrder).toHaveBeenCalledOnce()
})
