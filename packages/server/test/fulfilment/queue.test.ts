// Promise: fulfilment/attempts
/** A queue of jobs: when each is tried, is held, comes back and is given up. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FailedAfterCommit } from '../../src/fulfilment/attempts.ts'
import { createQueue, type QueueOptions } from '../../src/fulfilment/queue.ts'
import { keyOf, type OrderHint } from '../../src/fulfilment/webhook.ts'
import { memoryStore } from '../../src/index.ts'
import type { Jobs, QueueName } from '../../src/stores/store.ts'
import { fakeTimers } from '../support/fakeTimers.ts'

/** Of a refused call of the store. */
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

type Answer = boolean | Error | (() => Promise<boolean>)

/** A queue whose service gives these answers, the last of them from then on. Waits are spread by nothing. */
function queueOf(answers: Answer[], options: (jobs: Jobs) => Partial<QueueOptions> = () => ({})) {
  const awake = fakeTimers()
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => random.mockRestore())
  const { jobs } = memoryStore()
  const given = options(jobs)
  const handled: string[] = []
  const errors: string[] = []
  const contexts: unknown[] = []
  const queue = createQueue({
    name: 'trusted',
    jobs,
    workers: 2,
    paceMs: 0,
    async handle(hint) {
      handled.push(keyOf(hint))
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer() : (answer ?? true)
    },
    onError(error, context) {
      errors.push(String(error))
      contexts.push(context)
    },
    ...given,
  })
  async function add(hint: OrderHint): Promise<void> {
    await jobs.add(keyOf(hint), given.name ?? 'trusted')
    queue.wake()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { awake, jobs, handled, errors, contexts, queue, add }
}

/** Whether nothing more comes of it within an hour. */
async function isOver({ handled, queue }: Pick<ReturnType<typeof queueOf>, 'handled' | 'queue'>) {
  const before = handled.length
  queue.wake()
  await vi.advanceTimersByTimeAsync(3_600_000)
  queue.wake()
  await vi.advanceTimersByTimeAsync(0)
  return handled.length === before && vi.getTimerCount() === 0
}

const unknownOrder = 'UnknownOrder: the service knows no such order'

describe('a job', () => {
  const order: OrderHint = { order_id: 'o' }
  const broken = new Error('broken')
  const afterCommit = new FailedAfterCommit(broken)

  test.each<[string, QueueName, OrderHint, Answer[], number, string[], string[]]>([
    ['that is done', 'trusted', order, [true], 1, [], []],
    ['whose order is not known yet', 'trusted', order, [false, false, true], 3, [], []],
    ['whose order is never known', 'trusted', order, [false], 3, [unknownOrder], [unknownOrder]],
    ['whose order is never known', 'unauthenticated', order, [false], 3, [], []],
    [
      'whose order was seen, and is not known for a moment',
      'trusted',
      { ...order, type: 'order_complete' },
      [false, true],
      2,
      [unknownOrder],
      [],
    ],
    ['that fails twice', 'trusted', order, [broken, broken, true], 3, Array(2).fill(String(broken)), []],
    ['that always fails', 'unauthenticated', order, [broken], 6, Array(6).fill(String(broken)), []],
    [
      'that failed after its commit',
      'trusted',
      order,
      [afterCommit],
      1,
      [String(afterCommit)],
      [String(afterCommit)],
    ],
  ])(
    '%s, in the queue %s: %j, %j: is tried so often: %i, and told of: %j, and a dead letter: %j',
    async (_, name, hint, answers, attempts, told, dead) => {
      const one = queueOf([...answers], () => ({ name }))
      await one.add(hint)
      for (let look = 0; look < 10; look++) await isOver(one)
      expect(await isOver(one)).toBe(true)
      expect(one.handled).toEqual(Array(attempts).fill(keyOf(hint)))
      expect(one.errors).toEqual(told)
      expect(await one.jobs.deadLetters(9)).toMatchObject(
        dead.map((reason) => ({ key: keyOf(hint), reason, attempts })),
      )
    },
  )

  test('that fails comes back by itself when that is soon, else at the next look at the store', async () => {
    const one = queueOf([false, false, broken, true])
    await one.add(order)
    await vi.advanceTimersByTimeAsync(999)
    // No process is kept alive for it: the store has the job.
    expect([one.handled.length, one.awake()]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(2)
    expect(one.handled).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(3_001)
    expect([one.handled.length, vi.getTimerCount()]).toEqual([3, 0])
    expect(one.contexts).toEqual([{ during: 'fulfilment', orderId: 'o', attempt: 3 }])
    for (const [ms, attempts] of [
      [8_999, 3],
      [1, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms)
      one.queue.wake()
      await vi.advanceTimersByTimeAsync(0)
      expect(one.handled).toHaveLength(attempts)
    }
  })

  const takes = (ms: number) => (): Promise<boolean> =>
    new Promise((resolve) => setTimeout(() => resolve(true), ms))

  test('is held while it is worked at, and no longer, and keeps no process alive', async () => {
    const one = queueOf([takes(60_000)])
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1)
    expect(one.awake()).toBe(0)
    await vi.advanceTimersByTimeAsync(59_998)
    expect(await one.jobs.claim('trusted', 9, 1)).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await isOver(one)).toBe(true)
  })

  test('whose hold cannot be renewed is told each time, and worked at all the same', async () => {
    const one = queueOf([takes(5_000)], (jobs) => ({ jobs: { ...jobs, hold: gone } }))
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(one.errors).toEqual(Array(2).fill('Error: the store is gone'))
    expect(await isOver(one)).toBe(true)
  })

  test('that is added again while it is worked at is worked at once more, and meanwhile in nobody’s way', async () => {
    const one = queueOf([takes(60_000), true])
    for (const order_id of ['o', 'o', 'o', 'another', 'o']) await one.add({ order_id })
    expect(one.handled).toEqual([keyOf({ order_id: 'o' }), keyOf({ order_id: 'another' })])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(one.handled.slice(2)).toEqual([keyOf({ order_id: 'o' })])
    expect(await isOver(one)).toBe(true)
    expect([one.errors, await one.jobs.claim('trusted', 9, 1)]).toEqual([[], []])
    await one.add({ order_id: 'o' })
    expect(one.handled).toHaveLength(4)
  })

  test('that is added again and again while it fails has all of its attempts', async () => {
    const one = queueOf([takes(1_000), new Error('broken')])
    for (let again = 0; again < 20; again++) await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.errors).toEqual(['Error: broken'])
    for (let look = 0; look < 20; look++) {
      await vi.advanceTimersByTimeAsync(86_400_000)
      one.queue.wake()
    }
    await vi.advanceTimersByTimeAsync(0)
    expect(await one.jobs.deadLetters(9)).toMatchObject([{ attempts: 12 }])
  })

  test('keeps a worker busy for as long as the pace says, and no longer', async () => {
    const one = queueOf([true], () => ({ workers: 1, paceMs: 400 }))
    for (const order_id of ['first', 'second']) await one.add({ order_id })
    await vi.advanceTimersByTimeAsync(399)
    expect(one.handled).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(one.handled).toHaveLength(2)
    const unpaced = queueOf([true], () => ({ workers: 1 }))
    for (const order_id of ['first', 'second', 'third']) await unpaced.add({ order_id })
    expect(unpaced.handled).toHaveLength(3)
  })

  test('that cannot be completed is told, and tried again', async () => {
    const one = queueOf([true], (jobs) => ({ jobs: { ...jobs, complete: gone } }))
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1_001)
    expect(one.handled).toHaveLength(2)
    expect(one.errors).toEqual(Array(2).fill('Error: the store is gone'))
  })

  test('that cannot be put back is told, and comes back by itself', async () => {
    const one = queueOf([false, true], (jobs) => ({ jobs: { ...jobs, retry: gone } }))
    await one.add({ order_id: 'o' })
    expect(one.errors).toEqual(['Error: the store is gone'])
    await vi.advanceTimersByTimeAsync(8_000)
    one.queue.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(one.handled).toHaveLength(2)
    expect(await isOver(one)).toBe(true)
  })

  test('is not taken while the store is gone, which is told', async () => {
    const one = queueOf([true], (jobs) => ({ jobs: { ...jobs, claim: gone } }))
    await one.add({ order_id: 'o' })
    expect([one.handled, one.errors]).toEqual([[], ['Error: the store is gone']])
  })

  test.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'is looked for whenever the queue is woken, also %s turns after a look',
    async (turns) => {
      let isLate = false
      let looks = 0
      const { queue } = queueOf([true], (jobs) => ({
        jobs: {
          ...jobs,
          claim: async () => {
            if (isLate) looks++
            return []
          },
        },
      }))
      queue.wake()
      for (let turn = 0; turn < turns; turn++) await undefined
      isLate = true
      queue.wake()
      await queue.idle()
      expect(looks).toBe(1)
    },
  )
})
