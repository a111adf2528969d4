// Promise: fulfilment/webhook
/** `POST /webhook/:key`: in whatever format, the order is found; whoever sends it, its contents are not trusted. */
import { queryObjects } from 'node:v8'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type OrderHint, webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
  isInvalidInputError,
  memoryStore,
  type Order,
  type TokenGrant,
  toNodeHandler,
} from '../../src/index.ts'
import type { OnOrder } from '../../src/purchase/purchase.ts'
import { bodyOf, companionOf, get, mount, post } from '../support/companion.ts'
import { listen } from '../support/http.ts'
import { declinedCard } from '../support/service.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const key = await webhookKeyOf(service.client())

const open = (onOrder: OnOrder, options: Partial<CompanionOptions> = {}): Companion =>
  companionOf(service.client(), { onOrder, onError: () => {}, ...options })

const webhook = (body: unknown, path = `/webhook/${key}`, type = 'application/json'): Request =>
  new Request(mount + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type },
  })

const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 })

const buy = (custom_id = 'shopper-1'): Promise<Order> => service.buy({ product_id: 'gold-100', custom_id })

const idsOf = (onOrder: { mock: { calls: Parameters<OnOrder>[] } }): string[] =>
  onOrder.mock.calls.map(([{ order }]) => order.id)

test('a webhook is answered at once and leads to the order as the service reports it', async () => {
  const onOrder = vi.fn<OnOrder>()
  const order = await buy()
  const response = await open(onOrder).fetch(
    webhook({ order_id: order.id, type: 'order_failed', quote_amount: '1000000' }),
  )
  expect(response.status).toBe(202)
  await soon(() => expect(onOrder).toHaveBeenCalledOnce())
  expect(onOrder.mock.calls[0]?.[0].order).toMatchObject({
    id: order.id,
    type: 'order_complete',
    quote_amount: order.quote_amount,
  })
})

test.each([
  ['with the key, is read until it is', `/webhook/${key}`, ['order_complete']],
  ['without the key, is delivered as the service shows it', '/webhook', ['payment_started']],
])('an order that is not yet complete, as a webhook says %s', async (_, path, states) => {
  const { id } = await buy()
  let reads = 0
  const client = service.client({
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (!String(input).endsWith('/transactions/data') || ++reads > 2) return response
      return new Response((await response.text()).replace('order_complete', 'payment_started'), response)
    },
  })
  const received: string[] = []
  const companion = companionOf(client, {
    onOrder: ({ order }) => void received.push(order.type),
    onError: () => {},
  })
  await companion.fetch(webhook({ order_id: id, type: 'order_complete' }, path))
  await soon(() => expect(received).toEqual(states))
})

test.each([
  ...[undefined, null, 'order-1', 5, [], {}, { order_id: undefined }, { orderId: 'order-1' }],
  ...[{ order_id: 5 }, { order_id: ' ' }, { custom_id: '' }, { order_id: 'order-1', custom_id: null }],
  ...[{ type: 'order_complete' }, { order_id: 'order-1', type: 'order_failed' }],
  { order_id: 'order-1', name: 'gold' },
])('syncOrder refuses %j before anything is stored', async (hint) => {
  const store = memoryStore()
  const refused = open(vi.fn(), { store }).syncOrder(hint as never)
  await expect(refused).rejects.toSatisfy(isInvalidInputError)
  await expect(refused).rejects.toThrow(/^syncOrder: it needs \{ order_id \} or \{ custom_id \}/)
  expect(await store.jobs.claim('trusted', 9, 1_000)).toEqual([])
})

test('syncOrder takes an order, a shopper, and an order as it was listed', async () => {
  const store = memoryStore()
  const add = vi.spyOn(store.jobs, 'add')
  const companion = open(vi.fn(), { store })
  const hints = [
    { order_id: 'order-1', custom_id: undefined },
    { custom_id: 'ada' },
    { order_id: 'order-1', type: 'order_complete', listed: true },
  ] as const
  for (const hint of hints) await companion.syncOrder(hint as OrderHint)
  expect(add.mock.calls.map(([one]) => JSON.parse(one))).toEqual([{ order_id: 'order-1' }, ...hints.slice(1)])
})

// Promise: fulfilment/each-state
describe('onOrder', () => {
  test('onOrder receives a failed order too', async () => {
    const onOrder = vi.fn<OnOrder>()
    const { id } = await service.buy({ product_id: 'gold-100' }, declinedCard('4005'))
    await open(onOrder).fetch(webhook({ order_id: id }))
    await soon(() => expect(onOrder.mock.calls.map(([{ order }]) => order.type)).toEqual(['order_failed']))
  })

  test('onOrder receives a state that is reached while it handles the previous one, and after it', async () => {
    const states: string[] = []
    let running = 0
    let atOnce = 0
    let release = (): void => {}
    const companion = open(async ({ order: { type } }) => {
      atOnce = Math.max(atOnce, ++running)
      states.push(type)
      if (type === 'payment_started') await new Promise<void>((resolve) => (release = resolve))
      running--
    })
    await service.control('PATCH', '/switches', { paymentMs: 2_000 })
    const bought = buy()
    await soon(async () => {
      const [order] = (await service.control('GET', '/orders')) as Order[]
      await companion.fetch(webhook({ order_id: order?.id }))
      expect(states).toEqual(['payment_started'])
    })
    const { id } = await bought
    await companion.fetch(webhook({ order_id: id }))
    release()
    await soon(() => expect(states).toEqual(['payment_started', 'order_complete']))
    expect(atOnce).toBe(1)
  })
})

describe('finds the order in', () => {
  test.each(['nested', 'flat', 'record'])(
    'the sandbox’s shape %s, sent by the sandbox',
    async (webhookPayload) => {
      const onOrder = vi.fn<OnOrder>()
      const server = await listen(toNodeHandler(open(onOrder)))
      onTestFinished(server.close)
      await service.control('PATCH', '/switches', { webhookPayload, webhookDelivery: 'twice' })
      await service.control('POST', '/webhooks', { url: `${server.url}/webhook/${key}` })
      const { id } = await buy()
      await soon(() => expect(idsOf(onOrder)).toContain(id))
      const states = onOrder.mock.calls.map(([{ order }]) => `${order.id} ${order.type}`)
      expect(states).toHaveLength(new Set(states).size)
    },
  )

  test.each<[string, (id: string) => string, string?]>([
    ['a form', (id) => `event=x&order_id=${id}`, 'application/x-www-form-urlencoded'],
    ['a customer’s id alone', () => JSON.stringify({ custom_id: 'shopper-1' })],
  ])('%s', async (_, payload, type) => {
    const onOrder = vi.fn<OnOrder>()
    const { id } = await buy()
    await open(onOrder).fetch(webhook(payload(id), undefined, type))
    await soon(() => expect(idsOf(onOrder)).toEqual([id]))
  })
})

test.each([
  ['nothing', ''],
  ['no object', '42'],
  ['no id', '{"a":{"b":{"c":1}}}'],
  ['an unknown order', '{"order_id":"unknown"}'],
  ['very deep nesting', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
])('a webhook with %s is acknowledged and changes nothing', async (_, body) => {
  const onOrder = vi.fn<OnOrder>()
  const work: Promise<unknown>[] = []
  const response = await open(onOrder).fetch(webhook(body), { waitUntil: (promise) => work.push(promise) })
  expect(response.status).toBe(202)
  await Promise.all(work)
  expect(onOrder).not.toHaveBeenCalled()
})

test.each<Record<string, string>>([
  {},
  // The first of the two defines the end of the body.
  { 'transfer-encoding': 'chunked', 'content-length': '9' },
])('a webhook that is too large is refused, also with headers %j', async (headers) => {
  const request = webhook('x'.repeat(70_000))
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  expect((await open(vi.fn()).fetch(request)).status).toBe(413)
})

test('a busy server keeps nothing of the webhooks that it has answered', async () => {
  const companion = open(vi.fn(), { rateLimit: { perAddress: 1_000_000 } })
  const send = async (from: number): Promise<void> => {
    for (let index = from; index < from + 200; index++)
      await companion.fetch(webhook({ order_id: `forged-${index}` }, '/webhook'), { address: '203.0.113.9' })
  }
  await send(0)
  const before = queryObjects(Promise, { format: 'count' })
  await send(200)
  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(100)
})

test('a webhook is not acknowledged when the store is unavailable', async () => {
  const store = memoryStore()
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
  const companion = open(vi.fn(), { store: { ...store, jobs: { ...store.jobs, add: gone } } })
  expect((await companion.fetch(webhook({ order_id: 'x' }))).status).toBe(500)
})

test.each([
  ['with the key', `/webhook/${key}`],
  ['without the key', '/webhook'],
  ['with a wrong one', `/webhook/${'x'.repeat(32)}`],
])('%s a webhook keeps a serverless runtime awake until the genuine order is handled', async (_, path) => {
  const onOrder = vi.fn<OnOrder>()
  const work: Promise<unknown>[] = []
  const { id } = await buy()
  const waitUntil = (promise: Promise<unknown>): unknown => work.push(promise)
  expect((await open(onOrder).fetch(webhook({ order_id: id }, path), { waitUntil })).status).toBe(202)
  await Promise.all(work)
  expect(idsOf(onOrder)).toEqual([id])
})

// Promise: companion/lambda
test.each<[string, (purchaseId: string, orderId: string) => Request]>([
  ['asks what became of the purchase', (id) => get(`/purchases/${id}`, 'ada')],
  ['comes back from it', (id) => get(`/return/${id}`)],
  ['lists their orders', () => get('/orders', 'ada')],
  ['looks at the order', (_, id) => get(`/orders/${id}`, 'ada')],
])('a shopper who %s keeps a serverless runtime awake until the order is handled', async (_, asks) => {
  const onOrder = vi.fn<OnOrder>()
  const companion = open(onOrder)
  const { purchaseId, params } = (await bodyOf(companion.fetch(post('/token', {}, 'ada')))) as TokenGrant
  const { id } = await service.buy({ ...params, product_id: 'gold-100' })
  const work: Promise<unknown>[] = []
  await companion.fetch(asks(purchaseId, id), { waitUntil: (promise) => work.push(promise) })
  await Promise.all(work)
  expect(idsOf(onOrder)).toContain(id)
})
