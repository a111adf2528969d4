/** When fulfilment does something by itself, and that one instance at a time does. */
import { describe, expect, test, vi } from 'vitest'
import { createOneInstance, kept } from '../src/fulfilment/reconcile.ts'
import { createSchedule } from '../src/fulfilment/schedule.ts'
import { memoryStore, type Store } from '../src/index.ts'
import { fakeTimers } from './support/fakeTimers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

describe('the schedule', () => {
  /** What was done, and how often. */
  function schedule() {
    const awake = fakeTimers()
    const done = { wake: 0, reconcile: 0, sweep: 0 }
    const one = createSchedule({
      wake: () => done.wake++,
      reconcile: () => done.reconcile++,
      sweep: () => done.sweep++,
    })
    return { done, awake, ...one }
  }

  test('looks for jobs at once and every five seconds', async () => {
    const { done, start } = schedule()
    expect(done.wake).toBe(0)
    start()
    expect(done).toEqual({ wake: 1, reconcile: 0, sweep: 0 })
    await advance(4_999)
    expect(done.wake).toBe(1)
    await advance(1)
    expect(done.wake).toBe(2)
    await advance(5_000)
    expect(done.wake).toBe(3)
  })

  test('reconciles a second after the start and every five minutes, and sweeps every hour', async () => {
    const { done, start } = schedule()
    start()
    start()
    await advance(999)
    expect(done).toMatchObject({ reconcile: 0, sweep: 0 })
    await advance(1)
    expect(done).toMatchObject({ reconcile: 1, sweep: 1 })
    await advance(HOUR)
    expect(done).toMatchObject({ reconcile: 13, sweep: 2 })
  })

  test('keeps no process alive', () => {
    const { awake, start } = schedule()
    start()
    expect([vi.getTimerCount(), awake()]).toEqual([5, 0])
  })

  test('does nothing once it was stopped, also where it is started again', async () => {
    const { done, start, stop } = schedule()
    start()
    stop()
    start()
    await advance(DAY)
    expect(done).toEqual({ wake: 1, reconcile: 0, sweep: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('one instance at a time', () => {
  function instance(changes: (store: Store) => Partial<Store> = () => ({})) {
    fakeTimers()
    const store = memoryStore()
    const onError = vi.fn()
    const alone = createOneInstance({ store: { ...store, ...changes(store) }, onError })
    return { store, onError, alone, value: async () => (await store.get('reconcile:running'))?.value }
  }

  const takes = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  test('goes on, and the others do not as long as it lives', async () => {
    const { store, onError, alone, value } = instance()
    const another = createOneInstance({ store, onError })
    const task = vi.fn()
    const first = alone(takes(MINUTE))
    await advance(0)
    expect(await value()).toBe('yes')
    for (const ms of [0, 14_999, 45_000]) {
      await advance(ms)
      expect(await another(task)).toBe(false)
    }
    await advance(1)
    expect([await first, task.mock.calls, await value()]).toEqual([true, [], 'no'])
    expect(vi.getTimerCount()).toBe(0)
    expect(await another(task)).toBe(true)
    expect(task).toHaveBeenCalledOnce()
    expect(onError).not.toHaveBeenCalled()
  })

  test('lets the next begin also when it has failed', async () => {
    const { alone, value } = instance()
    await expect(alone(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect([await value(), vi.getTimerCount()]).toEqual(['no', 0])
  })

  test('that was killed keeps the others from it for fifteen seconds', async () => {
    const { store, alone } = instance()
    await store.set('reconcile:running', 'yes', 15_000)
    expect(await alone(takes(0))).toBe(false)
    await advance(14_999)
    expect(await alone(takes(0))).toBe(false)
    await advance(1)
    const ended = alone(takes(0))
    await advance(1)
    expect(await ended).toBe(true)
  })

  test('tells that its hold could not be renewed', async () => {
    let sets = 0
    const { onError, alone } = instance(({ set }) => ({
      set: (...given) => (++sets === 2 ? Promise.reject(new Error('the store is gone')) : set(...given)),
    }))
    const ended = alone(takes(12_000))
    await advance(12_000)
    expect(await ended).toBe(true)
    expect([onError.mock.calls, sets]).toEqual([[[new Error('the store is gone')]], 4])
  })

  test.each<[number | null, string | null]>([
    [999, 'value'],
    [1_000, 'value'],
    [1_001, null],
    [null, null],
  ])('reads a value that has %s of its 1000 ms left as %s', async (ttlMs, expected) => {
    const get = async (): Promise<{ value: string; ttlMs: number | null }> => ({ value: 'value', ttlMs })
    expect(await kept({ get }, 'key', 1_000)).toBe(expected)
    expect(await kept({ get: async () => null }, 'key', 1_000)).toBeNull()
  })
})
