/** Which purchase an order settles: paid twice, renewed, or somebody else's, as the real sandbox writes the orders. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { CompanionOptions, Order } from '../../src/index.ts'
import { shopOf as openShop } from '../support/sandboxShop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
const clock = { time: 0 }
beforeEach(() => {
  clock.time = Date.now()
})

const DAY_MS = 86_400_000

const shopOf = (options: Partial<CompanionOptions> = {}) => openShop(service, clock, options)

/** The orders that the service charges for by itself, a month later. */
async function renewalsOf(custom_id: string, first: Order, passes = 32 * DAY_MS): Promise<Order[]> {
  await service.control('POST', '/clock', { advanceSeconds: passes / 1_000 })
  clock.time += passes
  const client = service.client()
  const { accessToken } = await client.accessTokens.create()
  const records = await client.orders.list({ accessToken, custom_id })
  const ids = records.map(({ id }) => id ?? '').filter((id) => id !== first.id)
  return Promise.all(ids.map((order_id) => client.transactions.retrieve({ order_id })))
}

// Promise: match/matched
describe('one purchase', () => {
  // Promise: match/duplicate
  test('is settled by the order that comes first, and paid twice by the next', async () => {
    const { begin, stateOf, store } = shopOf()
    const { purchaseId, params } = await begin()
    const [first, second] = [await service.buy(params), await service.buy(params)]
    expect(await stateOf(first)).toMatchObject({ id: purchaseId, state: 'matched', differences: [] })
    expect(await stateOf(second)).toMatchObject({ id: purchaseId, state: 'duplicate' })
    expect((await store.purchases.find(purchaseId))?.claimedBy).toBe(first.id)
  })

  test.each(['asGiven', 'cutAt255', 'withQuery'])(
    'is found with return addresses %s',
    async (returnAddresses) => {
      await service.control('PATCH', '/switches', { returnAddresses })
      const { begin, stateOf } = shopOf()
      const { params } = await begin()
      expect(await stateOf(await service.buy(params))).toMatchObject({ state: 'matched' })
    },
  )

  test.each([
    ['asGiven', 'matched'],
    ['rounded', 'mismatched'],
    ['withFees', 'mismatched'],
  ])('with amounts %s is %s (U23)', async (amounts, state) => {
    await service.control('PATCH', '/switches', { amounts })
    const { begin, stateOf } = shopOf()
    const { params } = await begin()
    expect(await stateOf(await service.buy(params))).toMatchObject({ state })
  })

  // Promise: match/carry
  test('is found by custom_id where return addresses do not come back', async () => {
    await service.control('PATCH', '/switches', { returnAddresses: 'absent' })
    const { begin, stateOf } = shopOf({ carry: 'custom_id' })
    const { params, purchaseId } = await begin()
    expect(await stateOf(await service.buy(params))).toMatchObject({ id: purchaseId, state: 'matched' })
  })
})

// Promise: match/renewal
describe('a subscription', () => {
  /** Bought, matched and charged again, while the service goes on answering with the dates of before until `move` is called. */
  async function chargedAhead(renewalAddresses: string) {
    await service.control('PATCH', '/switches', { renewalAddresses })
    let before: string | null = null
    const stale: typeof fetch = async (input, init) =>
      before !== null && String(input).includes('user_subscription')
        ? new Response(before, { headers: { 'content-type': 'application/json' } })
        : fetch(input, init)
    const errors: unknown[] = []
    const shop = shopOf({ client: service.client({ fetch: stale }), onError: (error) => errors.push(error) })
    const { params } = await shop.begin({ product_id: 'club-monthly' })
    const first = await service.buy(params)
    expect(await shop.stateOf(first)).toMatchObject({ state: 'matched' })
    const [subscription] = await service.client().subscriptions.list({ custom_id: 'ada' })
    before = JSON.stringify(subscription?.raw)
    const nextPaid = subscription?.next_paid_date?.getTime() ?? 0
    const [renewal] = await renewalsOf('ada', first, nextPaid + 60_000 - clock.time)
    if (!renewal) throw new Error('Nothing was charged.')
    await shop.companion.syncOrder({ order_id: renewal.id })
    await expect.poll(() => errors).toMatchObject([{ name: 'UnexpectedResponseError' }])
    expect(shop.heard).toHaveLength(1)
    const move = (): void => {
      before = null
    }
    return { ...shop, renewal, move }
  }

  test.each(['blank', 'copied'])(
    'a renewal whose order is listed before the subscription’s dates move is delivered as a renewal, addresses %s',
    async (renewalAddresses) => {
      const { heard, move, renewal } = await chargedAhead(renewalAddresses)
      move()
      // The job comes back by itself.
      clock.time += 5_000
      await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(2)
      expect(heard[1]).toMatchObject({ order: { id: renewal.id }, purchase: { state: 'renewal' } })
    },
  )

  test.each([
    ['blank', 'none'],
    ['copied', 'duplicate'],
  ])('whose dates do not move in an hour explains no order, addresses %s', async (addresses, state) => {
    const { stateOf, renewal } = await chargedAhead(addresses)
    clock.time += 3_600_000
    expect(await stateOf(renewal)).toMatchObject({ state })
  })

  test.each([0, 1])('that was charged %i times more renews nothing that was not charged', async (charges) => {
    await service.control('PATCH', '/switches', { renewalAddresses: 'blank' })
    const { begin, stateOf } = shopOf()
    const { params } = await begin({ product_id: 'club-monthly' })
    const first = await service.buy(params)
    expect(await stateOf(first)).toMatchObject({ state: 'matched' })
    const charged = charges > 0 ? await renewalsOf('ada', first) : []
    for (const order of charged) expect(await stateOf(order)).toMatchObject({ state: 'renewal' })
    expect(charged).toHaveLength(charges)

    const { redirect_url: _, fail_redirect_url: __, ...bare } = params
    expect(await stateOf(await service.buy(bare))).toMatchObject({ state: 'none' })
  })
})
