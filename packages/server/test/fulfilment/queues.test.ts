// Promise: fulfilment/hints-die
/** The two queues: what is made of a trusted hint and of an unauthenticated one, and how neither waits for the other. */
import { describe, expect, test, vi } from 'vitest'
import { createQueues } from '../../src/fulfilment/queues.ts'
import { keyOf, type OrderHint } from '../../src/fulfilment/webhook.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import type { QueueName } from '../../src/stores/store.ts'
import { fakeTimers, hasEnded } from '../support/fakeTimers.ts'
import { unchecked } from '../support/fulfilment.ts'

/** Of customers, the orders that the service has; it knows those orders alone. Each takes a second to deliver, and a stuck one never ends. */
function lanesOf(customers: Record<string, string[]>) {
  fakeTimers()
  const store = memoryStore()
  const said: string[] = []
  const claim = vi.spyOn(store.jobs, 'claim')
  const orderOf = (id: string): Order => ({ id, type: 'order_complete', raw: {} })
  const isKnown = (id: string): boolean => Object.values(customers).flat().includes(id)
  const queues = createQueues({
    store: {
      ...store,
      jobs: {
        ...store.jobs,
        add(key, queue) {
          said.push(`adds ${key} to ${queue}`)
          return store.jobs.add(key, queue)
        },
      },
    },
    assess: async () => unchecked,
    async read(id) {
      said.push(`reads ${id}`)
      return isKnown(id) ? orderOf(id) : null
    },
    async readAllOf(customId) {
      said.push(`reads all of ${customId}`)
      return (customers[customId] ?? []).map(orderOf)
    },
    async onOrder({ order }) {
      said.push(`delivers ${order.id}`)
      await new Promise((resolve) => order.id.startsWith('stuck') || setTimeout(resolve, 1_000))
    },
    onOrderTimeout: 5_000,
    onError: (error) => said.push(String(error)),
  })
  async function add(queue: QueueName, ...hints: OrderHint[]): Promise<void> {
    for (const hint of hints) await store.jobs.add(keyOf(hint), queue)
    queues.wake(queue)
    await vi.advanceTimersByTimeAsync(0)
  }
  /** Says that they were delivered before, so that nothing follows from looking them up. */
  async function markHandled(hints: readonly { order_id: string }[]): Promise<void> {
    for (const { order_id: orderId } of hints)
      await store.handled.add({ orderId, type: 'order_complete', purchaseId: null })
  }
  return { said, claim, queues, add, markHandled }
}

describe('a hint of whom we trust', () => {
  test('about an order leads to onOrder', async () => {
    const { said, add } = lanesOf({ ada: ['o'] })
    await add('trusted', { order_id: 'o' })
    expect(said).toEqual(['reads o', 'delivers o'])
  })

  test('about a customer adds each of the customer’s orders', async () => {
    const { said, add } = lanesOf({ ada: ['o1', 'o2'], bob: ['o3'] })
    await add('trusted', { custom_id: 'ada' })
    await vi.advanceTimersByTimeAsync(60_000)
    const paid = '"type":"order_complete"}'
    expect(said.slice(0, 3)).toEqual([
      'reads all of ada',
      `adds {"order_id":"o1",${paid} to trusted`,
      `adds {"order_id":"o2",${paid} to trusted`,
    ])
    expect(said).toContain('delivers o2')
  })

  test('about a customer without orders comes back: the first may be on its way', async () => {
    const { said, add } = lanesOf({})
    await add('trusted', { custom_id: 'ada' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said.filter((one) => one === 'reads all of ada')).toHaveLength(3)
  })
})

describe('an unauthenticated hint', () => {
  test.each([false, true])(
    'about an order adds it to the trusted ones once it was looked up, listed: %s',
    async (isListed) => {
      const { said, add } = lanesOf({ ada: ['o'] })
      await add('unauthenticated', { order_id: 'o', ...(isListed ? { listed: true } : {}) })
      await vi.advanceTimersByTimeAsync(60_000)
      const listed = isListed ? ',"listed":true' : ''
      expect(said).toEqual([
        'reads o',
        `adds {"order_id":"o","type":"order_complete"${listed}} to trusted`,
        'reads o',
        'delivers o',
      ])
    },
  )

  test('about an order that the service does not know adds none', async () => {
    const { said, add } = lanesOf({})
    await add('unauthenticated', { order_id: 'o' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual(['reads o', 'reads o', 'reads o'])
  })

  test('about a customer adds each of the customer’s orders', async () => {
    const { said, add } = lanesOf({ ada: ['o1', 'o2'], bob: ['o3'] })
    await add('unauthenticated', { custom_id: 'ada' })
    const paid = '"type":"order_complete","listed":true}'
    expect(said.slice(0, 3)).toEqual([
      'reads all of ada',
      `adds {"order_id":"o1",${paid} to trusted`,
      `adds {"order_id":"o2",${paid} to trusted`,
    ])
  })
})

describe('queues', () => {
  const hints = Array.from({ length: 20 }, (_, index) => ({ order_id: `o${index}` }))
  const known = { ada: hints.map(({ order_id }) => order_id) }

  test('deliver sixteen orders at a time', async () => {
    const { said, add } = lanesOf(known)
    await add('trusted', ...hints)
    const delivered = (): number => said.filter((one) => one.startsWith('delivers')).length
    expect(delivered()).toBe(16)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(delivered()).toBe(20)
  })

  // Promise: fulfilment/stuck
  test('deliver eight at a time beside eight that never settle, and tell of those once they have had their time', async () => {
    const stuck = Array.from({ length: 8 }, (_, index) => `stuck-${index}`)
    const { said, add } = lanesOf({ ...known, eve: stuck })
    await add('trusted', ...stuck.map((order_id) => ({ order_id })))
    await add('trusted', ...hints)
    const delivered = (): number => said.filter((one) => one.startsWith('delivers o')).length
    expect(delivered()).toBe(8)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(delivered()).toBe(20)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(said.filter((one) => one.startsWith('TimeoutError: onOrder'))).toHaveLength(8)
  })

  test('ask the service for unauthenticated callers five times a second', async () => {
    const { said, add, markHandled } = lanesOf(known)
    await markHandled(hints)
    await add('unauthenticated', ...hints)
    const reads = (): number => said.filter((one) => one.startsWith('reads')).length
    for (const [ms, expected] of [
      [0, 2],
      [399, 2],
      [1, 4],
      [1_600, 12],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms)
      expect(reads()).toBe(expected)
    }
  })

  test.each<[QueueName | undefined, string[]]>([
    ['trusted', ['trusted']],
    ['unauthenticated', ['unauthenticated']],
    [undefined, ['trusted', 'unauthenticated']],
  ])('when %s is woken look in %j', async (woken, looked) => {
    const { claim, queues } = lanesOf({})
    queues.wake(woken)
    await vi.advanceTimersByTimeAsync(0)
    expect(claim.mock.calls.map(([queue]) => queue)).toEqual(looked)
  })

  /** Whether it has ended after so many milliseconds, each from the time before. */
  async function endsAfter(work: Promise<void>, ...times: number[]): Promise<boolean[]> {
    const ends: boolean[] = []
    for (const ms of times) ends.push(await hasEnded(work, ms))
    return ends
  }

  test('are idle when what is trusted is done, and with unauthenticated callers when both are', async () => {
    const { queues, add, markHandled } = lanesOf(known)
    await markHandled(hints.slice(0, 6))
    await add('unauthenticated', ...hints.slice(0, 4))
    expect(await endsAfter(queues.idle(), 0)).toEqual([true])
    expect(await endsAfter(queues.idle('trusted'), 0)).toEqual([true])
    await add('trusted', { order_id: 'o9' })
    const both = queues.idle('unauthenticated')
    expect(await endsAfter(queues.idle(), 999, 1)).toEqual([false, true])
    expect(await endsAfter(both, 0)).toEqual([true])
    await add('unauthenticated', ...hints.slice(4, 6))
    expect(await endsAfter(queues.idle('unauthenticated'), 399, 1)).toEqual([false, true])
    await add('trusted', { order_id: 'o10' })
    expect(await endsAfter(queues.idle('unauthenticated'), 999, 1)).toEqual([false, true])
  })

  test.each<[QueueName, number]>([
    ['trusted', 1_000],
    ['unauthenticated', 400],
  ])('are closed when what runs has ended in the queue %s, and take nothing more', async (queue, ms) => {
    const { said, queues, add, markHandled } = lanesOf(known)
    if (queue === 'unauthenticated') await markHandled(hints)
    await add(queue, { order_id: 'o1' })
    expect(await endsAfter(queues.close(), ms - 1, 1)).toEqual([false, true])
    const before = [...said]
    await add('trusted', { order_id: 'o2' })
    await add('unauthenticated', { order_id: 'o3' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual(before)
  })
})
