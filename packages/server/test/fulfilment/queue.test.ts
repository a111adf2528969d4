// Promise: fulfilment/attempts
/** A queue of jobs: when each is tried, held, retried and given up. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError, NetworkError, TimeoutError } from '../../src/errors.ts'
import {
  createQueue,
  FailedAfterCommit,
  type QueueOptions,
  UnknownOrder,
} from '../../src/fulfilment/queue.ts'
import { keyOf, type OrderHint } from '../../src/fulfilment/webhook.ts'
import { memoryStore } from '../../src/index.ts'
import type { Jobs } from '../../src/stores/store.ts'
import { fakeTimers } from '../support/fakeTimers.ts'

/** The error of a refused store call. */
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

/** Null: the job is handled. */
type Answer = unknown | null | (() => Promise<void>)

/** A queue whose service gives these answers, the last one repeatedly. Delays are not randomised. */
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
      if (typeof answer === 'function') await answer()
      else if (answer !== null) throw answer
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

/** Whether the job causes no more attempts within an hour. */
async function isOver({ handled, queue }: Pick<ReturnType<typeof queueOf>, 'handled' | 'queue'>) {
  const before = handled.length
  queue.wake()
  await vi.advanceTimersByTimeAsync(3_600_000)
  queue.wake()
  await vi.advanceTimersByTimeAsync(0)
  return handled.length === before && vi.getTimerCount() === 0
}

const unknown = new UnknownOrder()

const refusal = (status: number, refusedBy: ApiError['refusedBy'] = 'service'): ApiError =>
  new ApiError('transactions.retrieve', 'no', { status, refusedBy })

describe('a job', () => {
  const order: OrderHint = { order_id: 'o' }
  const broken = new Error('broken')

  /** How often it is tried in total. */
  async function attemptsAt(one: ReturnType<typeof queueOf>, hint: OrderHint): Promise<number> {
    await one.add(hint)
    for (let day = 0; day < 20; day++) {
      await vi.advanceTimersByTimeAsync(86_400_000)
      one.queue.wake()
    }
    await vi.advanceTimersByTimeAsync(0)
    return one.handled.length
  }

  test.each<[string, unseen: number, known: number, failure: unknown]>([
    ['nothing', 1, 1, null],
    ['an order that the service does not know', 3, 12, unknown],
    ['a refusal about the order', 3, 12, refusal(404)],
    ['a refusal of an unclear shape', 3, 12, refusal(400, 'unclear')],
    ['a refusal under 200', 3, 12, refusal(200)],
    ['a refusal of another server', 12, 12, refusal(404, 'other')],
    ['a refusal about the key', 12, 12, refusal(401)],
    ['a refusal about permission', 12, 12, refusal(403)],
    ['a refusal about the time', 12, 12, refusal(408)],
    ['a refusal about the rate', 12, 12, refusal(429)],
    ['a service that broke', 12, 12, refusal(500)],
    ['no network', 12, 12, new NetworkError('x', 'y')],
    ['a call that took too long', 12, 12, new TimeoutError('onOrder', 'late')],
    ['an error of the merchant’s code', 12, 12, broken],
    ['an error of the merchant’s code after its commit', 1, 1, new FailedAfterCommit(broken)],
  ])(
    'a job that fails with %s gets this many attempts: %i, for an order that was seen: %i',
    async (_, unseen, known, failure) => {
      const times = [unseen, known]
      const hints = [order, { ...order, type: 'order_complete' }] as const
      for (const [index, hint] of hints.entries()) {
        const one = queueOf([failure])
        expect(await attemptsAt(one, hint)).toBe(times[index])
        const letters = failure === null ? [] : [{ key: keyOf(hint), attempts: times[index] }]
        expect(await one.jobs.deadLetters(9)).toMatchObject(letters)
        // Before the last attempt an order that may still appear is not reported.
        const isUnknown = times[index] === 3
        const reported = failure === null ? [] : Array(isUnknown ? 1 : times[index]).fill(String(failure))
        expect(one.errors).toEqual(reported)
      }
    },
  )

  test.each([
    ['an order that the service does not know', 3, 0, unknown],
    ['a refusal of an unclear shape', 3, 0, refusal(404, 'unclear')],
    ['a refusal of another server', 6, 6, refusal(404, 'other')],
    ['an error of the merchant’s code', 6, 6, broken],
    ['an error of the merchant’s code after its commit', 1, 1, new FailedAfterCommit(broken)],
  ])(
    'an unauthenticated job that fails with %s gets this many attempts: %i, reports: %i, and becomes no dead letter',
    async (_, attempts, reported, failure) => {
      const one = queueOf([failure], () => ({ name: 'unauthenticated' }))
      expect(await attemptsAt(one, order)).toBe(attempts)
      expect(one.errors).toHaveLength(reported)
      expect(await one.jobs.deadLetters(9)).toEqual([])
    },
  )

  test('a job whose order is unknown only after other failures gets as many attempts as after those', async () => {
    expect(await attemptsAt(queueOf([broken, broken, broken, unknown]), order)).toBe(12)
    expect(await attemptsAt(queueOf([unknown, unknown, null]), order)).toBe(3)
  })

  test('a job whose retry would have no effect ends, however many attempts came before', async () => {
    const failures = [broken, broken, broken, broken, new FailedAfterCommit(broken)]
    expect(await attemptsAt(queueOf(failures), order)).toBe(5)
  })

  test('a dead letter has name and message, without values from the merchant’s code', async () => {
    const reasonOf = async (failure: unknown): Promise<string | undefined> => {
      const one = queueOf([failure])
      await attemptsAt(one, order)
      return (await one.jobs.deadLetters(1))[0]?.reason
    }
    expect(await reasonOf(refusal(500))).toBe('ApiError: transactions.retrieve: no')
    expect(await reasonOf(new TimeoutError('onOrder', 'not in 12000000 ms'))).toContain('in 12000000 ms')
    expect(await reasonOf(new Error('not in 12000000 ms'))).not.toContain('12000000')
    expect(await reasonOf(new TypeError('broken'))).toBe('TypeError: broken')
    expect(await reasonOf(new Error('could not mail ada@example.com'))).not.toContain('ada@example.com')
    expect(await reasonOf('text')).toBe('not an Error')
    expect(await reasonOf(new FailedAfterCommit(broken))).toMatch(/not called again\. .* Error: broken$/)
    expect(new FailedAfterCommit(broken).cause).toBe(broken)
  })

  test('a job waits three times as long each time, a quarter more or less', async () => {
    for (const [random, factor] of [
      [0, 0.75],
      [0.5, 1],
      [1, 1.25],
    ] as const) {
      const one = queueOf([broken])
      vi.mocked(Math.random).mockReturnValue(random)
      const retry = vi.spyOn(one.jobs, 'retry')
      await attemptsAt(one, order)
      const waits = retry.mock.calls.map(([, ms]) => ms)
      expect(waits).toEqual(Array.from({ length: 11 }, (_, index) => 3 ** index * 1_000 * factor))
    }
  })

  test('a failed job with a short delay is retried by a timer, else by the next claim', async () => {
    const one = queueOf([unknown, unknown, broken, null])
    await one.add(order)
    await vi.advanceTimersByTimeAsync(999)
    // No process is kept alive for it: the store keeps the job.
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

  const takes = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

  test('a job is held while it runs, and no longer, and keeps no process alive', async () => {
    const one = queueOf([takes(60_000)])
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1)
    expect(one.awake()).toBe(0)
    await vi.advanceTimersByTimeAsync(59_998)
    expect(await one.jobs.claim('trusted', 9, 1)).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await isOver(one)).toBe(true)
  })

  test('a job whose hold cannot be renewed is reported each time, and still runs', async () => {
    const one = queueOf([takes(5_000)], (jobs) => ({ jobs: { ...jobs, hold: gone } }))
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(one.errors).toEqual(Array(2).fill('Error: the store is gone'))
    expect(await isOver(one)).toBe(true)
  })

  test('a job that is added again while it runs is run once more at once, and meanwhile occupies no worker', async () => {
    const one = queueOf([takes(60_000), null])
    for (const order_id of ['o', 'o', 'o', 'another', 'o']) await one.add({ order_id })
    expect(one.handled).toEqual([keyOf({ order_id: 'o' }), keyOf({ order_id: 'another' })])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(one.handled.slice(2)).toEqual([keyOf({ order_id: 'o' })])
    expect(await isOver(one)).toBe(true)
    expect([one.errors, await one.jobs.claim('trusted', 9, 1)]).toEqual([[], []])
    await one.add({ order_id: 'o' })
    expect(one.handled).toHaveLength(4)
  })

  test('a job that is added again and again while it fails gets all of its attempts', async () => {
    const one = queueOf([takes(1_000), new Error('broken')])
    for (let again = 0; again < 20; again++) await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.errors).toEqual(['Error: broken'])
    for (let day = 0; day < 20; day++) {
      await vi.advanceTimersByTimeAsync(86_400_000)
      one.queue.wake()
    }
    await vi.advanceTimersByTimeAsync(0)
    expect(await one.jobs.deadLetters(9)).toMatchObject([{ attempts: 12 }])
  })

  test.each([
    ['during the run', 500],
    ['right after it', 1_000],
  ])('a job that failed after its commit stays a dead letter when it is added again %s', async (_, ms) => {
    const failsAfterCommit = async (): Promise<never> => {
      await takes(1_000)()
      throw new FailedAfterCommit(broken)
    }
    // The next run finds the state handled, and skips it.
    const one = queueOf([failsAfterCommit, null])
    await one.add(order)
    await vi.advanceTimersByTimeAsync(ms)
    await one.add(order)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.handled).toHaveLength(2)
    expect(await one.jobs.deadLetters(9)).toMatchObject([{ key: keyOf(order), attempts: 1 }])
    expect(await isOver(one)).toBe(true)
  })

  test('a job whose work fails after its commit, when nobody waits for it any more, becomes a dead letter', async () => {
    const { handle, lateFailure } = lateHandler()
    const one = queueOf([], () => ({ handle }))
    await one.add(order)
    expect(one.errors).toEqual(['Error: broken'])
    await vi.advanceTimersByTimeAsync(1_001)
    // The retry has found the state handled.
    lateFailure(new FailedAfterCommit(broken))
    await vi.advanceTimersByTimeAsync(0)
    expect(one.contexts[1]).toEqual({ during: 'fulfilment', orderId: 'o', attempt: 1 })
    expect(await one.jobs.deadLetters(9)).toMatchObject([
      { key: keyOf(order), reason: expect.stringMatching(/^FailedAfterCommit/), attempts: 1 },
    ])
    expect(await isOver(one)).toBe(true)
  })

  /** Fails the first time, and handles the job the second time. */
  function lateHandler() {
    const late: ((failure: unknown) => void)[] = []
    const handle: QueueOptions['handle'] = async (_, onLateFailure) => {
      if (late.push(onLateFailure) === 1) throw broken
    }
    return { handle, lateFailure: (failure: unknown) => late[0]?.(failure) }
  }

  test('a job keeps a worker busy for as long as the pace says, and no longer', async () => {
    const one = queueOf([null], () => ({ workers: 1, paceMs: 400 }))
    for (const order_id of ['first', 'second']) await one.add({ order_id })
    await vi.advanceTimersByTimeAsync(399)
    expect(one.handled).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(one.handled).toHaveLength(2)
    const unpaced = queueOf([null], () => ({ workers: 1 }))
    for (const order_id of ['first', 'second', 'third']) await unpaced.add({ order_id })
    expect(unpaced.handled).toHaveLength(3)
  })

  test('a job that cannot be completed is reported, and retried', async () => {
    const one = queueOf([null], (jobs) => ({ jobs: { ...jobs, complete: gone } }))
    await one.add({ order_id: 'o' })
    await vi.advanceTimersByTimeAsync(1_001)
    expect(one.handled).toHaveLength(2)
    expect(one.errors).toEqual(Array(2).fill('Error: the store is gone'))
  })

  test('a job that cannot be put back is reported, and becomes due by itself', async () => {
    const one = queueOf([unknown, null], (jobs) => ({ jobs: { ...jobs, retry: gone } }))
    await one.add({ order_id: 'o' })
    expect(one.errors).toEqual(['Error: the store is gone'])
    await vi.advanceTimersByTimeAsync(8_000)
    one.queue.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(one.handled).toHaveLength(2)
    expect(await isOver(one)).toBe(true)
  })

  test('no job is claimed while the store is unavailable, which is reported', async () => {
    const one = queueOf([null], (jobs) => ({ jobs: { ...jobs, claim: gone } }))
    await one.add({ order_id: 'o' })
    expect([one.handled, one.errors]).toEqual([[], ['Error: the store is gone']])
  })

  test.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'a job is looked for whenever the queue is woken, even %s turns after a check',
    async (turns) => {
      let isLate = false
      let claims = 0
      const { queue } = queueOf([null], (jobs) => ({
        jobs: {
          ...jobs,
          claim: async () => {
            if (isLate) claims++
            return []
          },
        },
      }))
      queue.wake()
      for (let turn = 0; turn < turns; turn++) await undefined
      isLate = true
      queue.wake()
      await queue.idle()
      expect(claims).toBe(1)
    },
  )
})
