/** What a page is told of its purchase, and how seldom the service is asked for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Companion,
  type CompanionOptions,
  memoryStore,
  type PurchaseAnswer,
  type PurchaseClientOptions,
  type Store,
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

test('the service is read once in three seconds for one shopper, by however many who ask', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId } = await begin()
  const other = await begin()
  await Promise.all(Array.from({ length: 50 }, () => ask(purchaseId, 'ada')))
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'none', fresh: false })
  expect(lists()).toBe(1)
  time += 2_999
  await ask(purchaseId, 'ada')
  expect(lists()).toBe(1)
  time += 1
  await ask(purchaseId, 'ada')
  expect(lists()).toBe(2)
})

test('a shopper who has paid in several tabs waits for one reading: each purchase finds its order in the same list', async () => {
  const { begin, ask } = shopOf()
  const begun = [await begin(), await begin(), await begin()]
  const latest = await begin()
  const ids: string[] = []
  for (const { params } of [...begun, latest]) ids.push((await service.buy(params)).id)
  const complete = { status: 'complete', state: 'matched', fresh: true }
  // At once, and a moment later.
  const answers = await Promise.all(begun.map(({ purchaseId }) => ask(purchaseId, 'ada')))
  answers.push(await ask(latest.purchaseId, 'ada'))
  expect(answers).toMatchObject(ids.map((id) => ({ ...complete, order: { id } })))
  expect(lists()).toBe(1)
})

test('a list is nobody else’s, and no longer used once the service may be asked again', async () => {
  const { begin, ask } = shopOf()
  const [one, other] = [await begin(), await begin()]
  const grace = await begin('grace')
  await ask(one.purchaseId, 'ada')
  await service.buy(other.params)
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'none', fresh: false })
  expect(await ask(grace.purchaseId, 'grace')).toMatchObject({ status: 'none', fresh: true })
  expect(lists()).toBe(2)
  time += 3_000
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'complete', fresh: true })
  expect(lists()).toBe(3)
})

test('what was listed a moment ago takes back nothing that is known since', async () => {
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  const { begin, ask } = shopOf({ store })
  const [one, other] = [await begin(), await begin()]
  const { id } = await service.buy(one.params, declinedCard('4004'))
  await ask(other.purchaseId, 'ada')
  // By a webhook: the shopper tries another card, and the service goes on with the same order (U25).
  const again = { id, type: 'payment_started', state: 'matched', summary: JSON.stringify({ id }) } as const
  await store.purchases.record(one.purchaseId, again)
  expect(await ask(one.purchaseId, 'ada')).toMatchObject({ status: 'pending', fresh: false })
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

test('a paid order that is not what was sold is complete, and says so', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin()
  await service.buy({ ...params, quote_amount: '0.01' })
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'mismatched' })
})

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

  test('is not whoever signs out and is a guest again', async () => {
    const { begin, ask } = shopOf({
      authorize: (request) => {
        const [, customId = ''] = /shopper=(.*)/.exec(request.headers.get('cookie') ?? '') ?? []
        return { customId, formerly: customId === 'ada' ? ['guest-1'] : [] }
      },
    })
    const { purchaseId, params } = await begin('ada')
    await service.buy(params)
    expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete' })
    expect(await ask(purchaseId, 'guest-1')).toMatchObject({ status: 'none', order: null })
  })

  test('is not a shopper of the shop’s own whose id is spelt like another’s id at the service', async () => {
    const { begin, ask } = shopOf({
      authorize: (request) => {
        const [, id = ''] = /shopper=(.*)/.exec(request.headers.get('cookie') ?? '') ?? []
        return id === 'victim' ? { userId: 'U1' } : { customId: id }
      },
    })
    const { purchaseId } = await begin('victim')
    expect(await ask(purchaseId, 'victim')).toMatchObject({ status: 'none', fresh: true })
    time += 3_000
    reads = []
    expect(await ask(purchaseId, 'U1')).toMatchObject({ status: 'none' })
    expect(reads).toEqual([])
  })

  test('is nobody for an id that was never given', async () => {
    const { ask } = shopOf()
    expect(await ask('x'.repeat(22), 'ada')).toEqual({
      begun: false,
      status: 'none',
      fresh: true,
      state: null,
      order: null,
      returnUrl: null,
    })
    expect(await ask('x'.repeat(22))).toEqual({ status: 'none', fresh: true, begun: false })
    expect(reads).toEqual([])
  })
})

describe('where return addresses do not come back', () => {
  beforeEach(() => service.control('PATCH', '/switches', { returnAddresses: 'absent' }))

  test('the purchase is found by custom_id', async () => {
    const { begin, ask } = shopOf({ carry: 'custom_id' })
    const { purchaseId, params } = await begin()
    await service.buy(params)
    expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'matched' })
    expect(await ask(purchaseId, 'eve')).toMatchObject({ status: 'none' })
  })

  test('a shopper with many orders costs few details, and none twice', async () => {
    for (let bought = 0; bought < 8; bought++) await service.buy({ product_id: 'gold-100', custom_id: 'ada' })
    const { begin, ask } = shopOf()
    const { purchaseId } = await begin()
    for (let asked = 1; asked <= 5; asked++) {
      await ask(purchaseId, 'ada')
      time += 3_000
      expect(reads.length - lists()).toBe(Math.min(asked * 3, 8))
    }
  })
})

test('a list that leaves out return addresses is completed by the order itself', async () => {
  const short: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(input).includes('order_history')) return response
    const orders = (await response.json()) as Record<string, unknown>[]
    return Response.json(orders.map(({ id, type, custom_id }) => ({ id, type, custom_id })))
  }
  const { begin, ask } = shopOf({}, { fetch: short })
  const { purchaseId, params } = await begin()
  await service.buy({ product_id: 'gold-100', custom_id: 'ada' })
  await service.buy(params)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'matched' })
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

test('of a shopper’s two open purchases each learns of its own order, also where the list leaves out return addresses', async () => {
  const short: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(input).includes('order_history')) return response
    const orders = (await response.json()) as Record<string, unknown>[]
    return Response.json(orders.map(({ id, type, custom_id }) => ({ id, type, custom_id })))
  }
  const { begin, ask } = shopOf({}, { fetch: short })
  const [one, other] = [await begin(), await begin()]
  const { id } = await service.buy(other.params)
  expect(await ask(one.purchaseId, 'ada')).toMatchObject({ status: 'none' })
  // What was listed just now does not say whose the order is, and may cost the service nothing more.
  const asked = reads.length
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'none', fresh: false })
  expect(reads.length).toBe(asked)
  time += 3_000
  expect(await ask(other.purchaseId, 'ada')).toMatchObject({ status: 'complete', order: { id } })
})

test('an order that the list calls complete a moment before its own record does is delivered', async () => {
  let isBehind = true
  const lagging: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!isBehind || !String(input).includes('transactions/data')) return response
    return Response.json({ ...((await response.json()) as object), type: 'payment_started' })
  }
  const heard: string[] = []
  const errors: unknown[] = []
  const { begin, ask } = shopOf(
    { onOrder: ({ order }) => void heard.push(order.type), onError: (error) => errors.push(error) },
    { fetch: lagging },
  )
  const { purchaseId, params } = await begin()
  await service.buy(params)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'matched' })
  await expect.poll(() => errors).toMatchObject([{ message: expect.stringContaining('does not yet say so') }])
  isBehind = false
  await expect
    .poll(() => {
      time += 1_000
      return heard
    })
    .toEqual(['order_complete'])
})

test('while the service is away the answer is what the store knows', async () => {
  const errors: unknown[] = []
  let away = false
  const failing: typeof fetch = (input, init) =>
    away ? Promise.reject(new Error('away')) : counting(input, init)
  const { begin, ask } = shopOf({ onError: (error) => errors.push(error) }, { fetch: failing, maxRetries: 0 })
  const { purchaseId, params } = await begin()
  await service.buy(params, declinedCard('4004'))
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'failed', fresh: true })
  away = true
  time += 3_000
  // Who asks must not take it for the last word: the shopper may have paid meanwhile.
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'failed', fresh: false })
  expect(errors).toMatchObject([{ name: 'NetworkError' }])
})

test('while the store is away nothing is known for certain, and nobody is turned away', async () => {
  const errors: unknown[] = []
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  /** How many more rows the store gives. */
  let rows = Number.POSITIVE_INFINITY
  const find: Store['purchases']['find'] = (id) =>
    rows-- > 0 ? store.purchases.find(id) : Promise.reject(new Error('the store is away'))
  const { begin, ask } = shopOf({
    store: { ...store, purchases: { ...store.purchases, find } },
    onError: (error) => errors.push(error),
  })
  const { purchaseId, params } = await begin()
  await service.buy(params, declinedCard('4004'))
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'failed', fresh: true })

  // Who asks must not take it for the last word: the shopper may have paid.
  rows = 0
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'none', fresh: false })
  expect(await ask(purchaseId)).toEqual({ status: 'none', fresh: false, begun: false })
  expect(errors).toHaveLength(2)

  // Gone between the two looks at the row, when the service was read: the same.
  time += 3_000
  rows = 1
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'failed', fresh: false })

  time += 3_000
  rows = Number.POSITIVE_INFINITY
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'failed', fresh: true })
})

test('what it reads reaches onOrder', async () => {
  const heard: string[] = []
  const { begin, ask } = shopOf({
    onOrder: ({ order, purchase }) => void heard.push(`${order.type} ${purchase.state}`),
  })
  const { purchaseId, params } = await begin()
  await service.buy(params)
  await ask(purchaseId, 'ada')
  await expect.poll(() => heard).toEqual(['order_complete matched'])
})

test('a purchase whose order is just being settled elsewhere is not shown before it is known how the order fits', async () => {
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  const { begin, ask } = shopOf({ store })
  const { purchaseId, params } = await begin()
  await ask((await begin()).purchaseId, 'ada')
  const order = await service.buy(params)

  // Another instance has claimed the purchase, and not recorded the order yet. The service may not be asked again just now.
  await store.purchases.claim(purchaseId, order.id)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'pending', fresh: false, state: null })
  time += 3_000
  expect(await ask(purchaseId, 'ada')).toMatchObject({
    status: 'complete',
    fresh: true,
    state: 'matched',
    order: { id: order.id },
  })
})

test('while the order that settles a purchase is not recorded, no other order answers for it', async () => {
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  const { begin, ask } = shopOf({ store })
  const { purchaseId, params } = await begin()
  await store.purchases.claim(purchaseId, 'order-elsewhere')
  await service.buy(params)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'pending', state: null })
})

test('who comes back while an older read is under way is not told what that read saw', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isFirst = true
  const slow: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    const waits = isFirst && String(input).includes('order_history')
    if (waits) isFirst = false
    if (waits) await held
    return response
  }
  const { begin, ask } = shopOf({}, { fetch: slow })
  const { purchaseId, params } = await begin()
  await service.buy(params, declinedCard('4004'))
  const older = ask(purchaseId, 'ada')
  await expect.poll(lists).toBe(1)
  await service.buy(params)
  // The service may not be asked again for this shopper just now.
  expect(await ask(purchaseId, 'ada', '?returned=1')).toMatchObject({ fresh: false })
  time += 3_000
  expect(await ask(purchaseId, 'ada', '?returned=1')).toMatchObject({ status: 'complete', fresh: true })
  release()
  expect(await older).toMatchObject({ status: 'complete' })
})

test('a process that is killed as it settles a purchase leaves the job of its order behind', async () => {
  const store = memoryStore({ now: () => time })
  store.purchases.unsettled = async () => []
  const killed: Store['purchases']['claim'] = async (id, orderId) => {
    await store.purchases.claim(id, orderId)
    throw new Error('killed')
  }
  const { companion, begin, ask } = shopOf({
    store: { ...store, purchases: { ...store.purchases, claim: killed } },
    onError: () => {},
  })
  const { purchaseId, params } = await begin()
  const { id } = await service.buy(params)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'pending', fresh: false })
  await companion.close()

  const heard: string[] = []
  const next = shopOf({ store, onOrder: ({ order }) => void heard.push(order.id) })
  await expect
    .poll(async () => {
      time += 3_000
      await next.companion.reconcile()
      return heard
    })
    .toEqual([id])
})
