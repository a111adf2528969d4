// Promise: fulfilment/each-state
/** One order on its way to `onOrder`: what is read, and what is not waited for. */
import { describe, expect, test, vi } from 'vitest'
import { ApiError, isTimeoutError } from '../../src/errors.ts'
import { createDelivery, type DeliverOptions } from '../../src/fulfilment/deliver.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import type { OnOrder } from '../../src/purchase/purchase.ts'
import { readOrder, readOrdersOf } from '../../src/purchase/readOrders.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { unchecked } from '../support/fulfilment.ts'

const order = (id: string, type = 'order_complete'): Order => ({ id, type, raw: {} })

const never = (): Promise<never> => new Promise(() => {})

describe('an order', () => {
  function delivery(options: Partial<DeliverOptions> = {}) {
    fakeTimers()
    const store = memoryStore()
    const progress: string[] = []
    const onOrder = vi.fn<OnOrder>()
    const deliver = createDelivery({
      store,
      read: async (id) => order(id),
      assess: async () => unchecked,
      onOrder,
      onOrderTimeout: 100,
      onBegun: ({ id }) => void progress.push(`${id} begun`),
      onSkipped: ({ id }) => void progress.push(`${id} skipped`),
      ...options,
    })
    return { store, progress, onOrder, deliver }
  }

  /** How each ends, and nothing of those that have not. */
  function endsOf(deliveries: Promise<boolean>[]): string[] {
    const ends: string[] = []
    for (const one of deliveries)
      one
        .then(String, (error) => (isTimeoutError(error) ? `late: ${error.operation}` : String(error)))
        .then((end) => {
          ends.push(end)
        })
    return ends
  }

  test('goes to onOrder with its purchase, once for each state, and is marked by both', async () => {
    let type = 'payment_started'
    const { store, progress, onOrder, deliver } = delivery({ read: async (id) => order(id, type) })
    const add = vi.spyOn(store.handled, 'add')
    for (const state of ['payment_started', 'payment_started', 'order_complete', 'order_complete']) {
      type = state
      expect(await deliver({ order_id: 'o' })).toBe(true)
    }
    const [first, ...rest] = onOrder.mock.calls.map(([event]) => event)
    expect(first).toMatchObject({ order: order('o', 'payment_started'), purchase: unchecked })
    expect(rest.map((event) => event.order.type)).toEqual(['order_complete'])
    expect(progress).toEqual(['o begun', 'o begun'])
    expect(add.mock.calls).toEqual(
      ['payment_started', 'order_complete'].map((state) => [
        { orderId: 'o', type: state, purchaseId: unchecked.id },
      ]),
    )
  })

  test('that the service does not know is told from one that was handled', async () => {
    const { onOrder, deliver } = delivery({ read: async () => null })
    expect(await deliver({ order_id: 'o' })).toBe(false)
    expect(onOrder).not.toHaveBeenCalled()
  })

  test('is read again where its list was ahead of it', async () => {
    let type = 'payment_started'
    const { onOrder, deliver } = delivery({ read: async (id) => order(id, type) })
    const hint = { order_id: 'o', type: 'order_complete' } as const
    await expect(deliver(hint)).rejects.toThrow('does not yet say so')
    expect(onOrder).not.toHaveBeenCalled()
    type = 'order_complete'
    expect(await deliver(hint)).toBe(true)
    expect(onOrder).toHaveBeenCalledOnce()
  })

  test('that onOrder fails at is not handled, and the failure is told as it is', async () => {
    const { store, progress, deliver } = delivery({ onOrder: () => Promise.reject(new TypeError('broken')) })
    await expect(deliver({ order_id: 'o' })).rejects.toThrow(new TypeError('broken'))
    expect(progress).toEqual(['o begun'])
    expect(await store.handled.has('o', 'order_complete')).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is handled by one call at a time, and holds up no other', async () => {
    const releases: (() => void)[] = []
    const { progress, deliver } = delivery({
      onOrder: () => new Promise((resolve) => releases.push(resolve)),
    })
    const ends = endsOf([
      deliver({ order_id: 'o' }),
      deliver({ order_id: 'o' }),
      deliver({ order_id: 'another' }),
    ])
    await vi.advanceTimersByTimeAsync(10)
    expect(progress).toEqual(['o begun', 'another begun'])
    for (const release of releases) release()
    await vi.advanceTimersByTimeAsync(10)
    expect(progress).toEqual(['o begun', 'another begun'])
    expect(ends).toEqual(['true', 'true', 'true'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that onOrder does not settle in time is told, and is marked when it settles late', async () => {
    let release = (): void => {}
    const { store, progress, deliver } = delivery({
      onOrder: () => new Promise((resolve) => (release = resolve)),
    })
    const ends = endsOf([deliver({ order_id: 'o' })])
    await vi.advanceTimersByTimeAsync(99)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ends).toEqual(['late: onOrder'])
    expect(progress).toEqual(['o begun'])
    release()
    await vi.advanceTimersByTimeAsync(0)
    expect(await store.handled.has('o', 'order_complete')).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each<[string, Partial<DeliverOptions>]>([
    ['the lock', { store: { ...memoryStore(), withLock: never } }],
    ['the service', { read: never }],
    ['the purchase', { assess: never }],
  ])('is given up half a minute after its time when %s does not answer', async (_, options) => {
    const { deliver } = delivery(options)
    const ends = endsOf([deliver({ order_id: 'o' })])
    await vi.advanceTimersByTimeAsync(30_099)
    expect(ends).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(ends).toEqual(['late: fulfilment'])
  })

  test('that the service refuses is told as it is', async () => {
    const refusal = new ApiError('transactions.retrieve', 'no', { status: 404 })
    const { deliver } = delivery({ read: () => Promise.reject(refusal) })
    await expect(deliver({ order_id: 'o' })).rejects.toBe(refusal)
  })

  test('is not even read when its turn comes after it was given up', async () => {
    let begin = (): void => {}
    const turn = new Promise<void>((resolve) => (begin = resolve))
    const read = vi.fn(async (id: string) => order(id))
    const { deliver } = delivery({
      read,
      store: { ...memoryStore(), withLock: (_, task) => turn.then(task) },
    })
    const ends = endsOf([deliver({ order_id: 'o' })])
    await vi.advanceTimersByTimeAsync(30_100)
    begin()
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toEqual(['late: fulfilment'])
    expect(read).not.toHaveBeenCalled()
  })
})

describe('the service', () => {
  test('is believed about the order that it was asked for, and about no other', async () => {
    const asked: object[] = []
    const client = {
      transactions: {
        async retrieve(query: object) {
          asked.push(query)
          return order('o')
        },
      },
    }
    expect([await readOrder(client, 'o'), await readOrder(client, 'another')]).toEqual([order('o'), null])
    expect(asked).toEqual([{ order_id: 'o' }, { order_id: 'another' }])
  })

  test('is believed about the customer that it was asked for, and about no other', async () => {
    const asked: object[] = []
    const mine = { ...order('o'), custom_id: 'ada' }
    const client = {
      orders: {
        async list(query: object) {
          asked.push(query)
          return [mine, { ...order('another'), custom_id: 'bob' }, order('nobody’s')]
        },
        listAll: never,
      },
    }
    const tokens = { get: async () => ({ accessToken: 't', expiresAt: null }) }
    expect(await readOrdersOf(client, tokens, 'ada')).toEqual([mine])
    expect(asked).toEqual([{ accessToken: 't', custom_id: 'ada' }])
  })
})
