// Promise: companion/orders
/** `GET /orders` and `GET /subscriptions`: a shopper’s own records, without personal data. */
import { describe, expect, test } from 'vitest'
import type { OrderSummary, TokenGrant } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, get, post, shopOrigin } from '../support/companion.ts'
import { declinedCard, newUser } from '../support/service.ts'

const { service, client, ask } = await companionOfThisFile()

describe('GET /orders', () => {
  test('gives this shopper’s orders without personal data', async () => {
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

  test('passes on return addresses of allowed origins, and leaves any other out', async () => {
    const placeholder = `${shopOrigin}/placeholder`
    const { id } = await service.buy({
      product_id: 'gold-100',
      custom_id: 'shopper-1',
      redirect_url: placeholder,
      fail_redirect_url: placeholder,
    })
    /** What a page is told of an order that has this address: by one order and by the list. */
    async function told(address: string): Promise<unknown[]> {
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
      expect(await told(address)).toEqual([address, address, address, address])
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
      expect(await told(address), address).toEqual([undefined, undefined, undefined, undefined])
    }
  })

  test('gives one order by its id', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const answer = await bodyOf(ask(get(`/orders/${order.id}`, 'shopper-1')))
    expect(answer).toMatchObject({ order: { id: order.id, type: 'order_complete' } })
  })

  test('answers the same to an unknown order and to another shopper’s', async () => {
    const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
    const unknown = await ask(get('/orders/unknown', 'shopper-2'))
    const other = await ask(get(`/orders/${order.id}`, 'shopper-2'))
    expect([unknown.status, other.status]).toEqual([404, 404])
    expect(await other.text()).toBe(await unknown.text())
    expect(Object.fromEntries(other.headers)).toEqual(Object.fromEntries(unknown.headers))
  })

  test('gives the shopper their order also where its custom_id is the purchase’s', async () => {
    const app = companionOf(client, { carry: 'custom_id' })
    const { params } = (await bodyOf(app.fetch(post('/token', {}, 'shopper-1')))) as TokenGrant
    const { id } = await service.buy({ ...params, product_id: 'gold-100' })
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-1'))).status).toBe(200)
    expect((await app.fetch(get(`/orders/${id}`, 'shopper-2'))).status).toBe(404)
  })

  test('gives a shopper’s orders from before they signed in', async () => {
    // However many ids they have had, the latest count.
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
  ])('gives orders %s, to their shopper alone', async (_, sessionOf, options) => {
    const { user_id } = await client.users.create(newUser)
    const [shopper, other] = [sessionOf(user_id), sessionOf('another').replace('ada', 'eve')]
    const shop = companionOf(client, { ...options, rateLimit: { perShopper: 10_000 } })
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

describe('GET /subscriptions', () => {
  test('gives this shopper’s subscriptions without personal data', async () => {
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

  test('gives an empty list to a shopper who has none', async () => {
    expect(await bodyOf(ask(get('/subscriptions', 'shopper-3')))).toEqual({ subscriptions: [] })
  })
})
