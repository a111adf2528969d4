// Promise: known/status
/** What a page is told of its purchase, and how seldom the service is asked for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Companion,
  type CompanionOptions,
  memoryStore,
  type PurchaseAnswer,
  type PurchaseClientOptions,
  type TokenGrant,
} from '../src/index.ts'
import { companionOf, get, post, shopOrigin } from './support/companion.ts'
import { declinedCard, type Service, startService } from './support/service.ts'

let service: Service
let time: number
/** Reads of orders by id and by shopper. */
let reads: string[]

beforeAll(async () => {
  service = await startService()
})
beforeEach(() => {
  service.reset()
  time = Date.now()
  reads = []
})
afterAll(() => service.close())

const counting: typeof fetch = (input, init) => {
  const [, operation] = /(order_history|transactions\/data)/.exec(String(input)) ?? []
  if (operation) reads.push(operation)
  return fetch(input, init)
}

interface Shop {
  companion: Companion
  begin(shopper?: string): Promise<TokenGrant>
  ask(id: string, shopper?: string, query?: string): Promise<PurchaseAnswer>
}

/** A shop that is told nothing by webhooks, and where nobody looks for orders that were missed. */
function shopOf(options: Partial<CompanionOptions> = {}, client: Partial<PurchaseClientOptions> = {}): Shop {
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  const companion = companionOf(service.client({ fetch: counting, ...client }), {
    store,
    createPurchase: () => ({
      params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' },
      returnUrl: '/thanks',
    }),
    now: () => time,
    ...options,
  })
  return {
    companion,
    begin: async (shopper = 'ada') =>
      (await (await companion.fetch(post('/token', {}, shopper))).json()) as TokenGrant,
    async ask(id, shopper, query = '') {
      const response = await companion.fetch(get(`/purchases/${id}${query}`, shopper))
      expect(response.status).toBe(200)
      return (await response.json()) as PurchaseAnswer
    },
  }
}

const lists = (): number => reads.filter((read) => read === 'order_history').length

// Promise: known/reads
test('a purchase that goes well is told by four reads at most', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin()
  expect(await ask(purchaseId, 'ada')).toEqual({
    begun: true,
    status: 'none',
    fresh: true,
    state: null,
    order: null,
    returnUrl: null,
  })
  time += 15_000
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'none' })
  const order = await service.buy(params)
  time += 15_000
  for (let asked = 0; asked < 20; asked++) {
    expect(await ask(purchaseId, 'ada', '?returned=1')).toEqual({
      begun: true,
      status: 'complete',
      fresh: true,
      state: 'matched',
      order: expect.objectContaining({ id: order.id, type: 'order_complete' }),
      returnUrl: `${shopOrigin}/thanks?purchase=${purchaseId}`,
    })
    time += 10_000
  }
  expect(lists()).toBe(3)
  expect(reads.length).toBeLessThanOrEqual(4)
})

test('a shopper who has paid in several tabs is told of one after the other, by a reading every three seconds', async () => {
  const { begin, ask } = shopOf()
  const [one, other, hers] = [await begin(), await begin(), await begin('grace')]
  for (const { params } of [one, other, hers]) await service.buy(params)
  const complete = { status: 'complete', state: 'matched', fresh: true }
  expect(await ask(one.purchaseId, 'ada')).toMatchObject(complete)
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'none', fresh: false })
  expect(await ask(hers.purchaseId, 'grace')).toMatchObject(complete)
  expect(lists()).toBe(2)
  time += 3_000
  expect(await ask(other.purchaseId, 'ada')).toMatchObject(complete)
  expect(lists()).toBe(3)
})

test('an unfinished order beside a failed one is pending, and a paid one ends it', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin()
  await service.buy(params, declinedCard('4004'))
  expect(await ask(purchaseId, 'ada')).toMatchObject({
    status: 'failed',
    order: { decline: { code: '4004' } },
    returnUrl: null,
  })
  await service.control('PATCH', '/switches', { paymentMs: 2_000 })
  const paying = service.buy(params)
  const asked = async (): Promise<PurchaseAnswer> => {
    time += 3_000
    return ask(purchaseId, 'ada')
  }
  await expect
    .poll(asked)
    .toMatchObject({ status: 'pending', order: { type: 'payment_started' }, returnUrl: null })
  const { id } = await paying
  expect(await asked()).toMatchObject({ status: 'complete', state: 'matched', order: { id } })
})

test('an order in a state that nobody has listed is on its way (U14)', async () => {
  await service.control('PATCH', '/switches', { statuses: 'unlisted', paymentMs: 2_000 })
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin()
  const paying = service.buy(params)
  const asked = async (): Promise<PurchaseAnswer> => {
    time += 3_000
    return ask(purchaseId, 'ada')
  }
  await expect
    .poll(asked)
    .toMatchObject({ status: 'pending', order: { type: 'payment_authorized' }, returnUrl: null })
  const { id } = await paying
  expect(await asked()).toMatchObject({ status: 'complete', state: 'matched', order: { id } })
})

test('a decline says what to do in the language of the purchase, else of the browser', async () => {
  const { companion } = shopOf()
  for (const [body, accepted, action] of [
    [
      { params: { locale: 'de' } },
      'fr',
      'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.',
    ],
    [{}, 'fr', 'Approvisionnez votre compte et réessayez.'],
    [{}, '', 'Add funds and try again.'],
  ] as const) {
    const { purchaseId, params } = (await (
      await companion.fetch(post('/token', body, 'ada'))
    ).json()) as TokenGrant
    await service.buy(params, declinedCard('4004'))
    time += 3_000
    const headers = { 'accept-language': accepted }
    const answer = await companion.fetch(get(`/purchases/${purchaseId}`, 'ada', headers))
    expect(await answer.json()).toMatchObject({ order: { decline: { code: '4004', action } } })
  }
})

// Promise: known/whose
describe('who may know', () => {
  test('is the shopper, also under the id from before signing in', async () => {
    const formerly: Record<string, string[]> = { 'ada-2': ['ada'] }
    const { begin, ask } = shopOf({
      authorize: (request) => {
        const [, customId = ''] = /shopper=(.*)/.exec(request.headers.get('cookie') ?? '') ?? []
        return customId ? { customId, formerly: formerly[customId] ?? [] } : null
      },
    })
    const { purchaseId, params } = await begin('ada')
    await service.buy(params)
    expect(await ask(purchaseId, 'ada-2')).toMatchObject({ status: 'complete', state: 'matched' })
    expect(await ask(purchaseId, 'eve')).toEqual({
      begun: false,
      status: 'none',
      fresh: true,
      state: null,
      order: null,
      returnUrl: null,
    })
    expect(await ask(purchaseId)).toEqual({ status: 'complete', fresh: true, begun: false })
  })
})

test('page and onOrder hear the same of an order that was changed in fields which the list leaves out', async () => {
  const short: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(input).includes('order_history')) return response
    const orders = (await response.json()) as Record<string, unknown>[]
    return Response.json(orders.map(({ base: _, base_amount: __, address: ___, ...order }) => order))
  }
  const heard: string[] = []
  const { begin, ask } = shopOf(
    {
      createPurchase: () => ({ params: { product_id: 'btc', quote: 'USD', quote_amount: '50.00' } }),
      onOrder: ({ purchase }) => void heard.push(purchase.state),
    },
    { fetch: short },
  )
  const { purchaseId, params } = await begin()
  await service.buy({ ...params, base: 'BTC', address: 'bc1qsomebodyelse0000000000000000000000000' })
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'mismatched' })
  await expect.poll(() => heard).toEqual(['mismatched'])
})
