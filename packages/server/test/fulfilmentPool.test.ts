/** Workers that take what a queue gives, so many at a time. */
import { describe, expect, test } from 'vitest'
import { createWorkerPool } from '../src/fulfilment/workerPool.ts'

describe('a pool of workers', () => {
  const pause = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  test('takes what is there, so many at a time, and is idle when nothing is left', async () => {
    const queue = Array.from({ length: 10 }, (_, index) => index)
    const asked: number[] = []
    const done: number[] = []
    let running = 0
    let most = 0
    const pool = createWorkerPool<number>({
      workers: 3,
      take: async (limit) => {
        asked.push(limit)
        return queue.splice(0, limit)
      },
      async work(item) {
        most = Math.max(most, ++running)
        await pause()
        running--
        done.push(item)
      },
      onError: () => {},
    })
    await pool.idle()
    expect(asked).toEqual([])
    pool.wake()
    pool.wake()
    await pool.idle()
    expect([done.length, most, queue.length]).toEqual([10, 3, 0])
    expect(Math.max(...asked)).toBe(3)
    expect(Math.min(...asked)).toBeGreaterThan(0)
  })

  test('looks again when it was woken while it looked', async () => {
    let looks = 0
    const pool = createWorkerPool<number>({
      workers: 1,
      take: async () => {
        looks++
        await pause()
        return []
      },
      work: async () => {},
      onError: () => {},
    })
    pool.wake()
    pool.wake()
    await pool.idle()
    expect(looks).toBe(2)
    pool.wake()
    await pool.idle()
    expect(looks).toBe(3)
  })

  test('tells what a look failed with, and looks again when it is woken', async () => {
    const errors: unknown[] = []
    const done: string[] = []
    let isGone = true
    const pool = createWorkerPool<string>({
      workers: 2,
      take: async () => {
        if (isGone) throw new Error('the store is gone')
        return done.length === 0 ? ['job'] : []
      },
      work: async (job) => void done.push(job),
      onError: (error) => errors.push(error),
    })
    pool.wake()
    await pool.idle()
    expect([errors, done]).toEqual([[new Error('the store is gone')], []])
    isGone = false
    pool.wake()
    await pool.idle()
    expect(done).toEqual(['job'])
  })

  test('takes nothing once it was closed, which waits for what runs', async () => {
    const queue = ['one', 'two', 'three']
    const done: string[] = []
    const pool = createWorkerPool<string>({
      workers: 1,
      take: async (limit) => queue.splice(0, limit),
      async work(item) {
        await pause(20)
        done.push(item)
      },
      onError: () => {},
    })
    pool.wake()
    await pause()
    await pool.close()
    expect([done, queue]).toEqual([['one'], ['two', 'three']])
    pool.wake()
    await pause()
    expect(queue).toEqual(['two', 'three'])
  })

  test.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'looks again whenever it is woken, also %s turns after a look',
    async (turns) => {
      let isLate = false
      let looks = 0
      const pool = createWorkerPool<number>({
        workers: 1,
        take: async () => {
          if (isLate) looks++
          return []
        },
        work: async () => {},
        onError: () => {},
      })
      pool.wake()
      for (let turn = 0; turn < turns; turn++) await undefined
      isLate = true
      pool.wake()
      await pool.idle()
      expect(looks).toBe(1)
    },
  )
})
