// Promise: token/shared
/** The lease, alone and beside other instances that share its store. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import {
  createTokenLease,
  memoryStore,
  NetworkError,
  type PurchaseClient,
  type Store,
  type TokenLease,
} from '../../src/index.ts'
import { leaseKeyOf } from '../../src/token/sharedToken.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const service = await serviceOfThisFile()
let client: PurchaseClient
/** The sandbox's clock against the machine's. */
let ahead: number

beforeEach(async () => {
  ahead = 0
  client = service.client()
  await service.control('PATCH', '/switches', { refreshInvalidates: true })
})

async function pass(ms: number): Promise<void> {
  ahead += ms
  await service.control('POST', '/clock', { advanceSeconds: ms / 1000 })
}

const serviceTime = (): number => Date.now() + ahead
const isAccepted = (accessToken: string): Promise<boolean> =>
  client.accessTokens.expireDate(accessToken).then(
    () => true,
    () => false,
  )
/** What a lease names its token by. */
const identityOf = ({
  deriveKey,
  widgetUrl,
}: PurchaseClient): Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'> => ({
  deriveKey,
  widgetUrl,
})
const refreshes = (): Promise<number> => service.count('createAccessToken')

test('callers at once share one refresh', async () => {
  const lease = createTokenLease({ client })
  const tokens = await Promise.all(Array.from({ length: 200 }, () => lease.get()))
  expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
  expect(await refreshes()).toBe(1)
})

test('asks for the shortest life unless told otherwise', async () => {
  const { expiresAt } = await createTokenLease({ client }).get()
  expect(Math.round(((expiresAt?.getTime() ?? 0) - Date.now()) / DAY)).toBe(7)
})

test('a token that never expires must be allowed', async () => {
  expect(() => createTokenLease({ client, expirationDays: 'infinite' })).toThrow(/allowInfinite/)
  const lease = createTokenLease({ client, expirationDays: 'infinite', allowInfinite: true })
  expect((await lease.get()).expiresAt).toBeNull()
})

// Promise: token/failed-refresh
describe('a refresh that failed', () => {
  const refusalOf = (lease: TokenLease): Promise<unknown> =>
    lease.get().then(
      () => 'no refusal',
      (error: unknown) => error,
    )

  test('is not tried again for two seconds, then once, whoever asks', async () => {
    let now = Date.now()
    let locks = 0
    const store = memoryStore({ now: () => now })
    const lease = createTokenLease({
      client: service.client({ secretKey: 'wrong' }),
      store: {
        ...store,
        withLock: (key, task) => {
          locks++
          return store.withLock(key, task)
        },
      },
      now: () => now,
    })
    const refusal = await refusalOf(lease)
    expect(refusal).toMatchObject({ name: 'ApiError', status: 401 })
    for (let passed = 0; passed < 1_900; passed += 100) {
      now += 100
      expect(await refusalOf(lease)).toBe(refusal)
    }
    expect([await refreshes(), locks]).toEqual([1, 1])
    now += 3_100
    await Promise.all(Array.from({ length: 50 }, () => refusalOf(lease)))
    expect([await refreshes(), locks]).toEqual([2, 2])
  })

  test('is tried again by each instance after another while, five seconds at most', async () => {
    let now = Date.now()
    let asked = 0
    const failing = {
      ...identityOf(client),
      accessTokens: {
        create: () => Promise.reject(new NetworkError('accessTokens.create', `failure ${++asked}`)),
        expireDate: client.accessTokens.expireDate,
      },
    }
    const fleet = Array.from({ length: 40 }, () => createTokenLease({ client: failing, now: () => now }))
    const askAll = async (): Promise<number> => {
      asked = 0
      await Promise.all(fleet.map(refusalOf))
      return asked
    }
    expect(await askAll()).toBe(40)
    now += 1_999
    expect(await askAll()).toBe(0)
    now += 1_501
    const early = await askAll()
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThan(40)
    now += 1_500
    expect(await askAll()).toBeGreaterThanOrEqual(40 - early)
  })

  test('gives way to a token that another instance has created', async () => {
    let now = Date.now()
    const store = memoryStore({ now: () => now })
    const { accessTokens } = service.client({ secretKey: 'wrong' })
    const refused = createTokenLease({
      client: { ...identityOf(client), accessTokens },
      store,
      now: () => now,
    })
    await expect(refused.get()).rejects.toMatchObject({ status: 401 })
    now += 5_000
    const { accessToken } = await createTokenLease({ client, store, now: () => now }).get()
    expect((await refused.get()).accessToken).toBe(accessToken)
  })

  test('stops only the instance that asked', async () => {
    const store = memoryStore()
    const cutOff = {
      ...identityOf(client),
      accessTokens: {
        create: () => Promise.reject(new NetworkError('accessTokens.create', 'no route')),
        expireDate: client.accessTokens.expireDate,
      },
    }
    expect(await refusalOf(createTokenLease({ client: cutOff, store }))).toMatchObject({
      name: 'NetworkError',
    })
    await expect(createTokenLease({ client, store }).get()).resolves.toHaveProperty('accessToken')
  })

  test('is tried again after five seconds also when the clock is set back', async () => {
    let now = Date.now()
    const lease = createTokenLease({ client, now: () => now })
    await service.control('POST', '/faults', {
      operation: 'createAccessToken',
      kind: 'status',
      status: 400,
      count: 1,
    })
    await expect(lease.get()).rejects.toMatchObject({ status: 400 })
    now -= DAY
    await expect(lease.get()).rejects.toMatchObject({ status: 400 })
    now += 5_000
    await expect(lease.get()).resolves.toHaveProperty('accessToken')
  })

  test('asks once also when the store is gone', async () => {
    const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
    const lease = createTokenLease({
      client: service.client({ secretKey: 'wrong' }),
      store: { ...memoryStore(), get: gone, set: gone, withLock: gone },
    })
    for (let index = 0; index < 20; index++) await refusalOf(lease)
    expect(await refreshes()).toBe(1)
  })
})

test('believes the service when it gives less life than asked for', async () => {
  const shorter = {
    ...identityOf(client),
    accessTokens: {
      create: () => client.accessTokens.create({ expirationDays: '7' as const }),
      expireDate: client.accessTokens.expireDate,
    },
  }
  const { expiresAt } = await createTokenLease({ client: shorter, expirationDays: '30' }).get()
  expect(Math.round(((expiresAt?.getTime() ?? 0) - Date.now()) / DAY)).toBe(7)
})

// Promise: token/refused
describe('a refused token', () => {
  test('is replaced, at most once a minute', async () => {
    let now = Date.now()
    const lease = createTokenLease({ client, now: () => now, store: memoryStore({ now: () => now }) })
    const first = await lease.get()
    const second = await lease.get(first.accessToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect((await lease.get(second.accessToken)).accessToken).toBe(second.accessToken)
    now += 2 * MINUTE
    expect((await lease.get(second.accessToken)).accessToken).not.toBe(second.accessToken)
  })

  test('is replaced a minute after the last time also when the clock is set back', async () => {
    let now = Date.now()
    const lease = createTokenLease({ client, now: () => now, store: memoryStore({ now: () => now }) })
    const { accessToken } = await lease.get((await lease.get()).accessToken)
    now -= HOUR
    expect((await lease.get(accessToken)).accessToken).toBe(accessToken)
    now += MINUTE
    expect((await lease.get(accessToken)).accessToken).not.toBe(accessToken)
  })

  test('that another instance has replaced already is not replaced again', async () => {
    const store = memoryStore()
    const [one, two] = [createTokenLease({ client, store }), createTokenLease({ client, store })]
    const { accessToken } = await one.get()
    await two.get()
    const other = await one.get(accessToken)
    expect((await two.get(accessToken)).accessToken).toBe(other.accessToken)
    expect(await refreshes()).toBe(2)
  })
})

// Promise: token/store-fails
describe('a store that fails', () => {
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

  test('does not stop callers, nor make them refresh more than once', async () => {
    const store: Store = { ...memoryStore(), get: gone, set: gone, withLock: gone }
    const lease = createTokenLease({ client, store })
    await Promise.all(Array.from({ length: 50 }, () => lease.get()))
    await lease.get()
    expect(await refreshes()).toBe(1)
  })

  test('after the token was created does not create another', async () => {
    const lease = createTokenLease({ client, store: { ...memoryStore(), set: gone } })
    await lease.get()
    expect(await refreshes()).toBe(1)
  })

  const never = (): Promise<never> => new Promise(() => {})

  test.each<[string, Partial<Store>]>([
    ['get', { get: never }],
    ['set', { set: never }],
    ['get and set', { get: never, set: never }],
  ])('by never answering %s does not hang callers', async (_, hanging) => {
    const lease = createTokenLease({ client, store: { ...memoryStore(), ...hanging } })
    const tokens = await Promise.all(Array.from({ length: 50 }, () => lease.get()))
    expect(await isAccepted(tokens[0]?.accessToken ?? '')).toBe(true)
    expect(await refreshes()).toBe(1)
  })

  test('by never giving its lock, or never taking it back, does not hang callers', async () => {
    const answer = (): Promise<Response> => Promise.resolve(Response.json({ accessToken: 'a-token' }))
    const offline = service.client({ fetch: answer })
    const store = memoryStore()
    let asked = false
    const locks: Store['withLock'][] = [
      () => {
        asked = true
        return never()
      },
      async (_, task) => {
        asked = true
        await task()
        return never()
      },
    ]
    vi.useFakeTimers()
    try {
      for (const withLock of locks) {
        const lease = createTokenLease({ client: offline, store: { ...store, withLock } })
        asked = false
        const got = lease.get()
        // The name of the lock takes real time to derive.
        await vi.waitFor(() => expect(asked).toBe(true), { timeout: 20_000 })
        await vi.advanceTimersByTimeAsync(40_000)
        expect((await got).accessToken).toBe('a-token')
      }
    } finally {
      vi.useRealTimers()
    }
  })
})

test('a store that other keys, or another service, have left a token in gives none of it', async () => {
  const store = memoryStore()
  const { accessToken } = await createTokenLease({ client, store }).get()
  for (const other of [{ secretKey: 'another-secret' }, { widgetUrl: 'https://another.example' }]) {
    const expected = `of ${Object.keys(other)}`
    const answer = async (): Promise<Response> => Response.json({ accessToken: expected })
    const lease = createTokenLease({ client: service.client({ fetch: answer, ...other }), store })
    expect((await lease.get()).accessToken).toBe(expected)
  }
  expect((await createTokenLease({ client, store }).get()).accessToken).toBe(accessToken)
  expect(await leaseKeyOf(client)).not.toContain(service.credentials.secretKey)
})

/** What another program, or another version of this one, may have left at the token's key. */
const foreignValues = [
  '',
  '{',
  'null',
  '"a token"',
  '["a token"]',
  '{}',
  '{"accessToken":1,"createdAt":1}',
  '{"accessToken":"","createdAt":1}',
  '{"accessToken":"a token"}',
  '{"accessToken":"a token","createdAt":"2026-11-20"}',
  '{"token":"a token","expires_at":1900000000}',
]

describe('a value in the store that is no token of a lease', () => {
  test('is replaced: four cold instances refresh once and agree', async () => {
    const store = memoryStore()
    for (const value of foreignValues) {
      service.reset()
      await service.control('PATCH', '/switches', { refreshInvalidates: true })
      await store.set(await leaseKeyOf(client), value, HOUR)
      const leases = Array.from({ length: 4 }, () => createTokenLease({ client, store }))
      const tokens = await Promise.all(leases.map((lease) => lease.get()))
      const agreed = new Set(tokens.map(({ accessToken }) => accessToken))
      expect(agreed.size, value).toBe(1)
      for (const accessToken of agreed) expect(await isAccepted(accessToken), value).toBe(true)
      expect(await refreshes(), value).toBe(1)
    }
  })

  test('is replaced by the token that instances hold, without a refresh', async () => {
    const store = memoryStore()
    for (const value of foreignValues) {
      service.reset()
      await store.set(await leaseKeyOf(client), value, HOUR)
      let now = Date.now()
      const lease = createTokenLease({ client, store, now: () => now })
      const { accessToken } = await lease.get()
      await store.set(await leaseKeyOf(client), value, HOUR)
      now += MINUTE
      await lease.get()
      await expect.poll(async () => (await store.get(await leaseKeyOf(client)))?.value).toContain(accessToken)
      expect((await createTokenLease({ client, store }).get()).accessToken, value).toBe(accessToken)
      expect(await refreshes(), value).toBe(1)
    }
  })
})

test('100 open widgets over renewals: none is broken before its own token ends, and no expired token is served', async () => {
  const widgets = 100
  let served = 0
  let broken = 0
  let expired = 0
  // The merchant's clock may be ten minutes off either way.
  for (const skew of [-10 * MINUTE, 0, 10 * MINUTE]) {
    service.reset()
    await service.control('PATCH', '/switches', { refreshInvalidates: true })
    ahead = 0
    const now = (): number => serviceTime() + skew
    const lease = createTokenLease({ client, now, store: memoryStore({ now }) })
    const open = new Map<string, number>()
    for (let index = 0; index < widgets; index++) {
      const { accessToken, expiresAt } = await lease.get()
      served++
      if (!(await isAccepted(accessToken))) expired++
      open.set(accessToken, (expiresAt?.getTime() ?? 0) - skew)
      for (const [token, endsAt] of open) {
        if (endsAt > serviceTime() + 1_000 && !(await isAccepted(token))) broken++
      }
      // Some 17 days in all, with steps that come close to each end.
      await pass(index % 10 === 9 ? 36 * HOUR : 37 * MINUTE)
    }
    expect(await refreshes()).toBeLessThanOrEqual(4)
  }
  recordFigure(
    'open widgets broken before their own token’s end',
    `${broken} of ${served}; expired tokens served ${expired}`,
  )
  expect([broken, expired]).toEqual([0, 0])
})
