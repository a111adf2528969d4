// Promise: match/renewal
/** A subscription over two years of the service's clock: each charge is a renewal, and is delivered once. */
import { expect, test } from 'vitest'
import { full, proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { type CompanionOptions, type CreatePurchase, memoryStore, type Order } from '../../src/index.ts'
import { type Instance, openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

const DAY_MS = 86_400_000

interface Listed {
  id: string
}

interface Club {
  shop: Instance
  /** Advances the clock of the service and the shop. */
  pass(ms: number): Promise<void>
}

/** At this price the charges of two years stay below the sandbox's limit for a shopper without full KYC. */
const createPurchase: CreatePurchase = ({ params: { product_id } }) => ({
  params: { product_id, quote: 'USD', quote_amount: '1.99' },
})

function openClub(carry: 'return_url' | 'custom_id', options: Partial<CompanionOptions> = {}): Club {
  let time = Date.now()
  const now = (): number => time
  return {
    shop: openInstance(service.client(), memoryStore({ now }), {
      carry,
      now,
      createPurchase,
      ...options,
    }),
    async pass(ms) {
      await service.control('POST', '/clock', { advanceSeconds: ms / 1_000 })
      time += ms
    },
  }
}

/** Sends the shop every new order, twice, and waits until it has received each, once. */
function tellAll(shop: Instance): () => Promise<void> {
  const announced = new Set<string>()
  return async () => {
    const orders = (await service.control('GET', '/orders')) as Listed[]
    const unannounced = orders.filter(({ id }) => !announced.has(id))
    for (const { id } of [...unannounced, ...unannounced]) expect(await shop.webhook(id)).toBe(202)
    for (const { id } of unannounced) announced.add(id)
    await expect.poll(() => shop.received.length, { timeout: 30_000 }).toBe(orders.length)
  }
}

const SHAPES = ['one', 'array', 'data']
const CARRIERS = ['return_url', 'custom_id'] as const
const ADDRESSES = ['blank', 'copied']
const club = { product_id: 'club-monthly' }

/** Pays as this person, whatever the widget's `custom_id`. */
const payAs = async (person: string, params: Record<string, string>): Promise<Order> =>
  (await service.control('POST', '/purchases', { params, email: `${person}@shopper.example.com` })) as Order

const every = SHAPES.flatMap((shape) =>
  CARRIERS.flatMap((carry) => ADDRESSES.map((addresses) => [shape, carry, addresses] as const)),
)
/** Each value, and each carrier with each kind of addresses. */
const some: typeof every = [
  ['one', 'return_url', 'blank'],
  ['array', 'return_url', 'copied'],
  ['data', 'custom_id', 'blank'],
  ['one', 'custom_id', 'copied'],
]

test.each(full ? every : some)(
  'no other subscription hides a renewal: answers of shape %s, carry %s, addresses %s',
  async (subscriptionResponse, carry, renewalAddresses) => {
    await service.control('PATCH', '/switches', { subscriptionResponse, renewalAddresses })
    const { shop, pass } = openClub(carry)
    const tell = tellAll(shop)
    const subscribe = async (product_id: string): Promise<Record<string, string>> => {
      const { params } = await shop.begin('ada', { product_id })
      await payAs('ada', params)
      await tell()
      return params
    }
    const first = await subscribe('club-monthly')
    // Ada's own: the same product again, and another one.
    await pass(9 * DAY_MS)
    await subscribe('club-monthly')
    await subscribe('club-yearly')
    // Another shopper's, newer than all of Ada's, under Ada's custom id.
    await pass(DAY_MS)
    const { redirect_url: _, fail_redirect_url: __, ...stolen } = first
    await payAs('eve', { ...stolen, quote_amount: '0.01' })
    await payAs('eve', stolen)
    await tell()
    const months = proofRuns(24, 3)
    for (let month = 0; month < months; month++) {
      // Between two charges, so that each arrives before the next is due.
      for (const days of [11, 11, 8.5]) {
        await pass(days * DAY_MS)
        await tell()
      }
    }
    const by = (person: string) =>
      shop.received.filter(({ order }) => order.email === `${person}@shopper.example.com`)
    const renewals = by('ada').slice(3)
    expect(renewals.length).toBeGreaterThanOrEqual(2 * months)
    expect(by('ada').map(({ purchase }) => purchase.state)).toEqual([
      ...['matched', 'matched', 'matched'],
      ...renewals.map(() => 'renewal'),
    ])
    expect(by('eve').filter(({ purchase }) => ['matched', 'renewal'].includes(purchase.state))).toEqual([])
    recordFigure(
      `paid renewals beside other subscriptions that are renewals, shape ${subscriptionResponse}, by ${carry}, addresses ${renewalAddresses}`,
      `${renewals.filter(({ purchase }) => purchase.state === 'renewal').length} of ${renewals.length}`,
    )
  },
)

test.each(['one', 'array'])(
  'two subscriptions of one shopper to one product each have a renewal a month, for more than a year: answers of shape %s',
  async (subscriptionResponse) => {
    await service.control('PATCH', '/switches', { subscriptionResponse })
    const { shop, pass } = openClub('return_url')
    const tell = tellAll(shop)
    for (const _ of ['one', 'two']) await payAs('ada', (await shop.begin('ada', club)).params)
    await tell()
    // Thirteen times 28 days is less than a year: by then each may count one charge more than it had.
    for (let month = 0; month < 14; month++) {
      const before = shop.received.length
      await pass(30.5 * DAY_MS)
      await tell()
      const renewed = shop.received.slice(before)
      expect(renewed.map(({ purchase }) => purchase.state)).toEqual(renewed.map(() => 'renewal'))
    }
    expect(shop.received.length).toBeGreaterThanOrEqual(2 * 14)
  },
)

test.each(ADDRESSES)(
  'a second payment whose subscription was cancelled hides no renewal of the first, addresses %s',
  async (renewalAddresses) => {
    await service.control('PATCH', '/switches', { renewalAddresses })
    const { shop, pass } = openClub('return_url')
    const { params } = await shop.begin('ada', club)
    const tell = tellAll(shop)
    await payAs('ada', params)
    await tell()
    // Its card pays once: the service does not charge it again.
    const card_number = '4000000000000341'
    await service.control('POST', '/purchases', { params, card_number, email: 'ada@shopper.example.com' })
    await tell()
    await pass(36 * DAY_MS)
    await tell()
    const paid = shop.received.filter(({ order }) => order.type === 'order_complete')
    expect(paid.map(({ purchase }) => purchase.state)).toEqual(['matched', 'duplicate', 'renewal'])
  },
)

test.each([
  ['blank', 'none'],
  ['copied', 'renewal'],
])('a failed charge with addresses %s is %s', async (renewalAddresses, state) => {
  await service.control('PATCH', '/switches', { renewalAddresses })
  const { shop, pass } = openClub('return_url')
  const { params } = await shop.begin('ada', club)
  // Its card pays once.
  const card_number = '4000000000000341'
  await service.control('POST', '/purchases', { params, card_number, email: 'ada@shopper.example.com' })
  const tell = tellAll(shop)
  await tell()
  await pass(31 * DAY_MS)
  await tell()
  const [first, ...charges] = shop.received.map(({ order, purchase }) => [order.type, purchase.state])
  expect(first).toEqual(['order_complete', 'matched'])
  // The sandbox tries the card again.
  expect(new Set(charges.map(String))).toEqual(new Set([`order_failed,${state}`]))
})

test('a subscription to a product that the shopper chose is renewed, with a webhook and without', async () => {
  const { shop, pass } = openClub('return_url', {
    createPurchase: () => ({ params: { quote: 'USD', quote_amount: '1.99' }, open: ['product_id'] }),
  })
  const { params } = await shop.begin('ada')
  const tell = tellAll(shop)
  await payAs('ada', { ...params, ...club })
  await tell()
  await pass(2 * 3_600_000)
  await shop.companion.reconcile()
  await pass(31 * DAY_MS)
  await tell()
  await pass(31 * DAY_MS)
  await shop.companion.reconcile()
  await expect.poll(() => shop.received.length, { timeout: 30_000 }).toBe(3)
  expect(shop.received.map(({ purchase }) => purchase.state)).toEqual(['matched', 'renewal', 'renewal'])
})

test('a renewal that is announced while the service refuses to show the subscription is delivered as one, and so is a lost one', async () => {
  const { shop, pass } = openClub('return_url')
  const refuse = (count: number) =>
    service.control('POST', '/faults', { operation: 'getSubscription', kind: 'status', status: 404, count })
  const tell = tellAll(shop)
  await payAs('ada', (await shop.begin('ada', club)).params)
  await tell()
  // The first check: by the shopper and by the product.
  await pass(1.5 * 3_600_000)
  await refuse(2)
  await shop.companion.reconcile()
  await pass(DAY_MS)
  await shop.companion.reconcile()
  // The renewal: also by the user.
  await pass(30 * DAY_MS)
  await refuse(3)
  await tell()
  // Of the next one no webhook arrives, and the first check after its date is refused.
  await pass(31 * DAY_MS)
  await refuse(2)
  await shop.companion.reconcile()
  await pass(DAY_MS)
  await shop.companion.reconcile()
  await expect.poll(() => shop.received.length, { timeout: 30_000 }).toBe(3)
  expect(shop.received.map(({ purchase }) => purchase.state)).toEqual(['matched', 'renewal', 'renewal'])
})
