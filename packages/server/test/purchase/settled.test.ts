/** Which purchase an order settles: paid twice, renewed, or somebody else's, as the real sandbox writes the orders. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type CompanionOptions, memoryStore, type Order } from '../../src/index.ts'
import { type Instance, openInstance, withoutReconciling } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let time = 0
const now = (): number => time
beforeEach(() => {
  time = Date.now()
})

function shopOf(options: Partial<CompanionOptions> = {}, client = service.client()): Instance {
  return openInstance(client, withoutReconciling(memoryStore({ now })), { now, ...options })
}

/** The orders that the service charges for by itself after such a time. */
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
  test('is settled by the order that comes first, and paid twice by the next', async () => {
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
  ])('of a service with %j (U19, U23) is %s, found by %s', async (switches, state, carry) => {
    await service.control('PATCH', '/switches', switches)
    const { begin, stateOf } = shopOf({ carry })
    const { params, purchaseId } = await begin('ada')
    expect(await stateOf(await service.buy(params))).toMatchObject({ id: purchaseId, state })
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
    const shop = shopOf({ onError: (error) => errors.push(error) }, service.client({ fetch: stale }))
    const { params } = await shop.begin('ada', { product_id: 'club-monthly' })
    const first = await service.buy(params)
    expect(await shop.stateOf(first)).toMatchObject({ state: 'matched' })
    const [subscription] = await service.client().subscriptions.list({ custom_id: 'ada' })
    before = JSON.stringify(subscription?.raw)
    const nextPaid = subscription?.next_paid_date?.getTime() ?? 0
    const [renewal] = await renewalsOf('ada', first, nextPaid + 60_000 - time)
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
      time += 5_000
      await expect.poll(() => heard.length, { timeout: 30_000 }).toBe(2)
      expect(heard[1]).toMatchObject({ order: { id: renewal.id }, purchase: { state: 'renewal' } })
    },
  )

  test.each([
    ['blank', 'none'],
    ['copied', 'duplicate'],
  ])('whose dates do not move in an hour explains no order, addresses %s', async (addresses, state) => {
    const { stateOf, renewal } = await chargedAhead(addresses)
    time += 3_600_000
    expect(await stateOf(renewal)).toMatchObject({ state })
  })
})
