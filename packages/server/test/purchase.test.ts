// Promise: known/status
/** A purchase from the click to its answer, against the real sandbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CreatePurchase,
  memoryStore,
  type OrderEvent,
  type PurchaseAnswer,
  type TokenGrant,
} from '../src/index.ts'
import { companionOf, get, mount, post, shopOrigin } from './support/companion.ts'
import { declinedCard, type Service, startService } from './support/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

const createPurchase: CreatePurchase = ({ params }) => ({
  params: { product_id: params.product_id, quote: 'USD', quote_amount: '9.99' },
  returnUrl: '/thanks',
  failReturnUrl: '/sorry?a=1',
  reference: 'basket-7',
})

async function bodyOf<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T
}

describe('a purchase that goes well', () => {
  test('is known as paid, verified, and delivered once', async () => {
    const events: OrderEvent[] = []
    const companion = companionOf(service.client(), {
      createPurchase,
      onOrder: (event) => void events.push(event),
    })
    const grant = await bodyOf<TokenGrant>(
      companion.fetch(post('/token', { params: { product_id: 'gold-100' }, surface: 'popup' }, 'ada')),
    )
    expect(grant.params).toEqual({
      product_id: 'gold-100',
      quote: 'USD',
      quote_amount: '9.99',
      custom_id: 'ada',
      redirect_url: `${mount}/return/${grant.purchaseId}`,
      fail_redirect_url: `${mount}/return/${grant.purchaseId}/failed`,
      redirect_page: 'self',
    })
    const ask = (shopper?: string): Promise<PurchaseAnswer> =>
      bodyOf(companion.fetch(get(`/purchases/${grant.purchaseId}?returned=1`, shopper)))

    const { id } = await service.buy(grant.params)
    expect(await ask('ada')).toEqual({
      begun: true,
      status: 'complete',
      fresh: true,
      state: 'matched',
      order: expect.objectContaining({ id, type: 'order_complete', quote_amount: '9.99' }),
      returnUrl: `${shopOrigin}/thanks?purchase=${grant.purchaseId}`,
    })
    expect(await ask('eve')).toEqual({
      begun: false,
      status: 'none',
      fresh: true,
      state: null,
      order: null,
      returnUrl: null,
    })
    expect(await ask()).toEqual({ status: 'complete', fresh: true, begun: false })

    await companion.reconcile()
    expect(events.map(({ order, purchase }) => [order.id, purchase.state, purchase.reference])).toEqual([
      [id, 'matched', 'basket-7'],
    ])
    await companion.close()
  })

  test('is delivered when the shopper comes back, also when nobody else tells of it', async () => {
    const events: OrderEvent[] = []
    const store = memoryStore()
    const companion = companionOf(service.client(), {
      createPurchase,
      store,
      onOrder: (event) => void events.push(event),
    })
    const { purchaseId, params } = await bodyOf<TokenGrant>(
      companion.fetch(post('/token', { params: { product_id: 'gold-100' } }, 'ada')),
    )
    // The first look of the process is over before there is anything to find; the next one comes in five minutes.
    await expect.poll(() => store.get('reconcile:hour')).not.toBeNull()
    await service.buy(params)
    await companion.fetch(get(`/return/${purchaseId}`))
    await expect.poll(() => events.map(({ purchase }) => purchase.state)).toEqual(['matched'])
  })
})

test('a declined try is failed, and the next one that is paid wins', async () => {
  const companion = companionOf(service.client(), { createPurchase })
  const { purchaseId, params } = await bodyOf<TokenGrant>(
    companion.fetch(post('/token', { params: { product_id: 'gold-100' } }, 'ada')),
  )
  const ask = (): Promise<PurchaseAnswer> => bodyOf(companion.fetch(get(`/purchases/${purchaseId}`, 'ada')))
  await service.buy(params, declinedCard('4004'))
  expect(await ask()).toMatchObject({
    status: 'failed',
    order: { decline: { code: '4004' } },
    returnUrl: `${shopOrigin}/sorry?a=1&purchase=${purchaseId}`,
  })
  await companion.close()
})
