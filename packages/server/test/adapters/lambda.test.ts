// Promise: companion/lambda
/** Lambda stops a process with its answer: what the request has led to comes first. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Companion, toLambdaHandler } from '../../src/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const event = {
  rawPath: '/api/purchase-widget/webhook',
  rawQueryString: '',
  headers: { host: 'shop.example' },
  isBase64Encoded: false,
  requestContext: { domainName: 'shop.example', http: { method: 'GET', sourceIp: '198.51.100.7' } },
}

type Work = readonly [ms: number, outcome?: 'failed']

/** When the invocation answers, for a companion that does all this after its own answer. */
async function answersAfter(...works: readonly Work[]): Promise<number | null> {
  const fetch: Companion['fetch'] = async (_request, info) => {
    for (const [ms, outcome] of works) info?.waitUntil?.(end(ms, outcome))
    return new Response(null, { status: 202 })
  }
  const from = Date.now()
  let at: number | null = null
  const answered = toLambdaHandler({ fetch })(event).then((answer) => {
    expect(answer.statusCode).toBe(202)
    at = Date.now() - from
  })
  await vi.advanceTimersByTimeAsync(10_000)
  await answered
  return at
}

const end = (ms: number, outcome?: 'failed'): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(() => (outcome ? reject(new Error('onOrder')) : resolve()), ms)
  })

test('the answer waits for the work that its request has led to', async () => {
  expect(await answersAfter([3_000])).toBe(3_000)
  expect(await answersAfter([3_000, 'failed'])).toBe(3_000)
})

test('work that fails ends the wait for no other', async () => {
  expect(await answersAfter([3_000], [100, 'failed'])).toBe(3_000)
})

test('the answer waits five seconds at most', async () => {
  expect(await answersAfter([60_000])).toBe(5_000)
})
