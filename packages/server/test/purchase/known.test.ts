// Promise: known/status
/** Whole purchases with the real sandbox: what a page receives, how rarely the service is read, and which order settles a purchase. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type CompanionOptions, memoryStore, type Order, type PurchaseAnswer } from '../../src/index.ts'
import { get, mount, shopOrigin } from '../support/companion.ts'
import { declinedCard } from '../support/service.ts'
import { type Instance, openInstance, withoutReconciling } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let time = 0
const now = (): number => time
/** Reads of orders by id and by shopper. */
let reads: string[]

/** Milliseconds by which the clock for intervals is ahead. */
let passed = 0
const monotonic = performance.now.bind(performance)

beforeEach(() => {
  time = Date.now()
  reads = []
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + passed)
})
afterEach(() => void vi.restoreAllMocks())

/** On both clocks. */
function pass(ms: number): void {
  time += ms
  passed += ms
}

const counting: typeof fetch = (input, init) => {
  const [, operation] = /(order_history|transactions\/data)/.exec(String(input)) ?? []
  if (operation) reads.push(operation)
  return fetch(input, init)
}

const shopOf = (options: Partial<CompanionOptions> = {}, fetch = counting): Instance =>
  openInstance(service.client({ fetch }), withoutReconciling(memoryStore({ now })), { now, ...options })

const lists = (): number => reads.filter((read) => read === 'order_history').length

test('a purchase is reported as paid, verified, and delivered once', async () => {
  const { companion, received, begin, ask } = shopOf({
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
  expect(received.map(({ order, purchase }) => [order.id, purchase.state, purchase.reference])).toEqual([
    [id, 'matched', 'basket-7'],
  ])
})

test('a process without onOrder delivers nothing, and leaves the order to one that has it', async () => {
  const store = withoutReconciling(memoryStore({ now }))
  const open = (options: Partial<CompanionOptions>) =>
    openInstance(service.client(), store, { now, ...options })
  const web = open({ onOrder: undefined } as unknown as CompanionOptions)
  const { purchaseId, params } = await web.begin('ada', { product_id: 'gold-100' })
  const { id } = await service.buy(params)
  expect(await web.webhook(id)).toBe(202)
  expect(await web.ask(purchaseId, 'ada', '?returned=1')).toMatchObject({
    status: 'complete',
    state: 'matched',
  })
  await web.companion.close()
  const worker = open({})
  await worker.webhook(id)
  await expect.poll(() => worker.received.map(({ purchase }) => purchase.state)).toEqual(['matched'])
})

test('a purchase is delivered when the shopper returns, even without a webhook', async () => {
  const store = memoryStore({ now })
  const { companion, received, begin } = shopOf({ store: withoutReconciling(store) })
  const { purchaseId, params } = await begin('ada')
  // The first reconciliation of the process finds nothing; the next one comes in five minutes.
  await expect.poll(() => store.get('reconcile:hour')).not.toBeNull()
  await service.buy(params)
  await companion.fetch(get(`/return/${purchaseId}`))
  await expect.poll(() => received.map(({ purchase }) => purchase.state)).toEqual(['matched'])
})

// Promise: known/reads
test('a successful purchase takes four reads at most', async () => {
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
  pass(15_000)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'none' })
  const order = await service.buy(params)
  pass(15_000)
  for (let asked = 0; asked < 20; asked++) {
    expect(await ask(purchaseId, 'ada', '?returned=1')).toEqual({
      begun: true,
      status: 'complete',
      fresh: true,
      state: 'matched',
      order: expect.objectContaining({ id: order.id, type: 'order_complete' }),
      returnUrl: `${shopOrigin}/thanks?purchase=${purchaseId}`,
    })
    pass(10_000)
  }
  expect(lists()).toBe(3)
  expect(reads.length).toBeLessThanOrEqual(4)
})

test('a clock that was set back delays no read', async () => {
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin('ada')
  await ask(purchaseId, 'ada')
  await service.buy(params)
  pass(3_000)
  time -= 60_000
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', fresh: true })
})

test('an order in an unlisted state is pending (U14)', async () => {
  await service.control('PATCH', '/switches', { statuses: 'unlisted', paymentMs: 2_000 })
  const { begin, ask } = shopOf()
  const { purchaseId, params } = await begin('ada')
  const paying = service.buy(params)
  const asked = async (): Promise<PurchaseAnswer> => {
    pass(3_000)
    return ask(purchaseId, 'ada')
  }
  await expect
    .poll(asked)
    .toMatchObject({ status: 'pending', order: { type: 'payment_authorized' }, returnUrl: null })
  const { id } = await paying
  expect(await asked()).toMatchObject({ status: 'complete', state: 'matched', order: { id } })
})

test('the action after a decline is in the language of the purchase, else of the browser', async () => {
  const { companion, begin } = shopOf()
  for (const [asked, accepted, action] of [
    [{ locale: 'de' }, 'fr', 'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.'],
    [{}, 'fr', 'Approvisionnez votre compte et réessayez.'],
    [{}, '', 'Add funds and try again.'],
  ] as const) {
    const { purchaseId, params } = await begin('ada', asked)
    await service.buy(params, declinedCard('4004'))
    pass(3_000)
    const headers = { 'accept-language': accepted }
    const answer = await companion.fetch(get(`/purchases/${purchaseId}`, 'ada', headers))
    expect(await answer.json()).toMatchObject({ order: { decline: { code: '4004', action } } })
  }
})

test('an order that was paid has no decline, even if it keeps the reason of an earlier attempt (U25)', async () => {
  const stale: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(input).includes('order_history')) return response
    const orders = (await response.json()) as Record<string, unknown>[]
    return Response.json(orders.map((order) => ({ ...order, fail_reason: '4004' })))
  }
  const { begin, ask } = shopOf({}, stale)
  const { purchaseId, params } = await begin('ada')
  await service.buy(params)
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', order: { decline: null } })
})

test('page and onOrder receive the same state of an order that was changed in fields which the list leaves out', async () => {
  const short: typeof fetch = async (input, init) => {
    const response = await counting(input, init)
    if (!String(input).includes('order_history')) return response
    const orders = (await response.json()) as Record<string, unknown>[]
    return Response.json(orders.map(({ base: _, base_amount: __, address: ___, ...order }) => order))
  }
  const received: string[] = []
  const { begin, ask } = shopOf(
    {
      createPurchase: () => ({ params: { product_id: 'btc', quote: 'USD', quote_amount: '50.00' } }),
      onOrder: ({ purchase }) => void received.push(purchase.state),
    },
    short,
  )
  const { purchaseId, params } = await begin('ada')
  await service.buy({ ...params, base: 'BTC', address: 'bc1qsomebodyelse0000000000000000000000000' })
  expect(await ask(purchaseId, 'ada')).toMatchObject({ status: 'complete', state: 'mismatched' })
  await expect.poll(() => received).toEqual(['mismatched'])
})

/** The orders that the service charges automatically after this time. */
async function renewalsOf(custom_id: string, first: Order, passes: number): Promise<Order[]> {
  await service.control('POST', '/clock', { advanceSeconds: passes / 1_000 })
  time += passes
  const client = service.client()
  const { accessToken } = await client.accessTokens.create()
  const records = await client.orders.list({ accessToken, custom_id })
  const ids = records.map(({ id }) => id ?? '').filter((id) => id !== first.id)
  return Promise.all(ids.map((order_id) => client.transactions.retrieve({ order_id })))
}

// Promise: match/matched
describe('one purchase', () => {
  // Promise: match/duplicate
  test('a purchase is settled by its first order, and the next one is a duplicate', async () => {
    const { begin, stateOf } = shopOf()
    const { purchaseId, params } = await begin('ada')
    const [first, second] = [await service.buy(params), await service.buy(params)]
    expect(await stateOf(first)).toMatchObject({ id: purchaseId, state: 'matched', differences: [] })
    expect(await stateOf(second)).toMatchObject({ id: purchaseId, state: 'duplicate' })
  })

  // Promise: match/carry
  test.each<[object, string, 'return_url' | 'custom_id']>([
    [{ returnAddresses: 'asGiven' }, 'matched', 'return_url'],
    [{ returnAddresses: 'cutAt255' }, 'matched', 'return_url'],
    [{ returnAddresses: 'withQuery' }, 'matched', 'return_url'],
    [{ returnAddresses: 'absent' }, 'matched', 'custom_id'],
    [{ amounts: 'rounded' }, 'mismatched', 'return_url'],
    [{ amounts: 'withFees' }, 'mismatched', 'return_url'],
  ])('with a service of %j (U19, U23) an order is %s, found by %s', async (switches, state, carry) => {
    await service.control('PATCH', '/switches', switches)
    const { begin, stateOf } = shopOf({ carry })
    const { params, purchaseId } = await begin('ada')
    expect(await stateOf(await service.buy(params))).toMatchObject({ id: purchaseId, state })
  })
})

// Promise: match/renewal
describe('a subscription', () => {
  /** Bought, matched and charged again, while the service still returns the old dates until `move` is called. */
  async function chargedAhead(renewalAddresses: string) {
    await service.control('PATCH', '/switches', { renewalAddresses })
    let before: string | null = null
    const stale: typeof fetch = async (input, init) =>
      before !== null && String(input).includes('user_subscription')
        ? new Response(before, { headers: { 'content-type': 'application/json' } })
        : fetch(input, init)
    const errors: unknown[] = []
    const shop = shopOf({ onError: (error) => errors.push(error) }, stale)
    const { params } = await shop.begin('ada', { product_id: 'club-monthly' })
    const first = await service.buy(params)
    expect(await shop.stateOf(first)).toMatchObject({ state: 'matched' })
    const [subscription] = await service.client().subscriptions.list({ custom_id: 'ada' })
    before = JSON.stringify(subscription?.raw)
    const nextPaid = subscription?.next_paid_date?.getTime() ?? 0
    const [renewal] = await renewalsOf('ada', first, nextPaid + 60_000 - time)
    if (!renewal) throw new Error('Nothing was charged.')
    await shop.companion.syncOrder({ order_id: renewal.id })
    await expect
      .poll(() => errors)
      .toMatchObject([{ name: 'Error', message: expect.stringContaining('checked again') }])
    expect(shop.received).toHaveLength(1)
    const move = (): void => {
      before = null
    }
    return { ...shop, renewal, move }
  }

  test.each(['blank', 'copied'])(
    'a renewal whose order is listed before the subscription’s dates move is delivered as a renewal, addresses %s',
    async (renewalAddresses) => {
      const { received, move, renewal } = await chargedAhead(renewalAddresses)
      move()
      // The job is retried automatically.
      time += 5_000
      await expect.poll(() => received.length, { timeout: 30_000 }).toBe(2)
      expect(received[1]).toMatchObject({ order: { id: renewal.id }, purchase: { state: 'renewal' } })
    },
  )

  test.each([
    ['blank', 'none'],
    ['copied', 'duplicate'],
  ])('dates unchanged for an hour make an order no renewal, addresses %s', async (addresses, state) => {
    const { stateOf, renewal } = await chargedAhead(addresses)
    time += 3_600_000
    expect(await stateOf(renewal)).toMatchObject({ state })
  })
})
