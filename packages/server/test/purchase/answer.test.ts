// Promise: known/whose
/** What is told of a purchase: of which order, and to whom. */
import type * as loader from '@purchase-widget/loader'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Decline, OrderSummary, PurchaseAnswer } from '../../src/index.ts'
import { summarise } from '../../src/purchase/summary.ts'
import { ada, eve, knowing, knownOrderOf, nothing, rowOf } from '../support/status.ts'

describe('of the orders', () => {
  const places = { returnUrl: 'https://shop.example/thanks', failReturnUrl: 'https://shop.example/sorry' }

  test.each<[string[], string | null, PurchaseAnswer['status'], string | null]>([
    [[], null, 'none', null],
    [['started'], null, 'pending', 'started'],
    [['started', 'started again'], null, 'pending', 'started again'],
    [['declined'], null, 'failed', 'declined'],
    [['declined', 'declined again'], null, 'failed', 'declined again'],
    [['declined', 'started'], null, 'pending', 'started'],
    [['started', 'declined'], null, 'pending', 'started'],
    [['paid'], null, 'complete', 'paid'],
    [['paid', 'paid again'], null, 'complete', 'paid again'],
    [['paid', 'declined', 'started'], null, 'complete', 'paid'],
    [['paid', 'paid again', 'started'], 'paid', 'complete', 'paid'],
    [[], 'paid', 'pending', null],
    [['declined'], 'paid', 'pending', null],
    [['paid again'], 'paid', 'pending', null],
    [['paid again', 'started'], 'paid', 'pending', 'started'],
    [['started'], 'started', 'pending', 'started'],
  ])('%j, settled by %j: %s, by %j', async (ids, claimedBy, status, told) => {
    const row = rowOf(
      ids.map((id) => knownOrderOf(id)),
      claimedBy,
      places,
    )
    const { world, known } = knowing(row)
    const { id } = row.purchase
    const returnUrl = { complete: places.returnUrl, failed: places.failReturnUrl, pending: null, none: null }[
      status
    ]
    expect(await known(id, ada, false)).toEqual({
      status,
      fresh: true,
      state: told === null ? null : 'matched',
      order: told === null ? null : JSON.parse(knownOrderOf(told).summary),
      returnUrl: returnUrl === null ? null : `${returnUrl}?purchase=${id}`,
      begun: true,
    })
    // What is settled is never read again.
    expect(world.reads).toEqual(status === 'complete' ? [] : [id])
    world.time += 3_000
    expect(await known(id, null, false)).toEqual({ status, fresh: true, begun: false })
  })

  test('the state is the one that was recorded', async () => {
    const row = rowOf([knownOrderOf('paid', 'mismatched')])
    expect(await knowing(row).known(row.purchase.id, ada, false)).toMatchObject({ state: 'mismatched' })
  })

  test('a decline says what to do in the language of the purchase, else in the best that is asked for', async () => {
    const decline = { code: '4004', reason: 'r', action: 'a' }
    const summary = JSON.stringify({ id: 'declined', type: 'order_failed', decline })
    const actions: (string | undefined)[] = []
    for (const [locale, preferred] of [
      ['de', ['fr']],
      [null, ['fr', 'de']],
      [null, []],
      [null, undefined],
    ] as const) {
      const row = rowOf([{ ...knownOrderOf('declined'), summary }], null, { locale })
      const { order } = await knowing(row).known(row.purchase.id, ada, false, preferred)
      actions.push(order?.decline?.action)
    }
    expect(actions).toEqual([
      'Sorgen Sie für ausreichende Kontodeckung und versuchen Sie es erneut.',
      'Approvisionnez votre compte et réessayez.',
      'Add funds and try again.',
      'Add funds and try again.',
    ])
  })
})

describe('who asks', () => {
  const row = rowOf([knownOrderOf('declined')])
  const { id } = row.purchase

  test.each([
    ['another shopper', id, eve],
    ['the shopper, for an id that was never given', 'x'.repeat(22), ada],
  ])('learns nothing, and reads nothing: %s', async (_, asked, caller) => {
    const { world, known } = knowing(row)
    expect(await known(asked, caller, true)).toEqual({ ...nothing, fresh: true })
    expect(world.reads).toEqual([])
  })

  test('without a session is told the status of an id, and no more', async () => {
    const { world, known } = knowing(row)
    expect(await known('x'.repeat(22), null, true)).toEqual({ status: 'none', fresh: true, begun: false })
    expect(world.reads).toEqual([])
    expect(await known(id, null, true)).toEqual({ status: 'failed', fresh: true, begun: false })
    expect(world.reads).toEqual([id])
  })

  test('is told what the reading found', async () => {
    const { world, known } = knowing(row)
    world.read = async () => {
      world.rows = [{ ...row, claimedBy: 'paid', orders: [knownOrderOf('paid')] }]
    }
    expect(await known(id, ada, false)).toMatchObject({
      status: 'complete',
      fresh: true,
      order: { id: 'paid' },
    })
  })
})

// Neither package imports the other.
test('a summary has what the loader reads, and nothing more', () => {
  expectTypeOf<OrderSummary>().toEqualTypeOf<loader.OrderSummary>()
  expectTypeOf<Decline>().toEqualTypeOf<loader.Decline>()
})

// Promise: match/parts
test('a page is told nothing of a person, and only addresses of the merchant’s', () => {
  const both = {
    id: 'o1',
    type: 'order_failed',
    custom_id: 'ada',
    product_id: 'gold',
    base: 'ETH',
    base_amount: '1',
    quote: 'USD',
    quote_amount: '2',
    redirect_page: 'new',
    redirect_url: 'https://shop.example/thanks',
  }
  const order = {
    ...both,
    fail_reason: '4004',
    user_id: 'U1',
    email: 'ada@example.com',
    full_name: 'Ada',
    fail_redirect_url: 'https://evil.example/',
    raw: {},
  }
  const told = { ...both, decline: expect.objectContaining({ code: '4004' }) }
  const isOurs = (address: string): boolean => !address.includes('evil')
  expect(summarise(order, isOurs)).toEqual(told)
  for (const fail_redirect_url of ['javascript:alert(1)', 'http://shop.example/', 'nowhere', ''])
    expect(summarise({ ...order, fail_redirect_url }, isOurs)).toEqual(told)
  const bare = { id: 'o2', type: 'payment_started' }
  expect(summarise({ ...bare, raw: {} }, isOurs)).toStrictEqual({ ...bare, decline: null })
})
