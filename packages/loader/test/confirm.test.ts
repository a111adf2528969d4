// Promise: known/confirm
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Ask, createAsk, untilEnded } from '../src/outcome/confirm.ts'
import type { Answer } from '../src/outcome/result.ts'

const answersOf = (...answers: Answer[]): Ask => {
  let asked = 0
  return async () => answers[Math.min(asked++, answers.length - 1)] ?? { status: 'none' }
}

test.each([{ status: 'none' }, { status: 'failed' }] as const)(
  'the page asks again when the server answered $status without asking the service',
  async (stale) => {
    const ask = answersOf({ ...stale, fresh: false }, { status: 'complete', fresh: true })
    expect(await untilEnded(ask)).toEqual({ status: 'complete', fresh: true })
  },
)

test('a request to a companion on another origin carries the shopper’s session', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ status: 'none' }))
  onTestFinished(() => fetched.mockRestore())
  await createAsk({ companion: 'https://api.shop.example/widget' }, 'AbCdEfGhIjKlMnOpQrSt_-')?.()
  expect(fetched.mock.calls).toEqual([
    [
      'https://api.shop.example/widget/purchases/AbCdEfGhIjKlMnOpQrSt_-',
      expect.objectContaining({ credentials: 'include' }),
    ],
  ])
})

test.each([
  ['order_complete', 'complete'],
  ['order_failed', 'failed'],
  ['payment_started', 'pending'],
  ['order_refunded', 'pending'],
])('an order of type %s from confirm() has the status %s', async (type, status) => {
  const order = { id: 'o1', type, decline: null }
  const ask = createAsk({ confirm: async () => order }, 'AbCdEfGhIjKlMnOpQrSt_-')
  expect(await ask?.()).toEqual({ status, state: 'matched', order })
})

test('the answer that no order is known is final, unless the shopper has returned', async () => {
  expect(await untilEnded(answersOf({ status: 'none' }, { status: 'failed' }))).toEqual({
    status: 'none',
  })
  expect(await untilEnded(answersOf({ status: 'none' }, { status: 'failed' }), {})).toEqual({
    status: 'failed',
  })
})

test('after a return that reports success, an older failure is not final', async () => {
  const lagging = (): Ask => answersOf({ status: 'failed', fresh: true }, { status: 'complete', fresh: true })
  expect(await untilEnded(lagging(), { status: 'success' })).toMatchObject({ status: 'complete' })
  for (const returned of [undefined, {}, { status: 'failure' }, { status: 'unknown' }] as const)
    expect(await untilEnded(lagging(), returned)).toMatchObject({ status: 'failed' })
})

test('a failure that persists after a return that reports success is the answer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ended = untilEnded(answersOf({ status: 'failed', fresh: true }), { status: 'success' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ended).toMatchObject({ status: 'failed' })
})

test('answers from a server that never reached the service count as no answer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ended = untilEnded(answersOf({ status: 'none', fresh: false }))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await ended).toBeUndefined()
})

test('a rate-limited companion has not checked the order: the page asks again for as long as it waits for an order', async () => {
  let status = 429
  const server = createServer((_, response) => void response.writeHead(status).end('{"error":{}}'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, 'localhost'), 'listening')
  const companion = `http://localhost:${(server.address() as AddressInfo).port}`
  const ask = createAsk({ companion }, 'AbCdEfGhIjKlMnOpQrSt_-')
  expect(await ask?.()).toEqual({ status: 'none', fresh: false })
  status = 503
  await expect(ask?.()).rejects.toThrow('HTTP 503')
})

test('the page learns within one second what the server learns in the first ten seconds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (let learnt = 100; learnt <= 10_000; learnt += 300) {
    const startedAt = Date.now()
    const ask: Ask = async () =>
      Date.now() - startedAt < learnt ? { status: 'pending' } : { status: 'failed', fresh: true }
    const ended = untilEnded(ask, { status: 'failure' }).then(() => Date.now() - startedAt)
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await ended) - learnt).toBeLessThanOrEqual(1_000)
  }
})

test('a page asks at most 20 times in half a minute, and four times a minute afterwards', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const ask: Ask = async () => {
    asked++
    return { status: 'pending' }
  }
  const ended = untilEnded(ask, undefined, undefined, () => {})
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toBeLessThanOrEqual(20)
  const before = asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked - before).toBeLessThanOrEqual(4)
  await vi.advanceTimersByTimeAsync(1_800_000)
  expect(await ended).toEqual({ status: 'pending' })
})

test.each([{ status: 'complete' }, 'order_complete', true])(
  'a value from confirm() that is not an order is reported to the developer: %j',
  async (answer) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const ask = createAsk({ confirm: async () => answer as never }, 'id')
    await ask?.()
    expect(logged.mock.calls.join()).toMatch(/^confirm: resolve to null/)
    for (const fitting of [null, { id: 'o1', type: 'order_complete', decline: null }])
      await createAsk({ confirm: async () => fitting }, 'id')?.()
    expect(logged).toHaveBeenCalledOnce()
    logged.mockRestore()
  },
)
