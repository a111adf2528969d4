// Promise: known/whose
/** The status of a purchase: by which order, for whom, how often it is read from the service, and who waits for which read, and for how long. */
import type * as loader from '@purchase-widget/loader'
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { Decline, OrderSummary, PurchaseAnswer } from '../../src/index.ts'
import type { PurchaseRecord, RecordedOrder } from '../../src/purchase/purchase.ts'
import { createFindPurchase, createReadStatus, type ReadStatusOptions } from '../../src/purchase/status.ts'
import { summarise } from '../../src/purchase/summary.ts'
import { currentReader, TooManyReads } from '../../src/reads/turns.ts'
import { begunAt, rowOf } from '../support/purchases.ts'

type Reader = ReadStatusOptions['readOrders']

const ada = { shopper: { customId: 'ada' }, formerly: [] }
const eve = { shopper: { customId: 'eve' }, formerly: [] }
const nothing = { status: 'none', state: null, order: null, returnUrl: null, begun: false }

/** Purchase records that a test can change, and a service that reads as the test says. `reads` lists the reads. */
function knowing(...rows: PurchaseRecord[]) {
  const reads: string[] = []
  const errors: unknown[] = []
  const read: Reader = async () => {}
  const world = {
    time: begunAt,
    rows,
    find: async (id: string): Promise<PurchaseRecord | null> =>
      world.rows.find(({ purchase }) => purchase.id === id) ?? null,
    read,
    reads,
    errors,
  }
  const { readStatus: known } = createReadStatus({
    rows: { find: (id) => world.find(id) },
    readOrders(row) {
      world.reads.push(row.purchase.id)
      return world.read(row)
    },
    onError: (error) => void world.errors.push(error),
    now: () => world.time,
  })
  return { world, known }
}

/** A recorded order, whose id begins with its type. */
function knownOrderOf(id: string, state: RecordedOrder['state'] = 'matched'): RecordedOrder {
  const types: Record<string, string> = { paid: 'order_complete', declined: 'order_failed' }
  const type = types[id.split(' ')[0] ?? ''] ?? 'payment_started'
  return { id, type, state, summary: JSON.stringify({ id, type, decline: null }) }
}

/** A pending promise, and the functions that end it. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve = (_: T): void => {}
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve }
}

/** Lets everything continue that is not waiting for the test. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the status of a purchase', () => {
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
  ])('orders %j, settled by %j: %s, by %j', async (ids, claimedBy, status, told) => {
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
    // A settled purchase is never read again.
    expect(world.reads).toEqual(status === 'complete' ? [] : [id])
    world.time += 3_000
    expect(await known(id, null, false)).toEqual({ status, fresh: true, begun: false })
  })

  test('the state is the recorded one', async () => {
    const row = rowOf([knownOrderOf('paid', 'mismatched')])
    expect(await knowing(row).known(row.purchase.id, ada, false)).toMatchObject({ state: 'mismatched' })
  })
})

describe('the caller', () => {
  const row = rowOf([knownOrderOf('declined')])
  const { id } = row.purchase

  test.each([
    ['another shopper', id, eve],
    ['the shopper, for an id that was never given', 'x'.repeat(22), ada],
  ])('no data is returned, and nothing read, for %s', async (_, asked, caller) => {
    const { world, known } = knowing(row)
    expect(await known(asked, caller, true)).toEqual({ ...nothing, fresh: true })
    expect(world.reads).toEqual([])
  })

  test('a caller without a session receives the status of an id, and no more', async () => {
    const { world, known } = knowing(row)
    expect(await known('x'.repeat(22), null, true)).toEqual({ status: 'none', fresh: true, begun: false })
    expect(world.reads).toEqual([])
    expect(await known(id, null, true)).toEqual({ status: 'failed', fresh: true, begun: false })
    expect(world.reads).toEqual([id])
  })

  test.each(['', '\0'.repeat(22), 'x'.repeat(21), 'x'.repeat(23), '/'.repeat(22)])(
    'nothing is looked up by an id that no purchase has: %j',
    async (unlike) => {
      const { world, known } = knowing(row)
      world.find = () => Promise.reject(new Error('Postgres refuses NUL'))
      expect(await known(unlike, ada, false)).toEqual({ ...nothing, fresh: true })
      expect(world.errors).toEqual([])
    },
  )

  test('a caller receives what the read has found', async () => {
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
test('a summary has the fields that the loader reads, and no more', () => {
  expectTypeOf<OrderSummary>().toEqualTypeOf<loader.OrderSummary>()
  expectTypeOf<Decline>().toEqualTypeOf<loader.Decline>()
})

// Promise: match/parts
test('a page receives no personal data, and only the merchant’s addresses', () => {
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

// Promise: known/pace
describe('during a read', () => {
  test.each([
    ['who looks', false, false],
    ['who looks, a return’s', true, false],
    ['who has come back, a return’s', true, true],
  ])('%s waits for the same read', async (_, began, joins) => {
    const row = rowOf()
    const { world, known } = knowing(row)
    const reading = later<void>()
    world.read = () => reading.promise
    const first = known(row.purchase.id, ada, began)
    await turn()
    world.time += 3_000
    const second = known(row.purchase.id, ada, joins)
    await turn()
    expect(world.reads).toHaveLength(1)
    reading.resolve()
    expect([await first, await second]).toMatchObject([{ fresh: true }, { fresh: true }])
  })

  /** The shopper comes back while a read from before is in progress. */
  async function returningDuringRead() {
    const row = rowOf()
    const { world, known } = knowing(row)
    const [older, newer] = [later<void>(), later<void>()]
    world.read = () => (world.reads.length === 1 ? older : newer).promise
    const looks = known(row.purchase.id, ada, false)
    await turn()
    world.time += 3_000
    const returns = known(row.purchase.id, ada, true)
    await turn()
    return { row, world, known, older, newer, looks, returns }
  }

  test('a returned shopper gets a new read, and others wait for it', async () => {
    const { row, world, known, older, newer, looks, returns } = await returningDuringRead()
    expect(world.reads).toHaveLength(2)
    older.resolve()
    await looks
    world.time += 3_000
    const looksAgain = known(row.purchase.id, ada, false)
    await turn()
    expect(world.reads).toHaveLength(2)
    newer.resolve()
    expect([await returns, await looksAgain]).toMatchObject([{ fresh: true }, { fresh: true }])
  })

  test('a read that a newer one has overtaken still answers', async () => {
    const { older, newer, looks, returns } = await returningDuringRead()
    newer.resolve()
    await returns
    older.resolve()
    expect(await looks).toMatchObject({ fresh: true })
  })

  test('a shopper who has come back is read for before one who looks', async () => {
    const [looksAt, returnsTo] = [rowOf(), rowOf([], null, { shopper: eve.shopper })]
    const { world, known } = knowing(looksAt, returnsTo)
    const priorities: string[] = []
    world.read = async () => void priorities.push(currentReader().priority)
    await known(looksAt.purchase.id, ada, false)
    await known(returnsTo.purchase.id, eve, true)
    expect(priorities).toEqual(['shopper', 'returned'])
  })

  test('once a read has ended, the next caller who may read reads again', async () => {
    const row = rowOf()
    const { world, known } = knowing(row)
    for (const asked of [1, 2, 3]) {
      expect(await known(row.purchase.id, ada, false)).toMatchObject({ fresh: true })
      expect(world.reads).toHaveLength(asked)
      world.time += 3_000
    }
  })
})

test.each([false, true])(
  'a caller who may not read now receives the known status, after a return: %s',
  async (returned) => {
    const [one, other] = [rowOf(), rowOf()]
    const { world, known } = knowing(one, other)
    await known(one.purchase.id, ada, false)
    expect(await known(other.purchase.id, ada, returned)).toEqual({ ...nothing, fresh: false, begun: true })
    expect(world.reads).toEqual([one.purchase.id])
    world.rows = [{ ...other, orders: [knownOrderOf('paid')] }]
    expect(await known(other.purchase.id, ada, returned)).toMatchObject({ status: 'complete', fresh: true })
  },
)

describe('a store or service that does not answer', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const row = rowOf([knownOrderOf('declined')])
  const { id } = row.purchase
  const gone = new Error('gone')

  test('as many lookups as allowed are made at once, and the next ones after them', async () => {
    const found = later<PurchaseRecord | null>()
    const find = vi.fn(() => found.promise)
    const findPurchase = createFindPurchase({ find }, () => {}, 2)
    const asked = Array.from({ length: 3 }, () => findPurchase(id))
    expect(await asked[2]).toBeUndefined()
    found.resolve(row)
    expect(await Promise.all(asked)).toEqual([row, row, undefined])
    expect(await findPurchase(id)).toBe(row)
    find.mockRejectedValue(gone)
    for (const _ of [1, 2, 3]) expect(await findPurchase(id)).toBeUndefined()
    expect(find).toHaveBeenCalledTimes(6)
  })

  test('an unavailable store gives no answer', async () => {
    const { world, known } = knowing(row)
    world.find = () => Promise.reject(gone)
    expect(await known(id, ada, false)).toEqual({ ...nothing, fresh: false })
    expect(await known(id, null, false)).toEqual({ status: 'none', fresh: false, begun: false })
    expect([world.errors, world.reads]).toEqual([[gone, gone], []])
  })

  test('the wait for a store is two seconds, for a service ten', async () => {
    vi.useFakeTimers()
    const { world, known } = knowing(row)
    const told: PurchaseAnswer[] = []
    const ask = (): void => void known(id, ada, false).then((answer) => told.push(answer))
    world.read = () => new Promise(() => {})
    ask()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toMatchObject([{ status: 'failed', fresh: false }])
    world.find = () => new Promise(() => {})
    ask()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(told).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(told[1]).toEqual({ ...nothing, fresh: false })
    expect(world.errors).toMatchObject([
      { message: 'The service did not answer in 10000 ms.' },
      { message: 'The store did not answer in 2000 ms.' },
    ])
  })

  test.each<[string, PurchaseRecord | null | undefined, boolean, object]>([
    ['as it was', row, false, { status: 'failed', fresh: false }],
    [
      'settled half-way',
      { ...row, orders: [knownOrderOf('paid')] },
      false,
      { status: 'complete', fresh: true },
    ],
    ['expired meanwhile', null, false, { status: 'failed', fresh: false }],
    ['expired meanwhile', null, true, { status: 'failed', fresh: true }],
    ['gone with its store', undefined, true, { status: 'failed', fresh: false }],
  ])('the record is %s: %j, read to the end: %s', async (_, latest, isRead, answer) => {
    const { world, known } = knowing(row)
    world.read = async () => {
      world.find = async () => {
        if (latest === undefined) throw gone
        return latest
      }
      if (!isRead) throw gone
    }
    expect(await known(id, ada, false)).toMatchObject(answer)
    expect(world.errors).toEqual(isRead && latest !== undefined ? [] : [gone])
  })
})

test('the service is read for a shopper once in three seconds, however many others there are', async () => {
  const [own, hers] = [rowOf(), rowOf([], null, { shopper: eve.shopper })]
  const { world, known } = knowing(own, hers)
  for (const ms of [0, 0, 2_999, 1]) {
    world.time += ms
    await known(own.purchase.id, ada, false)
    await known(hers.purchase.id, eve, false)
  }
  const reads = world.reads.filter((read) => read === own.purchase.id)
  expect(reads).toHaveLength(2)
})

test('a shopper for whom the service could not be read may try again at once, and the shop gets no failure', async () => {
  const row = rowOf()
  const { world, known } = knowing(row)
  world.read = () => Promise.reject(new TooManyReads())
  expect(await known(row.purchase.id, ada, false)).toMatchObject({ fresh: false })
  world.read = async () => {}
  expect(await known(row.purchase.id, ada, false)).toMatchObject({ fresh: true })
  expect(world.errors).toEqual([])
})

test('after a read that the service failed, the shopper waits for the next like after any other', async () => {
  const row = rowOf()
  const { world, known } = knowing(row)
  world.read = () => Promise.reject(new Error('the service is gone'))
  await known(row.purchase.id, ada, false)
  await known(row.purchase.id, ada, false)
  expect(world.reads).toHaveLength(1)
})
