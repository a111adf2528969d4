// Promise: fulfilment/attempts
/** How a failure counts, how often a job is tried, and how long it waits. */
import { describe, expect, test, vi } from 'vitest'
import { ApiError, NetworkError, TimeoutError } from '../../src/errors.ts'
import {
  FailedAfterCommit,
  type FailureKind,
  failureKindOf,
  reasonOf,
  retryDelay,
  UnknownOrder,
} from '../../src/fulfilment/attempts.ts'
import type { QueueName } from '../../src/stores/store.ts'

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
