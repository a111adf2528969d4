// Promise: known/pace
/** Turns to read the service, and the answer for a shopper while too many reads wait. */
import { describe, expect, test, vi } from 'vitest'
import { createPurchaseClient } from '../src/index.ts'
import {
  createTurns,
  currentReader,
  type Priority,
  READS_AT_ONCE,
  READS_PER_SECOND,
  type Reader,
  readingAs,
  TooManyReads,
  WAIT_MS,
} from '../src/reads/turns.ts'
import { companionOf, get } from './support/companion.ts'
import { fakeTimers } from './support/fakeTimers.ts'

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

const readerOf = (priority: Priority, network = ''): Reader => ({ priority, network })

/** `granted`: who had a turn; `refused`: who was refused. */
function taking() {
  fakeTimers()
  const turns = createTurns(Date.now)
  const granted: string[] = []
  const refused: string[] = []
  const ask = (name: string, reader: Reader, signal?: AbortSignal): void =>
    void turns.take(reader, signal).then(
      () => granted.push(name),
      (error: unknown) => refused.push(error instanceof TooManyReads ? name : String(error)),
    )
  async function askFor(count: number, reader: Reader): Promise<void> {
    for (const _ of Array(count)) ask(reader.priority, reader)
    await advance(0)
  }
  const count = (name: string): number => granted.filter((one) => one === name).length
  return { turns, granted, refused, ask, askFor, count }
}

describe('in an instance with too many reads', () => {
  test('shoppers read as often as the rate allows, after a burst', async () => {
    const { count, askFor } = taking()
    await askFor(30, readerOf('shopper'))
    expect(count('shopper')).toBe(READS_AT_ONCE)
    await advance(1_000)
    expect(count('shopper')).toBe(READS_AT_ONCE + READS_PER_SECOND)
  })

  test('fulfilment reads without waiting, and others read less often', async () => {
    const { count, askFor } = taking()
    await askFor(READS_AT_ONCE + 20, readerOf('shopper'))
    for (const _ of Array.from({ length: 20 })) {
      await askFor(1, readerOf('webhook'))
      await askFor(1, readerOf('fulfilment'))
      await advance(50)
    }
    expect([count('webhook'), count('fulfilment')]).toEqual([20, 20])
    // One every 400 ms.
    expect(count('shopper') - READS_AT_ONCE).toBe(2)
  })

  test('a reader that would wait longer than three seconds is refused', async () => {
    const { count, refused, ask, askFor } = taking()
    await askFor(READS_AT_ONCE, readerOf('returned'))
    for (let index = 0; index < 200; index++) ask('late', readerOf('shopper', `network ${index}`))
    await advance(WAIT_MS - 1)
    expect(refused).toEqual([])
    await advance(1)
    // The next turn comes at the moment when they give up.
    expect(count('late')).toBe((READS_PER_SECOND * WAIT_MS) / 1_000 - 1)
    expect(refused).toHaveLength(200 - count('late'))
  })

  test('a network is refused at once beyond as many waiting reads as can be served in that time, and no other network is', async () => {
    const { refused, ask, askFor } = taking()
    await askFor(READS_AT_ONCE, readerOf('shopper'))
    for (let index = 0; index < 40; index++) ask('one', readerOf('shopper', 'one'))
    ask('other', readerOf('shopper', 'other'))
    await advance(0)
    expect(refused).toEqual(Array(10).fill('one'))
  })

  test('networks take turns', async () => {
    const { granted, ask, askFor } = taking()
    await askFor(READS_AT_ONCE, readerOf('returned'))
    for (const name of ['mallory', 'mallory', 'mallory', 'ada', 'bob']) {
      ask(name, readerOf('shopper', name))
    }
    await advance(1_000)
    expect(granted.slice(READS_AT_ONCE)).toEqual(['mallory', 'ada', 'bob', 'mallory', 'mallory'])
  })

  test('returned shoppers come first, and still no reader waits for ever behind them', async () => {
    const { granted, count, ask, askFor } = taking()
    await askFor(READS_AT_ONCE, readerOf('shopper', 'before'))
    for (const priority of ['background', 'shopper', 'returned'] as const) ask(priority, readerOf(priority))
    await advance(300)
    expect(granted.slice(READS_AT_ONCE)).toEqual(['returned', 'shopper', 'background'])
    ask('shopper waited', readerOf('shopper', 'ada'))
    ask('background waited', readerOf('background'))
    for (let index = 0; index < 130; index++) {
      ask('flood', readerOf('returned', `network ${index}`))
      await advance(90)
      if (index === 20) expect([count('shopper waited'), count('background waited')]).toEqual([1, 0])
    }
    expect(count('background waited')).toBe(1)
  })

  test('an abandoned read takes no turn', async () => {
    const { granted, refused, ask, askFor } = taking()
    await askFor(READS_AT_ONCE, readerOf('shopper'))
    const gone = new AbortController()
    ask('gone', readerOf('background'), gone.signal)
    ask('next', readerOf('background'))
    gone.abort()
    await advance(100)
    expect([granted.slice(READS_AT_ONCE), refused]).toEqual([['next'], ['gone']])
  })
})

describe('after the service has answered 429', () => {
  test('all readers read half as often, webhooks first, and the rate grows back', async () => {
    const { turns, granted, count, askFor } = taking()
    turns.slowDown()
    turns.slowDown()
    await askFor(30, readerOf('shopper'))
    await askFor(30, readerOf('fulfilment'))
    await askFor(10, readerOf('webhook'))
    expect(granted).toEqual([])
    await advance(1_000)
    expect([count('webhook'), count('fulfilment'), count('shopper')]).toEqual([5, 0, 0])
    await advance(5_000)
    await askFor(30, readerOf('webhook'))
    const before = granted.length
    await advance(1_000)
    expect(granted.length - before).toBe(READS_PER_SECOND)
  })

  test('fulfilment reads at once again after fifteen seconds without a 429', async () => {
    const { turns, count, askFor } = taking()
    turns.slowDown()
    await advance(14_999)
    await askFor(20, readerOf('webhook'))
    expect(count('webhook')).toBe(READS_AT_ONCE)
    await advance(3_000)
    await askFor(20, readerOf('webhook'))
    expect(count('webhook')).toBe(40)
  })

  test('the rate never falls below one a second', async () => {
    const { turns, count, askFor } = taking()
    for (const _ of Array.from({ length: 20 })) {
      turns.slowDown()
      await advance(0)
      await advance(1_000)
    }
    turns.slowDown()
    await askFor(5, readerOf('webhook'))
    await advance(1_000)
    expect(count('webhook')).toBeGreaterThanOrEqual(1)
  })
})

test('waiting reads are bounded, however many networks make them', async () => {
  const { count, refused, ask, askFor } = taking()
  await askFor(READS_AT_ONCE, readerOf('returned'))
  for (let index = 0; index < 400; index++) ask('one', readerOf('shopper', `network ${index}`))
  await advance(0)
  expect([count('one'), refused.length]).toEqual([0, 100])
})

test('a read belongs to the request or job around it', async () => {
  expect(currentReader()).toEqual(readerOf('shopper'))
  const seen = await readingAs({ network: 'a network' }, async () => {
    await Promise.resolve()
    return readingAs({ priority: 'returned' }, currentReader)
  })
  expect(seen).toEqual(readerOf('returned', 'a network'))
  expect(currentReader()).toEqual(readerOf('shopper'))
})

test('order lists of one network beyond what can be read in three seconds are refused at once, and no other network’s are', async () => {
  const sent: string[] = []
  const errors: unknown[] = []
  const client = createPurchaseClient({
    widgetUrl: 'https://widget.example',
    widgetApiUrl: 'https://widget.example',
    baseUrl: 'https://service.example',
    apiKey: 'an-api-key',
    secretKey: 'a-secret-key',
    async fetch(address) {
      sent.push(String(address))
      return Response.json([])
    },
  })
  const companion = companionOf(client, {
    tokens: { get: async () => ({ accessToken: 'a-token', expiresAt: null }) },
    onError: (error) => errors.push(error),
  })
  const ask = (shopper: string, address: string): Promise<Response> =>
    companion.fetch(get('/orders', shopper), { address })
  const asked = Array.from({ length: 50 }, (_, index) => ask(`guest-${index}`, '192.0.2.1'))
  const refused = await Promise.race(
    asked.map(async (one) => ((await one).ok ? new Promise<never>(() => {}) : one)),
  )
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('3')
  expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } })

  expect((await ask('ada', '192.0.2.2')).status).toBe(200)
  await Promise.all(asked)
  // Ten at once and thirty waiting reads for the first address: not all of them before the other address.
  const adas = sent.findIndex((address) => address.includes('ada'))
  expect(adas).toBeGreaterThan(0)
  expect(adas).toBeLessThan(sent.length - 5)
  // The shop cannot do anything about it, so it is no failure, and a refused read is not sent.
  expect(errors).toEqual([])
  expect(sent.length).toBeLessThanOrEqual(41)
})
