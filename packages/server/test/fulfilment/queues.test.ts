// Promise: fulfilment/hints-die
/** The two queues: how neither waits for the other, at which rate each works, and what becomes of hints that name nothing. */
import { describe, expect, test, vi } from 'vitest'
import type { Order } from '../../src/index.ts'
import { hasEnded } from '../support/fakeTimers.ts'
import { fulfilling, orderOf, takes } from '../support/fulfilment.ts'

const MINUTE = 60_000

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const many = (count: number, name = 'o'): Order[] =>
  Array.from({ length: count }, (_, index) => orderOf(`${name}${index}`))

describe('a hint', () => {
  test.each(['trusted', 'unauthenticated'] as const)(
    'about a customer leads to each of their orders, in the queue %s',
    async (queue) => {
      const { heard, fulfilment } = fulfilling(many(3))
      await fulfilment.syncOrder({ custom_id: 'ada' }, queue)
      await advance(0)
      expect(heard().sort()).toEqual(['o0', 'o1', 'o2'].map((id) => `${id} order_complete`))
    },
  )

  test('about a customer without orders comes back: the first may be on its way', async () => {
    const { list, fulfilment } = fulfilling([])
    await fulfilment.syncOrder({ custom_id: 'ada' }, 'trusted')
    await advance(MINUTE)
    expect(list).toHaveBeenCalledTimes(3)
  })

  test('of an unauthenticated caller about an order that the service does not know adds none', async () => {
    const { add, retrieve, errors, fulfilment } = fulfilling([])
    await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')
    await advance(MINUTE)
    expect([retrieve.mock.calls.length, add.mock.calls.length, errors]).toEqual([3, 1, []])
  })

  test('of an unauthenticated caller about an order is looked up before it is trusted', async () => {
    const { add, retrieve, fulfilment } = fulfilling([orderOf('o')])
    await fulfilment.syncOrder({ order_id: 'o' }, 'unauthenticated')
    await advance(MINUTE)
    expect(add.mock.calls).toEqual([
      ['{"order_id":"o"}', 'unauthenticated'],
      ['{"order_id":"o","type":"order_complete"}', 'trusted'],
    ])
    expect(retrieve).toHaveBeenCalledTimes(2)
  })
})

describe('queues', () => {
  test('deliver sixteen orders at a time', async () => {
    const { onOrder, fulfilment } = fulfilling(many(20))
    onOrder.mockImplementation(takes(1_000))
    for (const { id } of many(20)) await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await advance(0)
    expect(onOrder).toHaveBeenCalledTimes(16)
    await advance(1_000)
    expect(onOrder).toHaveBeenCalledTimes(20)
  })

  // Promise: fulfilment/stuck
  test('deliver eight at a time beside eight that never settle, and tell of those once they have had their time', async () => {
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

  test('ask the service for unauthenticated callers five times a second', async () => {
    const { store, retrieve, fulfilment } = fulfilling(many(20))
    // What was delivered before leads to nothing else.
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

  test('are idle when what is trusted is done, and with unauthenticated callers when both are', async () => {
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
