// Promise: companion/orders
/** `GET /orders` and `GET /subscriptions`: a shopper’s own records, without personal data. */
import { describe, expect, test } from 'vitest'
import { memoryStore, type OrderSummary, type Shopper, type TokenGrant } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, get, post, shopOrigin } from '../support/companion.ts'
import { begunAt, purchaseOf } from '../support/purchases.ts'
import { declinedCard, newUser } from '../support/service.ts'

const { service, client, ask } = await companionOfThisFile()

describe('GET /orders', () => {
  test('returns this shopper’s orders without personal data', async () => {
    const paid = await service.buy({
      product_id: 'gold-100',
      custom_id: 'shopper-1',
      redirect_url: `${shopOrigin}/thanks`,
      redirect_page: 'self',
    })
    const declined = await service.buy(
      { product_id: 'gold-100', custom_id: 'shopper-1' },
      declinedCard('4004'),
    )
    await service.buy({ product_id: 'gold-100', custom_id: 'shopper-2' })

    const { orders } = (await bodyOf(ask(get('/orders', 'shopper-1')))) as {
      orders: { id: string }[]
    }
    expect(orders.map(({ id }) => id).sort()).toEqual([paid.id, declined.id].sort())
    expect(orders.find(({ id }) => id === paid.id)).toEqual({
      id: paid.id,
      type: 'order_complete',
      custom_id: 'shopper-1',
      product_id: 'gold-100',
      quote: paid.quote,
      quote_amount: paid.quote_amount,
      decline: null,
      redirect_url: `${shopOrigin}/thanks`,
      redirect_page: 'self',
    })
    expect(orders.find(({ id }) => id === declined.id)).toMatchObject({
      type: 'order_failed',
      decline: { code: '4004', reason: expect.any(String), action: 'Add funds and try again.' },
    })
  })

  test('includes return addresses of allowed origins, and leaves out any other', async () => {
    const placeholder = `${shopOrigin}/placeholder`
    const { id } = await service.buy({
      product_id: 'gold-100',
      custom_id: 'shopper-1',
      redirect_url: placeholder,
      fail_redirect_url: placeholder,
    })
    /** The summaries of an order with this address: of one order and in the list. */
    async function addressesOf(address: string): Promise<unknown[]> {
      const withAddress: typeof fetch = async (...call) => {
        const answer = await fetch(...call)
        return new Response((await answer.text()).replaceAll(placeholder, address), answer)
      }
      const app = companionOf(service.client({ fetch: withAddress }), {
        allowedOrigins: [
          shopOrigin,
          'http://localhost:3000',
          'http://shop.example',
          'com.example.shop://return',
        ],
      })
      const one = (await bodyOf(app.fetch(get(`/orders/${id}`, 'shopper-1')))) as { order: OrderSummary }
      const list = (await bodyOf(app.fetch(get('/orders', 'shopper-1')))) as { orders: OrderSummary[] }
      return [one.order, ...list.orders].flatMap((order) => [order.redirect_url, order.fail_redirect_url])
    }

    for (const address of [`${shopOrigin}/thanks?a=1`, 'http://localhost:3000/thanks']) {
      expect(await addressesOf(address)).toEqual([address, address, address, address])
    }
    for (const address of [
      'javascript:alert(1)',
      'javascript://shop.example/%0Aalert(1)',
      'data:text/html,x',
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
      'https://ada@shop.example/',
      'https://:pass@shop.example/',
      'http://shop.example/',
      'com.example.shop://return/done',
      '/thanks',
    ]) {
      expect(await addressesOf(address), address).toEqual([undefined, undefined, undefined, undefined])
    }
  })

  test('returns one order by its id', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const answer = await bodyOf(ask(get(`/orders/${order.id}`, 'shopper-1')))
    expect(answer).toMatchObject({ order: { id: order.id, type: 'order_complete' } })
  })

  test('gives the same answer for an unknown order and for another shopper’s', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const unknown = await ask(get('/orders/unknown', 'shopper-2'))
    const other = await ask(get(`/orders/${order.id}`, 'shopper-2'))
    const blank = await ask(get('/orders/%20', 'shopper-2'))
    expect([unknown.status, other.status, blank.status]).toEqual([404, 404, 404])
    expect(await other.text()).toBe(await unknown.text())
    expect(Object.fromEntries(other.headers)).toEqual(Object.fromEntries(unknown.headers))
  })

  test('returns the shopper’s order even if its custom_id is the purchase’s', async () => {
    const app = companionOf(client, { carry: 'custom_id' })
    const { params } = (await bodyOf(app.fetch(post('/token', {}, 'shopper-1')))) as TokenGrant
    const { id } = await service.buy({ ...params, product_id: 'gold-100' })
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-1'))).status).toBe(200)
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-2'))).status).toBe(404)
  })

  test('returns a shopper’s orders from before they signed in', async () => {
    // However many former ids there are, the latest count.
    const older = Array.from({ length: 30 }, (_, index) => `older-${index}`)
    const shop = companionOf(client, {
      authorize: () => ({ customId: 'ada', formerly: [...older, 'guest-1', 'guest-2'] }),
    })
    const ids = []
    for (const custom_id of ['guest-1', 'guest-2', 'ada', 'eve']) {
      ids.push((await service.buy({ product_id: 'gold-100', custom_id })).id)
    }
    const { orders } = (await bodyOf(shop.fetch(get('/orders')))) as { orders: OrderSummary[] }
    expect(orders.map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort())
    const statuses = ids.map(async (id) => (await shop.fetch(get(`/orders/${id}`))).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404])
  })

  test.each([
    [
      'where orders carry the purchase’s id',
      (userId: string) => `ada:${userId}`,
      { carry: 'custom_id' as const },
    ],
    ['of a shopper who has no id of the shop’s', (userId: string) => `:${userId}`, {}],
  ])('returns orders %s, to their shopper alone', async (_, sessionOf, options) => {
    const { user_id } = await client.users.create(newUser)
    const [shopper, other] = [sessionOf(user_id), sessionOf('another').replace('ada', 'eve')]
    // Webhooks are read where orders are delivered.
    const shop = companionOf(client, { ...options, onOrder() {}, rateLimit: { perShopper: 10_000 } })
    const read = async (path: string, who: string = shopper): Promise<unknown> =>
      bodyOf(shop.fetch(get(path, who)))
    const { params, purchaseId } = (await bodyOf(shop.fetch(post('/token', {}, shopper)))) as TokenGrant
    expect(await read('/orders')).toEqual({ orders: [] })
    const bought = { params: { ...params, product_id: 'gold-100' }, email: newUser.email }
    const { id } = (await service.control('POST', '/purchases', bought)) as { id: string }
    await expect.poll(() => read('/orders')).toMatchObject({ orders: [{ id, type: 'order_complete' }] })
    expect(await read(`/orders/${id}`)).toMatchObject({ order: { id } })
    expect(await read(`/purchases/${purchaseId}`)).toMatchObject({ status: 'complete', order: { id } })
    expect(await read('/orders', other)).toEqual({ orders: [] })
    expect(await read(`/orders/${id}`, other)).toMatchObject({ error: { code: 'not_found' } })
  })
})

test('GET /orders returns the shopper’s orders from service and store: those with a purchase’s custom_id newest first, and none twice', async () => {
  const store = memoryStore({ now: () => begunAt })
  const carried = { carrier: 'custom_id', shopper: { userId: 'U1' } } as const
  const type = 'order_complete'
  for (const [changes, ...ids] of [
    [carried, 'a', 'b', 'guest-1'],
    [{ ...carried, carrier: 'return_url' }, 'elsewhere'],
    [{ ...carried, shopper: { customId: 'U1' } }, 'spelt alike'],
  ] as const) {
    const purchase = purchaseOf(changes)
    await store.purchases.begin(purchase)
    for (const id of ids) {
      const summary = JSON.stringify({ id, type, decline: null })
      await store.purchases.record(purchase.id, { id, type, state: 'matched', summary })
    }
  }
  const asked: unknown[] = []
  const answering: typeof fetch = async (address) => {
    const id = new URL(String(address)).searchParams.get('custom_id')
    if (id !== null) asked.push(id)
    return Response.json([id, 'eve'].map((custom_id) => ({ id: custom_id, type, custom_id })))
  }
  const tokens = { get: async () => ({ accessToken: 'token', expiresAt: null }) }
  const listed = async (shopper: Shopper): Promise<string[]> => {
    const authorize = () => ({ ...shopper, formerly: ['guest-1'] })
    const shop = companionOf(service.client({ fetch: answering }), { store, tokens, authorize })
    asked.length = 0
    const { orders } = (await bodyOf(shop.fetch(get('/orders')))) as { orders: OrderSummary[] }
    return orders.map(({ id }) => id)
  }
  expect(await listed({ customId: 'ada' })).toEqual(['ada', 'guest-1'])
  expect(asked).toEqual(['ada', 'guest-1'])
  // The service lists by the shop's ids only.
  expect(await listed({ userId: 'U1' })).toEqual(['guest-1', 'b', 'a'])
  expect(asked).toEqual(['guest-1'])
})

describe('GET /subscriptions', () => {
  test('returns this shopper’s subscriptions without personal data', async () => {
    await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
    await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-2' })
    const { subscriptions } = (await bodyOf(ask(get('/subscriptions', 'shopper-1')))) as {
      subscriptions: object[]
    }
    expect(subscriptions).toHaveLength(1)
    expect(subscriptions[0]).toMatchObject({
      product_id: 'club-monthly',
      next_paid_date: expect.stringMatching(/^\d{4}-.*Z$/),
      failed_to_paid: false,
      next_paid: true,
    })
    expect(subscriptions[0]).not.toHaveProperty('user_id')
    expect(subscriptions[0]).not.toHaveProperty('raw')
  })

  test('returns an empty list to a shopper without any, and none of another whose id is only spelt alike', async () => {
    expect(await bodyOf(ask(get('/subscriptions', 'shopper-3')))).toEqual({ subscriptions: [] })
    const { user_id = '' } = await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
    expect(await bodyOf(ask(get('/subscriptions', user_id)))).toEqual({ subscriptions: [] })
    expect(await bodyOf(ask(get('/subscriptions', `:${user_id}`)))).toMatchObject({ subscriptions: [{}] })
  })

  test('looks up each former id, and the latest paid purchase of each product whose id is in its custom_id', async () => {
    const asked: string[] = []
    const watched: typeof fetch = (address, init) => {
      if (String(address).includes('user_subscription')) asked.push(JSON.parse(String(init?.body)).custom_id)
      return fetch(address, init)
    }
    const shop = companionOf(service.client({ fetch: watched }), {
      carry: 'custom_id',
      authorize: () => ({ customId: 'ada', formerly: ['guest-1'] }),
      onOrder() {},
    })
    const paid: string[] = []
    for (const [product_id, isPaid] of [
      ['club-monthly', true],
      ['club-yearly', true],
      ['club-monthly', true],
      ['club-monthly', false],
    ] as const) {
      const created = bodyOf(shop.fetch(post('/token', { params: { product_id } })))
      const { params, purchaseId } = (await created) as TokenGrant
      if (!isPaid) continue
      const { id } = await service.buy(params)
      await shop.syncOrder({ order_id: id })
      const read = (): Promise<unknown> => bodyOf(shop.fetch(get(`/purchases/${purchaseId}`)))
      await expect.poll(read).toMatchObject({ status: 'complete' })
      paid.push(`purchase_${purchaseId}`)
    }
    asked.length = 0
    expect(await bodyOf(shop.fetch(get('/subscriptions')))).toMatchObject({ subscriptions: [{}, {}] })
    expect(asked.sort()).toEqual(['ada', 'guest-1', ...paid.slice(1)].sort())
  })

  test.each([
    ['404 of the service', 404, '{"error":true,"message":"unknown"}', 200],
    ['404 without a body', 404, '', 200],
    ['404 of a gateway', 404, '<h1>Not found</h1>', 503],
    ['500', 500, '', 503],
  ])('an answer %s is answered correctly', async (_, status, body, answered) => {
    const failing: typeof fetch = async (address, init) =>
      String(address).includes('user_subscription') ? new Response(body, { status }) : fetch(address, init)
    const shop = companionOf(service.client({ fetch: failing, maxRetries: 0 }), { onError: () => {} })
    expect((await shop.fetch(get('/subscriptions', 'ada'))).status).toBe(answered)
  })
})

// Promise: launch/shopper-ids
describe('where orders carry the purchase’s id as their custom_id', () => {
  /** Bought by Ada; requested by a shopper whose id equals Ada's purchase, or its custom id. */
  async function askedAs(spelt: (purchaseId: string) => object) {
    const store = memoryStore()
    const errors: unknown[] = []
    const shop = companionOf(client, { store, carry: 'custom_id' })
    const granted = (await bodyOf(shop.fetch(post('/token', {}, 'ada')))) as TokenGrant
    const { id } = await service.buy({ ...granted.params, product_id: 'club-monthly' })
    await shop.fetch(get(`/purchases/${granted.purchaseId}?returned=1`, 'ada'))
    const mallory = companionOf(client, {
      store,
      carry: 'custom_id',
      authorize: () => spelt(granted.purchaseId) as { customId: string },
      onError: (error) => errors.push(error),
    })
    const ask = async (path: string) => {
      const response = await mallory.fetch(get(path))
      return { status: response.status, text: await response.text() }
    }
    const answers = [await ask('/orders'), await ask(`/orders/${id}`), await ask('/subscriptions')]
    return { answers, errors, id }
  }

  test('a shopper whose id is spelt like another’s purchase reads nothing of it', async () => {
    for (const spelt of [
      (customId: string) => ({ customId }),
      (purchaseId: string) => ({ customId: 'mallory', formerly: [purchaseId] }),
    ]) {
      const { answers, id } = await askedAs(spelt)
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 200])
      for (const { text } of answers) expect(text).not.toContain(id)
      expect(answers[2]?.text).toBe('{"subscriptions":[]}')
    }
  })

  test('a shopper’s id in the form of a purchase’s custom_id is refused, also as a former one', async () => {
    for (const spelt of [
      (purchaseId: string) => ({ customId: `purchase_${purchaseId}` }),
      (purchaseId: string) => ({ customId: 'mallory', formerly: [`purchase_${purchaseId}`] }),
    ]) {
      const { answers, errors } = await askedAs(spelt)
      expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
      expect(errors[0]).toMatchObject({ name: 'InvalidInputError' })
      expect(String(errors[0])).toContain('give shoppers ids of their own')
    }
  })
})
