/** The two lanes: what is made of a hint of whom we trust and of a stranger’s, and how neither waits for the other. */
import { describe, expect, test, vi } from 'vitest'
import { keyOf, type OrderHint } from '../src/fulfilment/hint.ts'
import { createQueues } from '../src/fulfilment/queues.ts'
import { memoryStore, type Order } from '../src/index.ts'
import type { Lane } from '../src/stores/store.ts'
import { fakeTimers, hasEnded } from './support/fakeTimers.ts'
import { unchecked } from './support/fulfilment.ts'

/** Of customers, the orders that the service has; it knows those orders alone. Each takes a second to deliver. */
function lanesOf(customers: Record<string, string[]>) {
  fakeTimers()
  const store = memoryStore()
  const said: string[] = []
  const claim = vi.spyOn(store.jobs, 'claim')
  const orderOf = (id: string): Order => ({ id, type: 'order_complete', raw: {} })
  const isKnown = (id: string): boolean => Object.values(customers).flat().includes(id)
  const lanes = createQueues({
    store,
    assess: async () => unchecked,
    async read(id) {
      said.push(`reads ${id}`)
      return isKnown(id) ? orderOf(id) : null
    },
    async readAllOf(customId) {
      said.push(`reads all of ${customId}`)
      return (customers[customId] ?? []).map(orderOf)
    },
    found: {
      addAll: async (orders, isNamed) =>
        void said.push(`adds ${orders.map(({ id }) => id).join(' and ')}${isNamed ? ', named' : ''}`),
      promote: async ({ id }, isListed) => void said.push(`promotes ${id}${isListed ? ', listed' : ''}`),
    },
    async onOrder({ order }) {
      said.push(`delivers ${order.id}`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    },
    onOrderTimeout: 5_000,
    onProgress: () => {},
    onSkipped: () => {},
    onError: (error) => said.push(String(error)),
  })
  async function add(lane: Lane, ...hints: OrderHint[]): Promise<void> {
    for (const hint of hints) await store.jobs.add(keyOf(hint), lane)
    lanes.wake(lane)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { said, claim, lanes, add }
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
    expect(said).toEqual(['reads all of ada', 'adds o1 and o2, named'])
  })

  test('about a customer without orders comes back: the first may be on its way', async () => {
    const { said, add } = lanesOf({})
    await add('trusted', { custom_id: 'ada' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said.filter((one) => one === 'reads all of ada')).toHaveLength(3)
  })
})

describe('a stranger’s hint', () => {
  test.each([false, true])(
    'about an order is only looked up, and promotes it, listed: %s',
    async (isListed) => {
      const { said, add } = lanesOf({ ada: ['o'] })
      await add('stranger', { order_id: 'o', ...(isListed ? { listed: true } : {}) })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(said).toEqual(['reads o', `promotes o${isListed ? ', listed' : ''}`])
    },
  )

  test('about an order that the service does not know adds none', async () => {
    const { said, add } = lanesOf({})
    await add('stranger', { order_id: 'o' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual(['reads o', 'reads o', 'reads o'])
  })

  test('about a customer adds each of the customer’s orders', async () => {
    const { said, add } = lanesOf({ ada: ['o1', 'o2'], bob: ['o3'] })
    await add('stranger', { custom_id: 'ada' })
    expect(said).toEqual(['reads all of ada', 'adds o1 and o2'])
  })
})

describe('lanes', () => {
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

  test('ask the service for strangers five times a second', async () => {
    const { said, add } = lanesOf(known)
    await add('stranger', ...hints)
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

  test.each<[Lane | undefined, string[]]>([
    ['trusted', ['trusted']],
    ['stranger', ['stranger']],
    [undefined, ['trusted', 'stranger']],
  ])('when %s is woken look in %j', async (woken, looked) => {
    const { claim, lanes } = lanesOf({})
    lanes.wake(woken)
    await vi.advanceTimersByTimeAsync(0)
    expect(claim.mock.calls.map(([lane]) => lane)).toEqual(looked)
  })

  /** Whether it has ended after so many milliseconds, each from the time before. */
  async function endsAfter(work: Promise<void>, ...times: number[]): Promise<boolean[]> {
    const ends: boolean[] = []
    for (const ms of times) ends.push(await hasEnded(work, ms))
    return ends
  }

  test('are idle when what is trusted is done, and with strangers when both are', async () => {
    const { lanes, add } = lanesOf(known)
    await add('stranger', ...hints.slice(0, 4))
    expect(await endsAfter(lanes.idle(), 0)).toEqual([true])
    expect(await endsAfter(lanes.idle('trusted'), 0)).toEqual([true])
    await add('trusted', { order_id: 'o9' })
    const both = lanes.idle('stranger')
    expect(await endsAfter(lanes.idle(), 999, 1)).toEqual([false, true])
    expect(await endsAfter(both, 0)).toEqual([true])
    await add('stranger', ...hints.slice(4, 6))
    expect(await endsAfter(lanes.idle('stranger'), 399, 1)).toEqual([false, true])
    await add('trusted', { order_id: 'o10' })
    expect(await endsAfter(lanes.idle('stranger'), 999, 1)).toEqual([false, true])
  })

  test.each<[Lane, number]>([
    ['trusted', 1_000],
    ['stranger', 400],
  ])('are closed when what runs has ended in the lane %s, and take nothing more', async (lane, ms) => {
    const { said, lanes, add } = lanesOf(known)
    await add(lane, { order_id: 'o1' })
    expect(await endsAfter(lanes.close(), ms - 1, 1)).toEqual([false, true])
    const before = [...said]
    await add('trusted', { order_id: 'o2' })
    await add('stranger', { order_id: 'o3' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual(before)
  })
})
