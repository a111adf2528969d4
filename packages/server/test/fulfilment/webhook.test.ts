// Promise: fulfilment/webhook
/** `POST /webhook/:key`: whatever a webhook looks like, the order it is about is found; whoever sends it, nothing it says is believed. */
import { queryObjects } from 'node:v8'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { derive } from '../../src/client/settings.ts'
import { hintOf, keyOf, readHint, seen, webhookKeyOf } from '../../src/fulfilment/webhook.ts'
import {
  type Companion,
  type CompanionOptions,
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

const heardOf = (onOrder: { mock: { calls: Parameters<OnOrder>[] } }): string[] =>
  onOrder.mock.calls.map(([{ order }]) => order.id)

test('is answered at once and leads to the order as the service has it', async () => {
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

// Promise: fulfilment/each-state
describe('onOrder', () => {
  test('hears of a failed order too', async () => {
    const onOrder = vi.fn<OnOrder>()
    const { id } = await service.buy({ product_id: 'gold-100' }, declinedCard('4005'))
    await open(onOrder).fetch(webhook({ order_id: id }))
    await soon(() => expect(onOrder.mock.calls.map(([{ order }]) => order.type)).toEqual(['order_failed']))
  })

  test('hears of a state that is reached while it is at work on the one before, and after it', async () => {
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
      await soon(() => expect(heardOf(onOrder)).toContain(id))
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
    await soon(() => expect(heardOf(onOrder)).toEqual([id]))
  })
})

test.each([
  ['nothing', ''],
  ['no object', '42'],
  ['no id', '{"a":{"b":{"c":1}}}'],
  ['an unknown order', '{"order_id":"unknown"}'],
  ['very deep nesting', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
])('with %s is acknowledged and changes nothing', async (_, body) => {
  const onOrder = vi.fn<OnOrder>()
  const work: Promise<unknown>[] = []
  const response = await open(onOrder).fetch(webhook(body), { waitUntil: (promise) => work.push(promise) })
  expect(response.status).toBe(202)
  await Promise.all(work)
  expect(onOrder).not.toHaveBeenCalled()
})

test.each<Record<string, string>>([
  {},
  // Of the two it is the first that says how a body ends.
  { 'transfer-encoding': 'chunked', 'content-length': '9' },
])('is refused when it is too large, also with headers %j', async (headers) => {
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

test('when the store is gone it is not acknowledged', async () => {
  const store = memoryStore()
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
  const companion = open(vi.fn(), { store: { ...store, jobs: { ...store.jobs, add: gone } } })
  expect((await companion.fetch(webhook({ order_id: 'x' }))).status).toBe(500)
})

test.each([
  ['with the key', `/webhook/${key}`],
  ['without the key', '/webhook'],
  ['with a wrong one', `/webhook/${'x'.repeat(32)}`],
])('%s it keeps a serverless runtime awake until the genuine order is handled', async (_, path) => {
  const onOrder = vi.fn<OnOrder>()
  const work: Promise<unknown>[] = []
  const { id } = await buy()
  const waitUntil = (promise: Promise<unknown>): unknown => work.push(promise)
  expect((await open(onOrder).fetch(webhook({ order_id: id }, path), { waitUntil })).status).toBe(202)
  await Promise.all(work)
  expect(heardOf(onOrder)).toEqual([id])
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
  expect(heardOf(onOrder)).toContain(id)
})

// Promise: fulfilment/webhook
describe('a hint', () => {
  test('goes into its key and comes back', () => {
    for (const hint of [{ order_id: 'o' }, { custom_id: 'c' }, seen('o', 'order_complete', true)])
      expect(hintOf(keyOf(hint))).toEqual(hint)
    expect(seen('o', 'order_complete', true)).toEqual({ order_id: 'o', type: 'order_complete', listed: true })
    for (const type of ['order_failed', undefined]) expect(seen('o', type, false)).toEqual({ order_id: 'o' })
  })

  const looksLikeOrder = { type: 'order_complete', custom_id: 'c' }

  test.each<[unknown, object | null]>([
    [{ order_id: 'o' }, { order_id: 'o' }],
    [{ orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 7 }, { order_id: '7' }],
    [{ order_id: ' ', orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 'o', data: { order_id: 'inner' } }, { order_id: 'o' }],
    [{ id: 'o', ...looksLikeOrder }, { order_id: 'o' }],
    [{ id: 'o', type: 'x', quote: 'USD' }, { order_id: 'o' }],
    [{ id: 'o', type: 'x', product_id: 'p' }, { order_id: 'o' }],
    [{ id: 'event', type: 'x' }, null],
    [{ id: 'event', custom_id: 'c' }, { custom_id: 'c' }],
    [{ custom_id: 'c' }, { custom_id: 'c' }],
    [{ customId: 'c' }, { custom_id: 'c' }],
    [{ order_id: 'x'.repeat(128) }, { order_id: 'x'.repeat(128) }],
    [{ order_id: 'x'.repeat(129) }, null],
    [{ order_id: true }, null],
    [[[{ order_id: 'o' }]], { order_id: 'o' }],
    [{ a: { b: { c: { d: { order_id: 'o' } } } } }, { order_id: 'o' }],
    [{ a: { b: { c: { d: { e: { order_id: 'o' } } } } } }, null],
    [{ partner_data: { order_id: 'o' } }, null],
    [{ record: { partner_data: { input: { order_id: 'o' } } } }, null],
    [[...Array(199).fill(0), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(200).fill(0), { order_id: 'o' }], null],
    [[Array(150).fill(0), [...Array(49).fill(0), { order_id: 'o' }]], { order_id: 'o' }],
    [[Array(150).fill(0), [...Array(50).fill(0), { order_id: 'o' }]], null],
    [[...Array(199).fill([]), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(198).fill({}), { data: { order_id: 'o' } }], { order_id: 'o' }],
    [[...Array(199).fill({}), { data: { order_id: 'o' } }], null],
    [null, null],
    ['order_id', null],
    [{}, null],
  ])('in %j is %j', (body, hint) => {
    expect(readHint(JSON.stringify(body))).toEqual(hint)
  })

  test('may be a form', () => {
    expect(readHint('event=x&order_id=o')).toEqual({ order_id: 'o' })
    expect(readHint('custom_id=c')).toEqual({ custom_id: 'c' })
    expect(readHint('')).toBeNull()
  })
})

test('the key of webhooks is 32 url-safe characters, the same for the same secret and another for another', async () => {
  const keyFor = (secret: string): Promise<string> =>
    webhookKeyOf({ deriveKey: (purpose) => derive(secret, purpose) })
  const key = await keyFor('secret')
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(await keyFor('secret')).toBe(key)
  expect(await keyFor('another')).not.toBe(key)
})
