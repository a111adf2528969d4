// Promise: fulfilment/each-state
/** What leads to `onOrder`: hints, orders of a list, and dead letters that are redriven. */
import { describe, expect, test, vi } from 'vitest'
import { keyOf } from '../../src/fulfilment/webhook.ts'
import { UNAUTHENTICATED_JOBS } from '../../src/stores/store.ts'
import { fulfilling, none, orderOf, takes } from '../support/fulfilment.ts'

const HOUR = 3_600_000

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

describe('a hint', () => {
  test.each([
    ['an order', { order_id: 'o' }],
    ['a customer', { custom_id: 'ada' }],
  ])('of %s leads to onOrder, once for each state, whoever gives it', async (_, hint) => {
    const { heard, fulfilment } = fulfilling([orderOf('o')])
    for (const queue of ['trusted', 'unauthenticated', 'trusted', 'unauthenticated'] as const) {
      expect(await fulfilment.syncOrder(hint, queue)).toBe(true)
      await advance(HOUR)
    }
    expect(heard()).toEqual(['o order_complete'])
  })

  test.each(['trusted', 'unauthenticated'] as const)('is looked at in its own queue, %s', async (queue) => {
    const { claim, fulfilment } = fulfilling([])
    fulfilment.start()
    await advance(0)
    claim.mockClear()
    await fulfilment.syncOrder({ order_id: 'o' }, queue)
    await advance(0)
    expect(new Set(claim.mock.calls.map(([claimed]) => claimed))).toEqual(new Set([queue]))
  })

  test('of an unauthenticated caller is refused when there are too many', async () => {
    const { store, fulfilment } = fulfilling([])
    for (let index = 0; index < UNAUTHENTICATED_JOBS; index++)
      await store.jobs.add(keyOf({ order_id: `forged-${index}` }), 'unauthenticated')
    expect(await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')).toBe(false)
  })

  test('is refused when the store is gone, and of a poll that is told', async () => {
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
  test('lead to onOrder where the state is not handled, and is not being handled', async () => {
    const { store, onOrder, heard, add, fulfilment } = fulfilling([
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
    expect(heard().sort()).toEqual(['new order_complete', 'stuck order_complete'])
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

  test('of one list twenty are taken, the paid ones first, from both ends of the list', async () => {
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

  test('that are unpaid reach onOrder too, once they were looked up', async () => {
    const { heard, fulfilment } = fulfilling([orderOf('o', 'order_failed')])
    await fulfilment.notice([orderOf('o', 'order_failed')])
    await advance(0)
    expect(heard()).toEqual(['o order_failed'])
  })

  test('of no purchase are left alone until a webhook names them or their shopper', async () => {
    const { heard, list, errors, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
    const found = async (look: () => Promise<unknown>): Promise<string[]> => {
      await look()
      await advance(HOUR)
      return heard()
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
    'of no purchase reach onOrder when a hint in the queue %s names them',
    async (queue) => {
      const { heard, fulfilment } = fulfilling([orderOf('o')], { assess: async () => none })
      await fulfilment.notice([orderOf('o')])
      await fulfilment.syncOrder({ order_id: 'o' }, queue)
      await advance(HOUR)
      expect(heard()).toEqual(['o order_complete'])
    },
  )

  test('of no purchase are not looked at again with each list', async () => {
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
test('dead letters are listed, a hundred where nothing else is said, and are handled when they are redriven', async () => {
  const { store, heard, fulfilment } = fulfilling([orderOf('o1'), orderOf('o2')])
  for (const order_id of ['o1', 'o2', ...Array.from({ length: 99 }, (_, index) => `never-${index}`)]) {
    await store.jobs.add(keyOf({ order_id }), 'trusted')
    const [job] = await store.jobs.claim('trusted', 1, HOUR)
    if (job) await store.jobs.bury(job, 'broken')
  }
  expect((await fulfilment.deadLetters.list()).length).toBe(100)
  expect((await fulfilment.deadLetters.list(2)).length).toBe(2)
  expect(await fulfilment.deadLetters.redrive(keyOf({ order_id: 'o1' }))).toBe(1)
  await fulfilment.idle()
  expect(heard()).toEqual(['o1 order_complete'])
  expect(await fulfilment.deadLetters.redrive()).toBe(100)
  await fulfilment.idle()
  expect(heard()).toEqual(['o1 order_complete', 'o2 order_complete'])
})
