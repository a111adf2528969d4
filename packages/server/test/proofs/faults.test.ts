// Promise: client/deadline
/** A slow, broken or silent service: calls end in time, and nothing is done twice. */
import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { startDeadline } from '../../src/deadline.ts'
import type { CallLog, PurchaseError } from '../../src/index.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { newUser } from '../support/service.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'
import { everyOperation } from './everyOperation.ts'

const service = await serviceOfThisFile()

/** For faults that use up the whole deadline. */
const shortMs = 300
/** For faults that answer at once: on a busy machine that may take a while, retries included. */
const longMs = 10_000

/** Each fault, and how a call ends during it. */
const faults = [
  { kind: 'latency', latencyMs: 60_000, timeoutMs: shortMs, ends: 'TimeoutError' },
  { kind: 'stall', timeoutMs: shortMs, ends: 'TimeoutError' },
  { kind: 'reset', timeoutMs: longMs, ends: 'NetworkError' },
  { kind: 'status', status: 503, timeoutMs: longMs, ends: 'ApiError' },
  { kind: 'status', status: 429, timeoutMs: longMs, ends: 'ApiError' },
  { kind: 'malformed', timeoutMs: longMs, ends: 'UnexpectedResponseError' },
] as const

/** The most attempts that the operation table allows after bytes were sent. */
const mostAttempts: Record<string, number> = { createAccessToken: 2, createWidgetUser: 1 }

test('each call ends within its deadline, after no more attempts than the table allows', async () => {
  const logs: CallLog[] = []
  const order = await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
  const { accessToken } = await service.client().accessTokens.create()
  let calls = 0
  let over = 0
  let longest = 0
  for (const { ends, timeoutMs, ...fault } of faults) {
    const client = service.client({ timeoutMs, logger: (entry) => logs.push(entry) })
    await service.control('DELETE', '/faults')
    await service.control('POST', '/faults', { operation: '*', ...fault })
    const user = { ...newUser, email: `user-${calls}@example.com`, phone: `+1415555${1000 + calls}` }
    const inputs = { accessToken, order_id: order.id, custom_id: 'shopper-1', email: order.email ?? '', user }
    const operations = everyOperation(client, inputs)
    for (const [operation, call] of Object.entries(operations)) {
      logs.length = 0
      const started = performance.now()
      const error = await call().then(
        () => null,
        (caught: PurchaseError) => caught,
      )
      const tookMs = performance.now() - started
      calls++
      longest = Math.max(longest, tookMs)
      if (tookMs > timeoutMs + 100) over++
      expect(error?.name, `${operation}, ${fault.kind}`).toBe(ends)
      expect(logs.length, `${operation}, ${fault.kind}`).toBeLessThanOrEqual(mostAttempts[operation] ?? 3)
      expect(error?.outcomeUnknown, `${operation}, ${fault.kind}`).toBe(
        operation === 'createWidgetUser' && !('status' in fault && fault.status === 429),
      )
    }
  }
  recordFigure(
    'calls over their deadline, of 300 ms under latency and stalls, of 10 s under resets, 5xx, 429 and broken bodies',
    `${over} of ${calls}; the longest took ${Math.round(longest)} ms`,
  )
})

test('a read survives two failures, a token one', async () => {
  const { id } = await service.buy({ product_id: 'gold-100' })
  const client = service.client()
  for (const kind of [{ kind: 'reset' }, { kind: 'status', status: 503 }]) {
    await service.control('POST', '/faults', { operation: 'getTransaction', count: 2, ...kind })
    await expect(client.transactions.retrieve({ order_id: id })).resolves.toHaveProperty('id', id)
    await service.control('POST', '/faults', { operation: 'createAccessToken', count: 1, ...kind })
    await expect(client.accessTokens.create()).resolves.toHaveProperty('accessToken')
  }
})

test('a call waits as long as Retry-After says, and fails at once when that is past the deadline', async () => {
  const { id } = await service.buy({ product_id: 'gold-100' })
  const attempts: CallLog[] = []
  const client = service.client({ timeoutMs: 5_000, logger: (entry) => attempts.push(entry) })
  const tooMany = { operation: 'getTransaction', kind: 'status', status: 429, count: 1 }

  await service.control('POST', '/faults', { ...tooMany, retryAfter: 1 })
  await client.transactions.retrieve({ order_id: id })
  expect(attempts).toMatchObject([{ status: 429 }, { status: 200, attempt: 2 }])

  attempts.length = 0
  await service.control('POST', '/faults', { ...tooMany, retryAfter: 60 })
  await expect(client.transactions.retrieve({ order_id: id })).rejects.toMatchObject({ status: 429 })
  expect(attempts).toHaveLength(1)
})

test.each([
  ['a date that has passed by this server’s clock', 'Mon, 23 Nov 2026 10:00:00 GMT'],
  ['a number that is not whole', '2.5'],
])('a call with %s in Retry-After is retried no sooner than without it', async (_, retryAfter) => {
  fakeTimers()
  vi.setSystemTime('2026-11-23T10:05:00Z')
  vi.spyOn(Math, 'random').mockReturnValue(0.9)
  onTestFinished(() => void vi.restoreAllMocks())
  const sentAt: number[] = []
  const client = service.client({
    fetch: async () => {
      sentAt.push(performance.now())
      return new Response('{}', { status: 429, headers: { 'retry-after': retryAfter } })
    },
  })
  const failed = expect(client.transactions.retrieve({ order_id: 'o1' })).rejects.toMatchObject({
    status: 429,
  })
  await vi.advanceTimersByTimeAsync(5_000)
  await failed
  const [first = 0, second = 0, third = 0] = sentAt
  expect([sentAt.length, second - first, third - second]).toEqual([3, 450, 900])
})

test('a user is created once, however the answer is lost', async () => {
  const runs = proofRuns(1_000, 100)
  let sent = 0
  const client = service.client({
    // Long enough to create a user on a busy machine, since a stalled answer uses all of it.
    timeoutMs: 1_500,
    fetch: (input, init) => {
      if (String(input).endsWith('/create_widget_user')) sent++
      return fetch(input, init)
    },
  })
  const withoutTimeout = service.client()
  let unknown = 0
  let found = 0
  for (let index = 0; index < runs; index++) {
    const kind = index % 20 === 0 ? { kind: 'stall' } : { kind: 'reset', takesEffect: true }
    await service.control('POST', '/faults', { operation: 'createWidgetUser', count: 1, ...kind })
    const email = `user-${index}@example.com`
    const phone = `+1415${String(5_550_000 + index)}`
    const error: PurchaseError = await client.users.create({ ...newUser, email, phone }).then(
      () => Promise.reject(new Error('the answer was not lost')),
      (caught: PurchaseError) => caught,
    )
    if (error.outcomeUnknown && error.message.includes('users.retrieve')) unknown++
    const user = await withoutTimeout.users.retrieve({ email })
    if (user.user_id) found++
  }
  recordFigure('duplicate users after lost answers', `${sent - runs} of ${runs}`)
  expect(sent).toBe(runs)
  expect(unknown).toBe(runs)
  expect(found).toBe(runs)
})

test('a user is retried if the connection was never established', async () => {
  let attempts = 0
  const client = service.client({
    fetch: (input, init) => {
      attempts++
      if (attempts > 1) return fetch(input, init)
      return Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
      )
    },
  })
  await expect(client.users.create(newUser)).resolves.toHaveProperty('user_id')
  expect(attempts).toBe(2)
})

test('a fetch that ignores its signal is abandoned at the deadline', async () => {
  const client = service.client({ timeoutMs: 50, fetch: () => new Promise(() => {}) })
  await expect(client.accessTokens.create()).rejects.toMatchObject({ name: 'TimeoutError' })
})

// Promise: companion/deadline
test('a stopped deadline keeps no reference to what was awaited', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { signal, race, stop } = startDeadline(60_000)
  expect(await race(Promise.resolve('answer'))).toBe('answer')
  // Node's `fetch` keeps the signal until its request is garbage-collected.
  expect(getEventListeners(signal, 'abort')).toEqual([])
  expect(vi.getTimerCount()).toBe(1)
  stop()
  expect(vi.getTimerCount()).toBe(0)
})
