// Promise: token/shared
/** One lease: how long its token lives, and its behaviour when the service or the store fails. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { STORE_MS } from '../../src/deadline.ts'
import { ApiError, NetworkError } from '../../src/errors.ts'
import {
  createPurchaseClient,
  createTokenLease,
  memoryStore,
  type Store,
  type TokenLeaseOptions,
} from '../../src/index.ts'
import { leaseKeyOf } from '../../src/token/sharedToken.ts'
import { settings } from '../support/settings.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'
import { DAY, leases, MINUTE, refusalOf, SECOND, type World } from './leases.ts'

const service = await serviceOfThisFile()
let here: World
beforeEach(async () => {
  here = await leases()
})

test('concurrent callers share one refresh', async () => {
  const lease = here.instance()
  const tokens = await Promise.all(Array.from({ length: 200 }, () => lease.get()))
  expect(new Set(tokens).size).toBe(1)
  expect(here.asked).toBe(1)
})

test('requests the shortest life by default, and at its very end a token is no longer served', async () => {
  await here.instance({ store: memoryStore() }).get()
  expect(here.days).toBe('7')
  here.expiry = async () => new Date(here.now + 30 * DAY)
  const lease = here.instance({ expirationDays: '30' })
  const { accessToken } = await lease.get()
  expect(here.days).toBe('30')
  here.now += 30 * DAY - 1
  expect((await lease.get()).accessToken).toBe(accessToken)
  here.now += 1
  expect((await lease.get()).accessToken).not.toBe(accessToken)
})

test('a token that never expires must be explicitly allowed', () => {
  expect(() => here.instance({ expirationDays: 'infinite' })).toThrow(/allowInfinite/)
})

test.each<[string, () => Promise<Date | null>]>([
  ['does not say when it ends', async () => null],
  ['cannot be asked when it ends', () => Promise.reject(new Error('gone'))],
])('if the service %s, a token lives for the requested time', async (_, expiry) => {
  here.expiry = expiry
  expect((await here.instance().get()).expiresAt).toEqual(new Date(here.now + 7 * DAY))
})

test.each([
  ['ten minutes, as a clock may be behind', 600_000, 7 * DAY],
  ['more than ten minutes', 600_001, 7 * DAY - 600_001],
  ['nothing, and a clock that is ahead', -600_000, 7 * DAY],
])(
  'a token lives for as long as the service grants, even if that is less than requested: shorter by %s',
  async (_, shorter, lifeMs) => {
    here.expiry = async () => new Date(here.now + 7 * DAY - shorter)
    expect((await here.instance().get()).expiresAt).toEqual(new Date(here.now + lifeMs))
  },
)

test.each([
  ['has expired already', -DAY],
  ['expires in a moment', SECOND],
])(
  'a new token that %s, as a clock may be days ahead, is not replaced again and again',
  async (_, lifeMs) => {
    here.expiry = async () => new Date(here.now + lifeMs)
    const lease = here.instance()
    const first = await lease.get()
    here.now += 2 * SECOND
    expect(await lease.get()).toEqual(first)
    expect(first.expiresAt).toEqual(new Date(here.now - 2 * SECOND + 7 * DAY))
    expect(here.asked).toBe(1)
  },
)

// Promise: token/failed-refresh
describe('a refresh that failed', () => {
  beforeEach(() => {
    here.failure = new Error('refused')
  })

  test('a failed refresh is not retried for two seconds, then once for all callers', async () => {
    const lease = here.instance()
    const locks = (): number => here.calls.filter((name) => name === 'lock').length
    expect(await refusalOf(lease)).toBe(here.failure)
    for (let passed = 0; passed < 1_900; passed += 100) {
      here.now += 100
      expect(await refusalOf(lease)).toBe(here.failure)
    }
    expect([here.asked, locks()]).toEqual([1, 1])
    here.now += 3_100
    await Promise.all(Array.from({ length: 50 }, () => refusalOf(lease)))
    expect([here.asked, locks()]).toEqual([2, 2])
  })

  test('a failed refresh is retried by each instance after a different delay, five seconds at most', async () => {
    const fleet = Array.from({ length: 40 }, () => here.instance({ store: memoryStore() }))
    const askAll = async (): Promise<number> => {
      here.asked = 0
      await Promise.all(fleet.map((one) => refusalOf(one)))
      return here.asked
    }
    expect(await askAll()).toBe(40)
    here.now += 1_999
    expect(await askAll()).toBe(0)
    here.now += 1_501
    const early = await askAll()
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThan(40)
    here.now += 1_500
    expect(await askAll()).toBeGreaterThanOrEqual(40 - early)
  })

  test('a failed refresh stops only its own instance, and yields to a token of another', async () => {
    const refused = here.instance()
    expect(await refusalOf(refused)).toBe(here.failure)
    here.failure = null
    const { accessToken } = await here.instance().get()
    expect((await refused.get()).accessToken).toBe(accessToken)
    expect(here.asked).toBe(2)
  })

  test('a failed refresh is retried after five seconds even when the clock is set back', async () => {
    const lease = here.instance()
    await refusalOf(lease)
    here.now -= DAY
    expect(await refusalOf(lease)).toBe(here.failure)
    here.failure = null
    here.now += 5_000
    await expect(lease.get()).resolves.toHaveProperty('accessToken')
  })
})

// Promise: token/refused
describe('a refused token', () => {
  test('a refused token is replaced, at most once a minute', async () => {
    const lease = here.instance()
    const first = await lease.get()
    const second = await lease.get(first.accessToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect((await lease.get(second.accessToken)).accessToken).toBe(second.accessToken)
    // Also when the clock is set back.
    here.now -= DAY
    expect((await lease.get(second.accessToken)).accessToken).toBe(second.accessToken)
    here.now += MINUTE
    expect((await lease.get(second.accessToken)).accessToken).not.toBe(second.accessToken)
  })

  test('a refused token that another instance has already replaced is not replaced again', async () => {
    const [one, two] = [here.instance(), here.instance()]
    const { accessToken } = await one.get()
    await two.get()
    const other = await one.get(accessToken)
    expect((await two.get(accessToken)).accessToken).toBe(other.accessToken)
    expect(here.asked).toBe(2)
  })

  test('a refused token counts as none before any is held', async () => {
    const { accessToken } = await here.instance().get()
    expect((await here.instance().get(accessToken)).accessToken).not.toBe(accessToken)
  })

  test('a refused token costs the store nothing when another is held', async () => {
    const lease = here.instance()
    const held = await lease.get()
    here.calls = []
    expect(await lease.get('an older one')).toBe(held)
    expect(here.calls).toEqual([])
  })

  test('a refused token that cannot be replaced at first is not taken from the store again', async () => {
    const lease = here.instance()
    const { accessToken } = await lease.get()
    here.failure = new Error('the service is busy')
    expect(await refusalOf(lease, accessToken)).toBe(here.failure)
    here.failure = null
    here.now += 5 * SECOND
    expect((await lease.get()).accessToken).not.toBe(accessToken)
  })
})

// Promise: token/refused
describe('a suspected token', () => {
  const refusal = new ApiError('accessTokens.expireDate', 'no', { status: 200 })

  /** A lease with a token whose date the service has told, and the service's later answers, which are refusals at first. */
  async function suspecting() {
    const lease = here.instance()
    const { accessToken } = await lease.get()
    const expiry = vi.fn(async (): Promise<Date | null> => Promise.reject(refusal))
    here.expiry = expiry
    return { lease, accessToken, expiry, isRefused: () => lease.isRefused?.(accessToken) }
  }

  test('is refused if the service does not tell its date any more, and asks once a minute', async () => {
    const { lease, accessToken, expiry, isRefused } = await suspecting()
    expect(await Promise.all([isRefused(), isRefused()])).toEqual([true, true])
    here.now += MINUTE - 1
    expect([await isRefused(), expiry.mock.calls.length]).toEqual([true, 1])
    here.now += 1
    expect([await isRefused(), expiry.mock.calls.length]).toEqual([true, 2])
    const other = await lease.get(accessToken)
    expect(other.accessToken).not.toBe(accessToken)
    // Of the new one the service has not told the date either: its refusal says nothing.
    expect([await isRefused(), await lease.isRefused?.(other.accessToken)]).toEqual([true, false])
  })

  test.each<[string, () => Promise<Date | null>]>([
    ['tells its date', async () => new Date()],
    ['is gone', () => Promise.reject(new NetworkError('accessTokens.expireDate', 'gone'))],
    ['is busy', () => Promise.reject(new ApiError('accessTokens.expireDate', 'no', { status: 429 }))],
    ['fails', () => Promise.reject(new ApiError('accessTokens.expireDate', 'no', { status: 500 }))],
  ])('is not refused while the service %s', async (_, answer) => {
    const { expiry, isRefused } = await suspecting()
    expiry.mockImplementation(answer)
    expect(await isRefused()).toBe(false)
    expect(here.asked).toBe(1)
  })

  test('is asked about without delay when it is another one', async () => {
    const { lease, accessToken, expiry, isRefused } = await suspecting()
    expect(await isRefused()).toBe(true)
    expiry.mockImplementation(async () => new Date(here.now + 7 * DAY))
    const other = await lease.get(accessToken)
    expect(await lease.isRefused?.(other.accessToken)).toBe(false)
    expiry.mockRejectedValue(refusal)
    here.now += MINUTE
    expect(await lease.isRefused?.(other.accessToken)).toBe(true)
  })

  test.each<[string, Partial<TokenLeaseOptions>, () => Promise<Date | null>]>([
    ['never expires', { expirationDays: 'infinite', allowInfinite: true }, async () => null],
    ['has a date that the service has never told', {}, () => Promise.reject(refusal)],
  ])('is not refused, and not asked about, if it %s', async (_, options, expiry) => {
    here.expiry = expiry
    const lease = here.instance(options)
    const { accessToken } = await lease.get()
    here.expiry = vi.fn(async () => Promise.reject(refusal))
    expect(await lease.isRefused?.(accessToken)).toBe(false)
    expect(here.expiry).not.toHaveBeenCalled()
  })
})

// Promise: token/store-fails
describe('a store that fails', () => {
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
  const never = (): Promise<never> => new Promise(() => {})

  test.each<[string, Partial<Store>]>([
    ['wholly', { get: gone, set: gone, withLock: gone }],
    ['after the token was created', { set: gone }],
    ['by its lock alone', { withLock: gone }],
    ['by never answering get', { get: never }],
    ['by never answering set', { set: never }],
    ['by never answering get and set', { get: never, set: never }],
  ])(
    '%s neither stops callers nor makes them refresh more than once, even if the refresh fails',
    async (_, broken) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const store = { ...here.store, ...broken }
      here.failure = new Error('refused')
      const refused = here.instance({ store })
      for (let index = 0; index < 2; index++) {
        expect(await afterTimeouts(refusalOf(refused))).toBe(here.failure)
      }
      expect(here.asked).toBe(1)
      here.failure = null
      const lease = here.instance({ store })
      const tokens = await afterTimeouts(Promise.all(Array.from({ length: 50 }, () => lease.get())))
      expect(new Set([...tokens, await lease.get()]).size).toBe(1)
      expect(here.asked).toBe(2)
    },
  )

  /** Advances the timers until the work has ended, through at most five calls of a store that does not answer. */
  async function afterTimeouts<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    for (let calls = 0; calls < 5 && !isOver; calls++) await vi.advanceTimersByTimeAsync(STORE_MS)
    return over
  }

  /** The task of a pending lock, and its outcome. */
  type Lock = (task: () => Promise<unknown>) => Promise<never>

  test.each<[string, Lock]>([
    ['never giving its lock', never],
    ['never taking its lock back', (task) => task().then(never)],
  ])('%s blocks no caller for ever, and one that acquires it late creates nothing', async (_, lock) => {
    let comesLate = async (): Promise<unknown> => undefined
    let isAsked = (): void => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    const withLock: Store['withLock'] = (_key, task) => {
      comesLate = task
      isAsked()
      return lock(task)
    }
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const got = here.instance({ store: { ...here.store, withLock } }).get()
    // The name of the lock takes real time to derive.
    await asked
    await vi.advanceTimersByTimeAsync(35_000)
    expect((await got).accessToken).toBe('token 1')
    if (lock === never) await comesLate()
    expect(here.asked).toBe(1)
  })
})

test('a token that other keys or another service left in the store is never used', async () => {
  const { accessToken } = await here.instance().get()
  const keys = [here.key]
  for (const other of [{ secretKey: 'another-secret' }, { widgetUrl: 'https://another.example' }]) {
    const { deriveKey, widgetUrl } = createPurchaseClient({ ...settings, ...other })
    const accessTokens = {
      create: async () => ({ accessToken: 'of the other' }),
      expireDate: async () => ({ expiresAt: null }),
    }
    const lease = here.instance({ client: { deriveKey, widgetUrl, accessTokens } })
    expect((await lease.get()).accessToken).toBe('of the other')
    keys.push(leaseKeyOf({ deriveKey, widgetUrl }))
  }
  expect((await here.instance().get()).accessToken).toBe(accessToken)
  expect(new Set(keys).size).toBe(3)
  // Short, and without any part of the keys.
  for (const key of keys) expect(key).toMatch(/^access-token:[\w-]{16}$/)
})

test('100 open widgets over renewals: none breaks before its own token expires, and no expired token is served', async () => {
  const HOUR = 60 * MINUTE
  const client = service.client()
  const isAccepted = (accessToken: string): Promise<boolean> =>
    client.accessTokens.expireDate(accessToken).then(
      () => true,
      () => false,
    )
  const [widgets, skews] = [100, [-10 * MINUTE, 0, 10 * MINUTE]]
  let broken = 0
  let expired = 0
  // The merchant's clock may be ten minutes off in either direction.
  for (const skew of skews) {
    service.reset()
    await service.control('PATCH', '/switches', { refreshInvalidates: true })
    /** The sandbox's clock compared with the machine's. */
    let ahead = 0
    const serviceTime = (): number => Date.now() + ahead
    const now = (): number => serviceTime() + skew
    const lease = createTokenLease({ client, now, store: memoryStore({ now }) })
    const open = new Map<string, number>()
    for (let index = 0; index < widgets; index++) {
      const { accessToken, expiresAt } = await lease.get()
      if (!(await isAccepted(accessToken))) expired++
      open.set(accessToken, (expiresAt?.getTime() ?? 0) - skew)
      for (const [token, endsAt] of open) {
        if (endsAt > serviceTime() + 1_000 && !(await isAccepted(token))) broken++
      }
      // About 17 days in total, with steps close to each expiry.
      const passed = index % 10 === 9 ? 36 * HOUR : 37 * MINUTE
      ahead += passed
      await service.control('POST', '/clock', { advanceSeconds: passed / 1000 })
    }
    expect(await service.count('createAccessToken')).toBeLessThanOrEqual(4)
  }
  recordFigure(
    'open widgets broken before their own token’s end',
    `${broken} of ${widgets * skews.length}; expired tokens served ${expired}`,
  )
  expect([broken, expired]).toEqual([0, 0])
})
