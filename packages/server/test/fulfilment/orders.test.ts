// Promise: fulfilment/each-state
/** Ways to `onOrder`: hints, listed orders, and redriven dead letters; and that neither of the two queues waits for the other. */
import { describe, expect, test, vi } from 'vitest'
import { keyOf } from '../../src/fulfilment/webhook.ts'
import type { Order } from '../../src/index.ts'
import { UNAUTHENTICATED_JOBS } from '../../src/stores/store.ts'
import { hasEnded } from '../support/fakeTimers.ts'
import { fulfilling, none, orderOf, takes } from '../support/fulfilment.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const many = (count: number, name = 'o'): Order[] =>
  Array.from({ length: count }, (_, index) => orderOf(`${name}${index}`))
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

describe('a hint', () => {
  test.each([
    ['an order', { order_id: 'o' }, ['o order_complete']],
    ['a customer', { custom_id: 'ada' }, ['o order_complete', 'p order_complete']],
  ])('a hint of %s leads to onOrder, once for each state, whoever sends it', async (_, hint, expected) => {
    for (const first of ['trusted', 'unauthenticated'] as const) {
      const { delivered, fulfilment } = fulfilling([orderOf('o'), orderOf('p')])
      for (const queue of [first, 'trusted', 'unauthenticated'] as const) {
        expect(await fulfilment.syncOrder(hint, queue)).toBe(true)
        await advance(MINUTE)
        expect(delivered().sort()).toEqual(expected)
      }
    }
  })

  test.each(['trusted', 'unauthenticated'] as const)('a hint stays in its own queue, %s', async (queue) => {
    const { claim, fulfilment } = fulfilling([])
    fulfilment.start()
    await advance(0)
    claim.mockClear()
    await fulfilment.syncOrder({ order_id: 'o' }, queue)
    await advance(0)
    expect(new Set(claim.mock.calls.map(([claimed]) => claimed))).toEqual(new Set([queue]))
  })

  test('a hint of an unauthenticated caller is refused when there are too many', async () => {
    const { store, fulfilment } = fulfilling([])
    for (let index = 0; index < UNAUTHENTICATED_JOBS; index++)
      await store.jobs.add(keyOf({ order_id: `forged-${index}` }), 'unauthenticated')
    expect(await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')).toBe(false)
  })

  test('a hint about a customer without orders is retried: the first may be on its way', async () => {
    const { list, fulfilment } = fulfilling([])
    await fulfilment.syncOrder({ custom_id: 'ada' }, 'trusted')
    await advance(MINUTE)
    expect(list).toHaveBeenCalledTimes(3)
  })

  test('an order that a webhook with the key reports as complete is read until the service says so, and no longer', async () => {
    const orders = [orderOf('o', 'payment_started')]
    const { retrieve, delivered, fulfilment } = fulfilling(orders)
    await fulfilment.syncOrder({ order_id: 'o', type: 'order_complete' }, 'trusted')
    await advance(MINUTE)
    expect(delivered()).toEqual([])
    orders[0] = orderOf('o')
    await advance(2 * MINUTE)
    expect(delivered()).toEqual(['o order_complete'])
    const reads = retrieve.mock.calls.length
    await advance(24 * HOUR)
    expect(retrieve).toHaveBeenCalledTimes(reads)
  })

  // Promise: fulfilment/hints-die
  test.each([
    ['an unpaid order, which is looked up and delivered', [orderOf('o', 'payment_started')], 2],
    ['an unknown order, which is looked up three times', [], 3],
  ])('an unauthenticated caller cannot report as complete %s', async (_, orders, reads) => {
    const { retrieve, delivered, fulfilment } = fulfilling(orders)
    await fulfilment.syncOrder({ order_id: 'o', type: 'order_complete' }, 'unauthenticated')
    await advance(24 * HOUR)
    expect(retrieve).toHaveBeenCalledTimes(reads)
    expect(delivered()).toEqual(orders.map(({ id, type }) => `${id} ${type}`))
  })

  // Promise: fulfilment/hints-die
  test('an unauthenticated hint about an order that the service does not know adds none', async () => {
    const { add, retrieve, errors, fulfilment } = fulfilling([])
    await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')
    await advance(MINUTE)
    expect([retrieve.mock.calls.length, add.mock.calls.length, errors]).toEqual([3, 1, []])
  })

  test('an unauthenticated hint about an order is looked up before it is trusted', async () => {
    const { add, retrieve, fulfilment } = fulfilling([orderOf('o')])
    await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')
    await advance(MINUTE)
    expect(add.mock.calls).toEqual([
      ['{"order_id":"o"}', 'unauthenticated'],
      ['{"order_id":"o","type":"order_complete"}', 'trusted'],
    ])
    expect(retrieve).toHaveBeenCalledTimes(2)
  })

  test('a hint is refused when the store is unavailable, and that of a poll is reported', async () => {
    const { errors, add, fulfilment } = fulfilling([orderOf('o')])
    add.mockImplementation(gone)
    await expect(fulfilment.syncOrder({ order_id: 'o' }, 'trusted')).rejects.toThrow('gone')
    await expect(fulfilment.addJobs([orderOf('o')])).rejects.toThrow('gone')
    expect(errors).toEqual([])
    await fulfilment.notice([orderOf('o')])
    expect(errors).toEqual(['Error: the store is gone'])
  })
})

describe('orders of a list', () => {
  test('listed orders lead to onOrder unless their state is handled or being handled', async () => {
    const { store, onOrder, delivered, add, fulfilment } = fulfilling([
      orderOf('done'),
      orderOf('new'),
      orderOf('stuck'),
    ])
    await store.handled.add({ orderId: 'done', type: 'order_complete', purchaseId: null })
    const has = vi.spyOn(store.handled, 'has')
    onOrder.mockImplementation(({ order }) => {
      if (order.id === 'stuck') throw new Error('broken')
    })
    await fulfilment.notice([
      { raw: {} },
      { id: 'untyped', raw: {} },
      ...['done', 'new', 'stuck'].map((id) => orderOf(id)),
      orderOf('done', 'order_failed'),
    ])
    await advance(0)
    expect(delivered().sort()).toEqual(['new order_complete', 'stuck order_complete'])
    const paid = { type: 'order_complete', listed: true } as const
    expect(add.mock.calls.slice(0, 4)).toEqual([
      [keyOf({ order_id: 'stuck', ...paid }), 'trusted'],
      [keyOf({ order_id: 'new', ...paid }), 'trusted'],
      [keyOf({ order_id: 'done', listed: true }), 'unauthenticated'],
      [keyOf({ order_id: 'untyped', listed: true }), 'unauthenticated'],
    ])
    expect(has.mock.calls.map(([id]) => id)).not.toContain('untyped')
    add.mockClear()
    await fulfilment.notice(['new', 'stuck'].map((id) => orderOf(id)))
    expect(add).not.toHaveBeenCalled()
    await fulfilment.notice([orderOf('stuck', 'order_failed')])
    expect(add).toHaveBeenCalledOnce()
  })

  test('twenty orders of one list are taken, the paid ones first, from both ends of the list', async () => {
    const { add, fulfilment } = fulfilling([])
    const unpaid = Array.from({ length: 6_000 }, (_, index) => orderOf(`unpaid-${index}`, 'payment_started'))
    await fulfilment.notice([...unpaid.slice(3_000), orderOf('paid'), ...unpaid.slice(0, 3_000)])
    const added = add.mock.calls.map(
      ([key, queue]) => `${queue} ${(JSON.parse(key) as { order_id: string }).order_id}`,
    )
    expect(added).toHaveLength(20)
    expect(added.slice(0, 4)).toEqual([
      'trusted paid',
      'unauthenticated unpaid-3000',
      'unauthenticated unpaid-2999',
      'unauthenticated unpaid-3001',
    ])
  })

  test('a hundred orders of one list are checked, even if all of them are handled', async () => {
    const { store, add, fulfilment } = fulfilling([])
    const has = vi.spyOn(store.handled, 'has').mockResolvedValue(true)
    await fulfilment.notice(many(150))
    expect([has.mock.calls.length, add.mock.calls.length]).toEqual([100, 0])
  })

  test('an order without a purchase, listed without its state, is not delivered, and is only looked up when it is listed again', async () => {
    const { delivered, add, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
    const listed = async (): Promise<string[]> => {
      add.mockClear()
      await fulfilment.notice([{ id: 'o', raw: {} }])
      await advance(MINUTE)
      return add.mock.calls.map(([, queue]) => queue)
    }
    expect(await listed()).toEqual(['unauthenticated', 'trusted'])
    expect(await listed()).toEqual(['unauthenticated'])
    expect(delivered()).toEqual([])
  })

  test('unpaid orders reach onOrder too, once they were looked up', async () => {
    const { delivered, fulfilment } = fulfilling([orderOf('o', 'order_failed')])
    await fulfilment.notice([orderOf('o', 'order_failed')])
    await advance(0)
    expect(delivered()).toEqual(['o order_failed'])
  })

  test('orders without a purchase are ignored until a webhook names them or their shopper', async () => {
    const { delivered, list, errors, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
    const found = async (trigger: () => Promise<unknown>): Promise<string[]> => {
      await trigger()
      await advance(HOUR)
      return delivered()
    }
    expect(await found(() => fulfilment.notice([orderOf('o')]))).toEqual([])
    expect(errors).toEqual([])
    expect(await found(() => fulfilment.syncOrder({ custom_id: 'ada' }, 'unauthenticated'))).toEqual([])
    expect(list).toHaveBeenCalledOnce()
    expect(await found(() => fulfilment.syncOrder({ custom_id: 'ada' }, 'trusted'))).toEqual([
      'o order_complete',
    ])
  })

  test.each(['trusted', 'unauthenticated'] as const)(
    'orders without a purchase reach onOrder when a hint in the queue %s names them',
    async (queue) => {
      const { delivered, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
      await fulfilment.notice([orderOf('o')])
      await fulfilment.syncOrder({ order_id: 'o' }, queue)
      await advance(HOUR)
      expect(delivered()).toEqual(['o order_complete'])
    },
  )

  test('orders without a purchase are not looked up again with each list', async () => {
    const { add, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
    for (const _ of [1, 2]) {
      await fulfilment.notice([orderOf('o')])
      await advance(0)
    }
    expect(add).toHaveBeenCalledOnce()
  })
})

test.each([
  ['thirty seconds where nothing else is said', {}, 30_000],
  ['the time that is said', { onOrderTimeout: 500 }, 500],
])('onOrder has %s', async (_, options, ms) => {
  const { errors, onOrder, fulfilment } = fulfilling([orderOf('o')], options)
  onOrder.mockImplementation(takes(HOUR))
  await fulfilment.syncOrder({ order_id: 'o' }, 'trusted')
  await advance(ms - 1)
  expect(errors).toEqual([])
  await advance(1)
  expect(errors).toEqual([`TimeoutError: onOrder: did not settle within ${ms} ms; it is called again later.`])
})

// Promise: fulfilment/dead-letters
test('dead letters are listed, a hundred by default, and are handled when they are redriven', async () => {
  const { store, delivered, fulfilment } = fulfilling([orderOf('o1'), orderOf('o2')])
  for (const order_id of ['o1', 'o2', ...Array.from({ length: 99 }, (_, index) => `never-${index}`)]) {
    await store.jobs.add(keyOf({ order_id }), 'trusted')
    const [job] = await store.jobs.claim('trusted', 1, HOUR)
    if (job) await store.jobs.bury(job, 'broken')
  }
  expect((await fulfilment.deadLetters.list()).length).toBe(100)
  expect((await fulfilment.deadLetters.list(2)).length).toBe(2)
  expect(await fulfilment.deadLetters.redrive(keyOf({ order_id: 'o1' }))).toBe(1)
  await fulfilment.idle()
  expect(delivered()).toEqual(['o1 order_complete'])
  expect(await fulfilment.deadLetters.redrive()).toBe(100)
  await fulfilment.idle()
  expect(delivered()).toEqual(['o1 order_complete', 'o2 order_complete'])
})

test('a failure after the commit becomes a dead letter even if the store is unavailable for some seconds', async () => {
  const { store, onOrder, fulfilment } = fulfilling([orderOf('o')])
  const { has, add } = store.handled
  const { bury } = store.jobs
  let isAway = false
  store.handled.addWithin = (_, record) => add(record)
  vi.spyOn(store.handled, 'has').mockImplementation((...asked) => (isAway ? gone() : has(...asked)))
  vi.spyOn(store.jobs, 'bury').mockImplementation((...job) => (isAway ? gone() : bury(...job)))
  onOrder.mockImplementation(async ({ complete }) => {
    await complete('a transaction')
    isAway = true
    setTimeout(() => {
      isAway = false
    }, 3_000)
    throw new Error('broken')
  })
  await fulfilment.syncOrder({ order_id: 'o' }, 'trusted')
  await advance(MINUTE)
  expect(onOrder).toHaveBeenCalledOnce()
  expect(await fulfilment.deadLetters.list()).toMatchObject([
    { reason: expect.stringMatching(/^FailedAfter/) },
  ])
})

describe('queues', () => {
  // Promise: fulfilment/stuck
  test('the trusted queue delivers eight at a time next to eight that never settle, and reports those at their deadline', async () => {
    const [stuck, good] = [many(8, 'stuck'), many(20)]
    const { onOrder, errors, fulfilment } = fulfilling([...stuck, ...good], { onOrderTimeout: 5_000 })
    onOrder.mockImplementation(({ order }) => takes(order.id.startsWith('stuck') ? MINUTE : 1_000)())
    for (const { id } of [...stuck, ...good]) await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await advance(0)
    expect(onOrder).toHaveBeenCalledTimes(8 + 8)
    await advance(2_000)
    expect(onOrder).toHaveBeenCalledTimes(8 + 20)
    await advance(3_000)
    expect(errors).toEqual(Array(8).fill(expect.stringMatching(/^TimeoutError: onOrder/)))
  })

  test('the unauthenticated queue reads the service five times a second', async () => {
    const { store, retrieve, fulfilment } = fulfilling(many(20))
    // Delivered orders cause no further calls.
    for (const { id, type } of many(20)) await store.handled.add({ orderId: id, type, purchaseId: null })
    for (const { id } of many(20)) await fulfilment.syncOrder({ order_id: id }, 'unauthenticated')
    for (const [ms, reads] of [
      [0, 2],
      [399, 2],
      [1, 4],
      [1_600, 12],
    ] as const) {
      await advance(ms)
      expect(retrieve).toHaveBeenCalledTimes(reads)
    }
  })

  test('queues are idle when trusted jobs are done, and with unauthenticated callers when both are', async () => {
    const { onOrder, fulfilment } = fulfilling([orderOf('trusted'), orderOf('unproven')])
    onOrder.mockImplementation(takes(1_000))
    await fulfilment.syncOrder({ order_id: 'unknown' }, 'unauthenticated')
    expect(await hasEnded(fulfilment.idle(), 0)).toBe(true)
    const unproven = fulfilment.idle('unauthenticated')
    expect(await hasEnded(unproven, 399)).toBe(false)
    await fulfilment.syncOrder({ order_id: 'trusted' }, 'trusted')
    const [trusted, both] = [fulfilment.idle(), fulfilment.idle('unauthenticated')]
    expect(await hasEnded(trusted, 999)).toBe(false)
    expect(await hasEnded(both, 0)).toBe(false)
    expect(await hasEnded(trusted, 1)).toBe(true)
    expect(await hasEnded(Promise.all([both, unproven]), 1)).toBe(true)
  })
})
