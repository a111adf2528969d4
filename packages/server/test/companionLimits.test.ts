/** How calls are counted: in the store that instances share, and by each for itself while that is gone. */
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Refusal } from '../src/companion/answer.ts'
import { createLimiter, type Limiter } from '../src/companion/limits.ts'
import { type Counter, createPurchaseClient, memoryStore, type Store } from '../src/index.ts'
import { companionOf, get } from './support/companion.ts'
import { settings } from './support/settings.ts'

/** A store that counts like this. */
const countingWith = (counter: Counter): Store => ({ ...memoryStore(), counter: () => counter })

async function refusalOf(limit: Limiter, key = 'ada'): Promise<Refusal | null> {
  try {
    await limit(key)
    return null
  } catch (error) {
    return error as Refusal
  }
}

test('so many calls of a key pass, and the next is told when to come again', async () => {
  let now = 1_000_000
  const limit = createLimiter(memoryStore({ now: () => now }), 'shopper', 2, () => now)
  expect([await refusalOf(limit), await refusalOf(limit)]).toEqual([null, null])
  expect(await refusalOf(limit)).toMatchObject({
    code: 'too_many_requests',
    message: 'Too many requests. Try again in 60 s.',
    headers: { 'retry-after': '60' },
  })
  expect(await refusalOf(limit, 'grace')).toBeNull()
  now += 58_500
  expect(await refusalOf(limit)).toMatchObject({ headers: { 'retry-after': '2' } })
  now += 1_500
  expect(await refusalOf(limit)).toBeNull()
})

test('a store that answers at once costs no promise', () => {
  const limit = createLimiter(memoryStore(), 'shopper', 1, Date.now)
  expect(limit('ada')).toBeUndefined()
  expect(() => limit('ada')).toThrow('Too many requests.')
})

test('what a store says later counts too', async () => {
  const waits = [0, 1_500]
  const limit = createLimiter(
    countingWith(async () => waits.shift() ?? 0),
    'shopper',
    1,
    Date.now,
  )
  expect(await refusalOf(limit)).toBeNull()
  expect(await refusalOf(limit)).toMatchObject({ headers: { 'retry-after': '2' } })
})

test('while the store is gone each instance counts for itself, and asks it again after five seconds', async () => {
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  onTestFinished(() => void vi.restoreAllMocks())
  let asked = 0
  let isGone = true
  let now = 1_000_000
  const limit = createLimiter(
    countingWith(async () => {
      asked++
      if (isGone) throw new Error('the store is gone')
      return 0
    }),
    'shopper',
    2,
    () => now,
  )
  expect([await refusalOf(limit), await refusalOf(limit)]).toEqual([null, null])
  expect(await refusalOf(limit)).toMatchObject({ code: 'too_many_requests' })
  expect(asked).toBe(1)
  // By the clock that the companion was given.
  now += 60_000
  expect(await refusalOf(limit)).toBeNull()
  clock = 4_999
  await refusalOf(limit)
  expect(asked).toBe(1)
  isGone = false
  clock = 5_000
  expect(await refusalOf(limit)).toBeNull()
  expect(asked).toBe(2)
})

test('a store that does not answer is waited for half a second', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const limit = createLimiter(
    countingWith(() => new Promise(() => {})),
    'shopper',
    1,
    Date.now,
  )
  let said = 'waits'
  void refusalOf(limit).then((refusal) => (said = refusal ? refusal.code : 'passes'))
  await vi.advanceTimersByTimeAsync(499)
  expect(said).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(said).toBe('passes')
})

test('where no address is known, 650 asks without a session leave those of every other purchase their allowance', async () => {
  const companion = companionOf(createPurchaseClient({ ...settings, fetch: async () => Response.json({}) }))
  const statusOf = async (id: string): Promise<number> =>
    (await companion.fetch(get(`/purchases/${id}`))).status
  const statuses = []
  for (let index = 0; index < 650; index++) statuses.push(await statusOf('unknownunknownunknown1'))
  expect(statuses.filter((status) => status === 429)).toHaveLength(50)
  expect(await statusOf('shoppershoppershopper1')).toBe(200)
})

test('where no address is known, ids without end have some thousand allowances', async () => {
  const keys = new Set<string>()
  const store = countingWith((key) => Math.min(0, keys.add(key).size))
  const client = createPurchaseClient({ ...settings, fetch: async () => Response.json({}) })
  const companion = companionOf(client, { store })
  for (let index = 0; index < 500; index++) {
    await companion.fetch(get(`/purchases/aa${String(index).padStart(20, 'x')}`))
  }
  expect(keys.size).toBe(1)
})
