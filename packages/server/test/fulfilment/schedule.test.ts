// Promise: fulfilment/schedule
/** What fulfilment does on its own: when it starts, what it reports and removes, and how it ends. */
import { describe, expect, test, vi } from 'vitest'
import { createBackground } from '../../src/deadline.ts'
import type { Fulfilment } from '../../src/fulfilment/createFulfilment.ts'
import { HOLD_MS } from '../../src/fulfilment/queue.ts'
import { sweep } from '../../src/fulfilment/reconcile.ts'
import { keyOf } from '../../src/fulfilment/webhook.ts'
import type { Purchase } from '../../src/purchase/purchase.ts'
import { KEEP_HANDLED_MS } from '../../src/stores/store.ts'
import { hasEnded } from '../support/fakeTimers.ts'
import { fulfilling, orderOf, takes } from '../support/fulfilment.ts'
import { purchaseOf } from '../support/purchases.ts'

const HOUR = 3_600_000

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

/** A purchase created just before. */
const created = (customId = 'ada'): Purchase =>
  purchaseOf({ shopper: { customId }, begunAt: Date.now() - 1, validUntil: Date.now() + HOUR })

describe('the schedule', () => {
  test('nothing runs before the first use', async () => {
    const { claim, sweep, unsettled } = fulfilling([])
    await advance(HOUR)
    expect([claim, sweep, unsettled].map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0])
  })

  // Promise: fulfilment/heartbeat
  test.each<[string, (one: Fulfilment) => unknown]>([
    ['a start', (one) => one.start()],
    ['a hint', (one) => one.syncOrder({ order_id: 'o' }, 'trusted')],
    ['a list', (one) => one.notice([])],
    ['a reconciliation', (one) => one.reconcile()],
  ])('jobs of killed processes are resumed ten seconds after %s', async (_, use) => {
    const { store, delivered, fulfilment } = fulfilling([orderOf('left')])
    await store.jobs.add(keyOf({ order_id: 'left' }), 'trusted')
    await store.jobs.claim('trusted', 1, HOLD_MS)
    await use(fulfilment)
    await advance(0)
    expect(delivered()).toEqual([])
    await advance(10_000)
    expect(delivered()).toEqual(['left order_complete'])
  })

  // Promise: fulfilment/missed
  test('a second after the first use it looks for missed orders and removes expired data', async () => {
    const { store, delivered, sweep, unsettled, fulfilment } = fulfilling([orderOf('missed')])
    await store.purchases.begin(created())
    fulfilment.start()
    await advance(999)
    expect([delivered(), sweep.mock.calls]).toEqual([[], []])
    await advance(101)
    expect(delivered()).toEqual(['missed order_complete'])
    expect(unsettled).toHaveBeenCalledOnce()
    expect(sweep.mock.calls).toEqual([[200, KEEP_HANDLED_MS]])
  })

  test('it looks for jobs every five seconds, for orders and expired data every five minutes, and keeps no process alive', async () => {
    const { awake, claim, sweep, unsettled, fulfilment } = fulfilling([])
    fulfilment.start()
    fulfilment.start()
    await advance(4_999)
    expect(claim).toHaveBeenCalledTimes(2)
    await advance(1)
    expect(claim).toHaveBeenCalledTimes(4)
    await advance(HOUR)
    expect([unsettled.mock.calls.length, sweep.mock.calls.length]).toEqual([13, 13])
    expect([vi.getTimerCount(), awake()]).toEqual([2, 0])
  })

  test('failures are reported', async () => {
    const { errors, sweep, unsettled, fulfilment } = fulfilling([])
    sweep.mockRejectedValueOnce(new Error('no sweep'))
    unsettled.mockRejectedValueOnce(new Error('no list'))
    fulfilment.start()
    await advance(1_000)
    expect(errors).toEqual(['Error: no list'])
    await advance(HOUR / 12)
    expect(errors).toEqual(['Error: no list', 'Error: no sweep'])
  })
})

// Promise: fulfilment/reconcile
describe('a reconciliation', () => {
  test('a reconciliation ends when all that it found, and all that was due, is handled, and expired data is removed', async () => {
    const { store, onOrder, delivered, sweep, fulfilment } = fulfilling([orderOf('missed'), orderOf('due')])
    await store.purchases.begin(created())
    await store.jobs.add(keyOf({ order_id: 'due' }), 'unauthenticated')
    let done = 0
    onOrder.mockImplementation(async () => {
      await takes(5_000)()
      done++
    })
    const reconciled = fulfilment.reconcile()
    expect(await hasEnded(reconciled, 4_999)).toBe(false)
    expect(sweep).toHaveBeenCalled()
    expect(await hasEnded(reconciled, 1_000)).toBe(true)
    expect([delivered().sort(), done]).toEqual([['due order_complete', 'missed order_complete'], 2])
  })

  test('a reconciliation handles jobs that other instances have left, each time', async () => {
    const { store, delivered, fulfilment } = fulfilling([orderOf('left'), orderOf('unproven')])
    expect(await hasEnded(fulfilment.reconcile(), 0)).toBe(true)
    await store.jobs.add(keyOf({ order_id: 'left' }), 'trusted')
    await store.jobs.add(keyOf({ order_id: 'unproven' }), 'unauthenticated')
    expect(await hasEnded(fulfilment.reconcile(), 0)).toBe(true)
    expect(delivered()).toEqual(['left order_complete', 'unproven order_complete'])
  })

  test('a reconciliation rejects when the store is unavailable', async () => {
    const { unsettled, fulfilment } = fulfilling([])
    unsettled.mockImplementation(gone)
    await expect(fulfilment.reconcile()).rejects.toThrow('gone')
  })
})

describe('close()', () => {
  test('close() waits for onOrder; nothing runs after it, but hints are recorded', async () => {
    const { store, onOrder, claim, sweep, unsettled, fulfilment } = fulfilling([orderOf('o')])
    await fulfilment.syncOrder({ order_id: 'unproven' }, 'unauthenticated')
    onOrder.mockImplementation(takes(5_000))
    await fulfilment.syncOrder({ order_id: 'o' }, 'trusted')
    await advance(0)
    const closed = fulfilment.close()
    for (const queue of ['trusted', 'unauthenticated'] as const)
      expect(await fulfilment.syncOrder({ order_id: 'late' }, queue)).toBe(true)
    expect(await hasEnded(closed, 4_999)).toBe(false)
    expect(await hasEnded(closed, 1)).toBe(true)
    for (const spy of [claim, sweep, unsettled]) spy.mockClear()
    fulfilment.start()
    await advance(HOUR)
    expect([claim, sweep, unsettled].map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0])
    expect(vi.getTimerCount()).toBe(0)
    expect((await store.jobs.claim('trusted', 9, 1)).map(({ key }) => key)).toEqual([
      keyOf({ order_id: 'late' }),
    ])
  })

  test.each<[string, (one: ReturnType<typeof fulfilling>, work: () => Promise<never[]>) => unknown]>([
    [
      'a look for missed orders',
      ({ unsettled, fulfilment }, work) => {
        unsettled.mockImplementation(work)
        fulfilment.start()
      },
    ],
    [
      'a reconciliation',
      ({ unsettled, fulfilment }, work) => {
        unsettled.mockImplementation(work)
        void fulfilment.reconcile()
      },
    ],
    [
      'a removal of what has expired',
      ({ sweep, fulfilment }, work) => {
        sweep.mockImplementation(() => work().then(() => 0))
        fulfilment.start()
      },
    ],
    ['other work that was named', ({ fulfilment }, work) => fulfilment.keep(takes(1_000)().then(work))],
  ])('close() waits for %s', async (_, begin) => {
    const one = fulfilling([])
    begin(one, () => takes(5_000)().then(() => []))
    await advance(1_000)
    const closed = one.fulfilment.close()
    expect(await hasEnded(closed, 3_999)).toBe(false)
    expect(await hasEnded(closed, 1_001)).toBe(true)
  })

  test.each([
    ['a reconciliation', ['ada', 'bob'], [1, 0]],
    ['a removal', [], [0, 1]],
  ] as const)('close() stops %s early', async (_, shoppers, calls) => {
    const { store, list, sweep, fulfilment } = fulfilling([])
    for (const customId of shoppers) await store.purchases.begin(created(customId))
    list.mockImplementation(() => takes(20)().then(() => []))
    sweep.mockResolvedValue(200)
    fulfilment.start()
    await advance(1_000)
    expect(await hasEnded(fulfilment.close(), 50)).toBe(true)
    expect([list.mock.calls.length, sweep.mock.calls.length]).toEqual(calls)
  })
})

test('background work is awaited, including work that starts meanwhile, whether or not it succeeds', async () => {
  const { keep, idle } = createBackground()
  await idle()
  const done: string[] = []
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
  const first = keep(
    pause().then(() => {
      done.push('first')
      keep(pause().then(() => void done.push('second')))
      return 'given back'
    }),
  )
  keep(pause().then(() => Promise.reject(new Error('broken')))).catch(() => {})
  await idle()
  expect(done).toEqual(['first', 'second'])
  expect(await first).toBe('given back')
})

test('expired data is removed in batches until nothing is left or it is stopped', async () => {
  const left = [200, 200, 50, 0]
  const removing = vi.fn(async () => left.shift() ?? 0)
  const stopped = (signal: AbortSignal): Promise<void> => sweep({ store: { sweep: removing }, signal })
  await stopped(new AbortController().signal)
  expect(removing.mock.calls).toEqual(Array(3).fill([200, KEEP_HANDLED_MS]))
  await stopped(AbortSignal.abort())
  expect(removing).toHaveBeenCalledTimes(3)
})
