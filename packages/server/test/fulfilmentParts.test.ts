// Promise: fulfilment/attempts
/** What fulfilment is made of, each for itself: how a failure counts, what a webhook says, and what is waited for. */
import { describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkError, TimeoutError } from '../src/errors.ts'
import {
  FailedAfterCommit,
  type FailureKind,
  failureKindOf,
  reasonOf,
  retryDelay,
  UnknownOrder,
} from '../src/fulfilment/attempts.ts'
import { createBackground } from '../src/fulfilment/background.ts'
import { sweep } from '../src/fulfilment/createFulfilment.ts'
import { hintOf, keyOf, readHint, seen } from '../src/fulfilment/webhook.ts'
import { KEEP_HANDLED_MS, type QueueName } from '../src/stores/store.ts'

const refusal = (status: number, refusedBy: ApiError['refusedBy'] = 'service'): ApiError =>
  new ApiError('transactions.retrieve', 'no', { status, refusedBy })

describe('a failure', () => {
  test.each<[string, unknown, FailureKind, FailureKind]>([
    ['an order that the service does not know', new UnknownOrder(), 'unknown', 'failed'],
    ['a refusal about the order', refusal(404), 'unknown', 'failed'],
    ['one of an unclear shape', refusal(400, 'unclear'), 'unknown', 'failed'],
    ['one under 200', refusal(200), 'unknown', 'failed'],
    ['one of another server', refusal(404, 'other'), 'failed', 'failed'],
    ['one about the key', refusal(401), 'failed', 'failed'],
    ['one about permission', refusal(403), 'failed', 'failed'],
    ['one about the time', refusal(408), 'failed', 'failed'],
    ['one about the rate', refusal(429), 'failed', 'failed'],
    ['a service that broke', refusal(500), 'failed', 'failed'],
    ['no network', new NetworkError('x', 'y'), 'failed', 'failed'],
    ['a call that took too long', new TimeoutError('onOrder', 'late'), 'failed', 'failed'],
    ['the merchant’s code', new Error('x'), 'failed', 'failed'],
    ['the merchant’s code after its commit', new FailedAfterCommit(new Error('x')), 'ended', 'ended'],
  ])('%s is %s: %s, of an order that was seen: %s', (_, error, unseen, known) => {
    expect([failureKindOf(error, false), failureKindOf(error, true)]).toEqual([unseen, known])
  })

  test('is told by name and message, without what the merchant’s code said of values', () => {
    expect(reasonOf(refusal(404))).toBe('ApiError: transactions.retrieve: no')
    expect(reasonOf(new TimeoutError('onOrder', 'not in 12000000 ms'))).toContain('in 12000000 ms')
    expect(reasonOf(new Error('not in 12000000 ms'))).not.toContain('12000000')
    expect(reasonOf(new TypeError('broken'))).toBe('TypeError: broken')
    expect(reasonOf(new Error('could not mail ada@example.com'))).not.toContain('ada@example.com')
    expect(reasonOf('text')).toBe('not an Error')
    const { name, message, cause } = new FailedAfterCommit(new Error('broken'))
    expect([name, cause]).toEqual(['FailedAfterCommit', new Error('broken')])
    expect(message).toMatch(/not called again\. .* Error: broken$/)
  })

  const last = (queue: QueueName, setback: FailureKind): number => {
    let attempt = 1
    while (retryDelay(attempt, queue, setback) !== null) attempt++
    return attempt
  }

  test('is tried so often', () => {
    expect([last('trusted', 'failed'), last('trusted', 'unknown'), last('trusted', 'ended')]).toEqual([
      12, 3, 1,
    ])
    expect([
      last('unauthenticated', 'failed'),
      last('unauthenticated', 'unknown'),
      last('unauthenticated', 'ended'),
    ]).toEqual([6, 3, 1])
    // After other failures the service knows no such order: the failures go on to count.
    expect(retryDelay(4, 'trusted', 'unknown')).not.toBeNull()
    expect(retryDelay(11, 'trusted', 'unknown')).not.toBeNull()
    expect(retryDelay(12, 'trusted', 'unknown')).toBeNull()
    expect(retryDelay(4, 'trusted', 'ended')).toBeNull()
  })

  test('is waited for three times as long each time, a quarter more or less', () => {
    const random = vi.spyOn(Math, 'random')
    try {
      for (const [value, factor] of [
        [0, 0.75],
        [0.5, 1],
        [1, 1.25],
      ] as const) {
        random.mockReturnValue(value)
        const waits = [1, 2, 3, 11].map((attempt) => retryDelay(attempt, 'trusted', 'failed'))
        expect(waits).toEqual([1, 3, 9, 59_049].map((seconds) => seconds * 1_000 * factor))
      }
    } finally {
      random.mockRestore()
    }
  })
})

describe('a hint', () => {
  test('goes into its key and comes back', () => {
    for (const hint of [{ order_id: 'o' }, { custom_id: 'c' }, seen('o', 'order_complete', true)])
      expect(hintOf(keyOf(hint))).toEqual(hint)
    expect(seen('o', 'order_complete', true)).toEqual({ order_id: 'o', type: 'order_complete', listed: true })
    for (const type of ['order_failed', undefined]) expect(seen('o', type, false)).toEqual({ order_id: 'o' })
  })

  const looksLikeOrder = { type: 'order_complete', custom_id: 'c' }

  test.each<[unknown, object | null]>([
    [{ order_id: 'o' }, { order_id: 'o' }],
    [{ orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 7 }, { order_id: '7' }],
    [{ order_id: ' ', orderId: 'o' }, { order_id: 'o' }],
    [{ order_id: 'o', data: { order_id: 'inner' } }, { order_id: 'o' }],
    [{ id: 'o', ...looksLikeOrder }, { order_id: 'o' }],
    [{ id: 'o', type: 'x', quote: 'USD' }, { order_id: 'o' }],
    [{ id: 'o', type: 'x', product_id: 'p' }, { order_id: 'o' }],
    [{ id: 'event', type: 'x' }, null],
    [{ id: 'event', custom_id: 'c' }, { custom_id: 'c' }],
    [{ custom_id: 'c' }, { custom_id: 'c' }],
    [{ customId: 'c' }, { custom_id: 'c' }],
    [{ order_id: 'x'.repeat(128) }, { order_id: 'x'.repeat(128) }],
    [{ order_id: 'x'.repeat(129) }, null],
    [{ order_id: true }, null],
    [[[{ order_id: 'o' }]], { order_id: 'o' }],
    [{ a: { b: { c: { d: { order_id: 'o' } } } } }, { order_id: 'o' }],
    [{ a: { b: { c: { d: { e: { order_id: 'o' } } } } } }, null],
    [{ partner_data: { order_id: 'o' } }, null],
    [{ record: { partner_data: { input: { order_id: 'o' } } } }, null],
    [[...Array(199).fill(0), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(200).fill(0), { order_id: 'o' }], null],
    [[Array(150).fill(0), [...Array(49).fill(0), { order_id: 'o' }]], { order_id: 'o' }],
    [[Array(150).fill(0), [...Array(50).fill(0), { order_id: 'o' }]], null],
    [[...Array(199).fill([]), { order_id: 'o' }], { order_id: 'o' }],
    [[...Array(198).fill({}), { data: { order_id: 'o' } }], { order_id: 'o' }],
    [[...Array(199).fill({}), { data: { order_id: 'o' } }], null],
    [null, null],
    ['order_id', null],
    [{}, null],
  ])('in %j is %j', (body, hint) => {
    expect(readHint(JSON.stringify(body))).toEqual(hint)
  })

  test('may be a form', () => {
    expect(readHint('event=x&order_id=o')).toEqual({ order_id: 'o' })
    expect(readHint('custom_id=c')).toEqual({ custom_id: 'c' })
    expect(readHint('')).toBeNull()
  })
})

test('work in the background is waited for, also what begins meanwhile, and whether or not it succeeds', async () => {
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

test('what has expired is removed in batches, purchases first, until nothing is left or it is stopped', async () => {
  const left = { purchases: 450, handled: 200 }
  const calls: string[] = []
  const removed = (from: keyof typeof left, limit: number): number => {
    const count = Math.min(limit, left[from])
    left[from] -= count
    calls.push(`${from} ${count}`)
    return count
  }
  const store = {
    purchases: { sweep: async (limit: number) => removed('purchases', limit) },
    handled: {
      sweep: async (before: number, limit: number) => {
        expect(before).toBe(5_000 - KEEP_HANDLED_MS)
        return removed('handled', limit)
      },
    },
  } as Parameters<typeof sweep>[0]['store']
  await sweep({ store, now: () => 5_000, signal: new AbortController().signal })
  expect(calls).toEqual(['purchases 200', 'purchases 200', 'purchases 50', 'handled 200', 'handled 0'])
  calls.length = 0
  await sweep({ store, now: () => 5_000, signal: AbortSignal.abort() })
  expect(calls).toEqual([])
})
