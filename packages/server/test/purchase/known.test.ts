// Promise: known/status
/** What a page is told of its purchase, and how seldom the service is asked for it. */
import { beforeEach, expect, test } from 'vitest'
import { type CompanionOptions, memoryStore, type PurchaseAnswer } from '../../src/index.ts'
import { get, mount, shopOrigin } from '../support/companion.ts'
import { declinedCard } from '../support/service.ts'
import { type Instance, openInstance, withoutReconciling } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let time = 0
const now = (): number => time
/** Reads of orders by id and by shopper. */
let reads: string[]

beforeEach(() => {
  time = Date.now()
  reads = []
})

const counting: typeof fetch = (input, init) => {
  const [, operation] = /(order_history|transactions\/data)/.exec(String(input)) ?? []
  if (operation) reads.push(operation)
  return fetch(input, init)
}

const shopOf = (options: Partial<CompanionOptions> = {}, fetch = counting): Instance =>
  openInstance(service.client({ fetch }), withoutReconciling(memoryStore({ now })), { now, ...options })

const lists = (): number => reads.filter((read) => read === 'order_history').length

test('a purchase is known as paid, verified, and delivered once', async () => {
  const { companion, heard, begin, ask } = shopOf({
    createPurchase: ({ params }) => ({
      params: { product_id: params.product_id, quote: 'USD', quote_amount: '9.99' },
      returnUrl: '/thanks',
      reference: 'basket-7',
    }),
  })
  const { purchaseId, params } = await begin('ada', { product_id: 'gold-100' })
  expect(params).toEqual({
    product_id: 'gold-100',
    quote: 'USD',
    quote_amount: '9.99',
    custom_id: 'ada',
    redirect_url: `${mount}/return/${purchaseId}`,
    fail_redirect_url: `${mount}/return/${purchaseId}/failed`,
    redirect_page: 'self',
  })
  const { id } = await service.buy(params)
  expect(await ask(purchaseId, 'ada', '?returned=1')).toEqual({
    begun: true,
    status: 'complete',
    fresh: true,
    state: 'matched',
    order: expect.objectContaining({ id, type: 'order_complete', quote_amount: '9.99' }),
    returnUrl: `${shopOrigin}/thanks?purchase=${purchaseId}`,
  })
  const nothing = { begun: false, status: 'none', fresh: true, state: null, order: null, returnUrl: null }
  expect(await ask(purchaseId, 'eve')).toEqual(nothing)
  expect(await ask(purchaseId)).toEqual({ status: 'complete', fresh: true, begun: false })
  await companion.reconcile()
  expect(heard.map(({ order, purchase }) => [order.id, purchase.state, purchase.reference])).toEqual([
    [id, 'matched', 'basket-7'],
  ])
})

test('a purchase is delivered when the shopper comes back, also when nobody else tells of it', async () => {
  const store = memoryStore({ now })
  const { companion, heard, begin } = shopOf({ store: withoutReconciling(store) })
  const { purchaseId, params } = await begin('ada')
  // The first look of the process is over before there is anything to find; the next one comes in five minutes.
  await expect.poll(() => store.get('reconcile:hour')).not.toBeNull()
  await service.buy(params)
  await companion.fetch(get(`/return/${purchaseId}`))
  await expect.poll(() => heard.map(({ purchase }) => purchase.state)).toEqual(['matched'])
})

// Promise: known/reads
test('a purchase that goes well is told by four reads at most', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin('ada')
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

test('an order in a state that nobody has listed is on its way (U14)', async () => {
  await service.control('PATCH', '/switches', { statuses: 'unlisted', paymentMs: 2_000 })
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin('ada')
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
  const { companion, begin } = shopOf()
  for (const [asked, accepted, action] of [
    [{ locale: 'de' }, 'fr', 'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.'],
    [{}, 'fr', 'Approvisionnez votre compte et réessayez.'],
    [{}, '', 'Add funds and try again.'],
  ] as const) {
    const { purchaseId, params } = await begin('ada', asked)
    await service.buy(params, declinedCard('4004'))
    time += 3_000
    const headers = { 'accept-language': accepted }
    const answer = await companion.fetch(get(`/purchases/${purchaseId}`, 'ada', headers))
    expect(await answer.json()).toMatchObject({ order: { decline: { code: '4004', action } } })
  }
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
    short,
  )
  const { purchaseId, params } = await begin('ada')
  await service.buy({ ...params, base: 'BTC', address: 'bc1qsomebodyelse0000000000000000000000000' })
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'mismatched' })
  await expect.poll(() => heard).toEqual(['mismatched'])
})
