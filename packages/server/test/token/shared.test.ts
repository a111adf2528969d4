// Promise: token/shared
/** What instances tell each other of the token, and when. The service here answers at once, and both clocks stand until they are moved. */
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  createPurchaseClient,
  createTokenLease,
  memoryStore,
  type Store,
  type TokenLease,
} from '../../src/index.ts'
import { leaseKeyOf } from '../../src/token/sharedToken.ts'
import type { TokenLeaseOptions } from '../../src/token/tokenLease.ts'
import { settings } from '../support/settings.ts'

const SECOND = 1_000
const DAY = 86_400_000

/** When the service says that a token ends; null: it does not say. */
type Expiry = () => Promise<Date | null>

interface World {
  now: number
  /** Tokens that the service has created. */
  created: number
  /** For how long the last one was asked for. */
  days: string | undefined
  store: Store
  /** Calls of the store, by name. */
  calls: string[]
  key: string
  instance(options?: Partial<TokenLeaseOptions>, expiry?: Expiry): TokenLease
}

const client = createPurchaseClient(settings)

async function world(): Promise<World> {
  let now = Date.now()
  const memory = memoryStore({ now: () => now })
  const called = (name: string): void => void here.calls.push(name)
  const here: World = {
    get now() {
      return now
    },
    set now(at) {
      now = at
    },
    created: 0,
    days: undefined,
    calls: [],
    key: await leaseKeyOf(client),
    store: {
      ...memory,
      get(key) {
        called('get')
        return memory.get(key)
      },
      withLock(key, task) {
        called('lock')
        return memory.withLock(key, task)
      },
    },
    instance: (options, expiry = async () => new Date(here.now + 7 * DAY)) =>
      createTokenLease({
        client: {
          deriveKey: client.deriveKey,
          widgetUrl: client.widgetUrl,
          accessTokens: {
            async create({ expirationDays } = {}) {
              here.days = expirationDays
              return { accessToken: `token ${++here.created}` }
            },
            expireDate: async () => ({ expiresAt: await expiry() }),
          },
        },
        store: here.store,
        now: () => here.now,
        ...options,
      }),
  }
  return here
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('a token that another instance has created ends for both at the same time', async () => {
  const here = await world()
  const first = await here.instance().get()
  here.now += DAY
  here.calls = []
  const second = await here.instance().get()
  // Nobody waits for a lock to be told of it.
  expect(here.calls).toEqual(['get'])
  expect(second).toMatchObject({ accessToken: first.accessToken, expiresAt: first.expiresAt })
  expect(here.created).toBe(1)
})

test('a token is asked for as long as it was told, and at its very end it is none any more', async () => {
  const here = await world()
  const lease = here.instance({ expirationDays: '30' }, async () => new Date(here.now + 30 * DAY))
  const { accessToken } = await lease.get()
  expect(here.days).toBe('30')
  here.now += 30 * DAY - 1
  expect((await lease.get()).accessToken).toBe(accessToken)
  here.now += 1
  expect((await lease.get()).accessToken).not.toBe(accessToken)
})

test('the name of a lease is short, and says nothing of the keys', async () => {
  expect(await leaseKeyOf(client)).toMatch(/^access-token:[\w-]{16}$/)
})

// Less than the 35 s for which a lock is waited for.
test('a store whose lock alone fails keeps nobody waiting', { timeout: 20_000 }, async () => {
  const here = await world()
  const withLock: Store['withLock'] = () => Promise.reject(new Error('the lock is gone'))
  expect((await here.instance({ store: { ...here.store, withLock } }).get()).accessToken).toBe('token 1')
})

test('a token that never ends is shared too', async () => {
  const here = await world()
  const endless = { expirationDays: 'infinite', allowInfinite: true } as const
  const { accessToken } = await here.instance(endless).get()
  here.now += 1_000 * DAY
  expect(await here.instance(endless).get()).toMatchObject({ accessToken, expiresAt: null })
})

test('a token that is held costs the store one look in four seconds, and no lock while both agree', async () => {
  const here = await world()
  const lease = here.instance()
  await lease.get()
  here.calls = []
  for (let passed = 0; passed < 12; passed++) {
    here.now += SECOND
    await lease.get()
    await settled()
  }
  await expect.poll(() => here.calls).toEqual(['get', 'get', 'get'])
})

test('an instance takes over a later token, and its own goes back where the store has an older one', async () => {
  const here = await world()
  const [one, other] = [here.instance(), here.instance()]
  const { accessToken: older } = await one.get()
  await other.get()
  here.now += 2 * 60 * SECOND
  const { accessToken: later } = await one.get(older)
  expect(later).not.toBe(older)
  await expect.poll(async () => (await other.get()).accessToken).toBe(later)

  // Left by an instance that was behind.
  const left = JSON.stringify({ accessToken: older, createdAt: here.now - 2 * DAY })
  await here.store.set(here.key, left, 5 * DAY)
  here.now += 4 * SECOND
  expect((await other.get()).accessToken).toBe(later)
  await expect.poll(async () => (await here.store.get(here.key))?.value).toContain(later)
})

test('of two that were created at the same time the store’s is everybody’s', async () => {
  const here = await world()
  const lease = here.instance()
  await lease.get()
  const { createdAt } = JSON.parse((await here.store.get(here.key))?.value ?? '') as { createdAt: number }
  await here.store.set(here.key, JSON.stringify({ accessToken: 'the other', createdAt }), DAY)
  here.now += 4 * SECOND
  await expect.poll(async () => (await lease.get()).accessToken).toBe('the other')
})

test('a clock that is set back does not stop the comparison', async () => {
  const here = await world()
  const lease = here.instance()
  await lease.get()
  here.now -= DAY
  here.calls = []
  await lease.get()
  await settled()
  expect(here.calls).toEqual([])
  here.now += 4 * SECOND
  await lease.get()
  await expect.poll(() => here.calls).toContain('get')
})

test('a token that was refused, and is not the one that is held, costs the store nothing', async () => {
  const here = await world()
  const lease = here.instance()
  const { accessToken } = await lease.get()
  here.calls = []
  expect((await lease.get('an older one')).accessToken).toBe(accessToken)
  await settled()
  expect(here.calls).toEqual([])
})

test('a token that is refused before any is held is as good as none', async () => {
  const here = await world()
  const { accessToken } = await here.instance().get()
  expect((await here.instance().get(accessToken)).accessToken).not.toBe(accessToken)
})

test.each<[string, Expiry, number]>([
  ['does not say when it ends', async () => null, 7 * DAY],
  ['cannot be asked when it ends', () => Promise.reject(new Error('gone')), 7 * DAY],
])('a token of a service that %s lives for as long as was asked', async (_, expiry, lifeMs) => {
  const here = await world()
  expect((await here.instance({}, expiry).get()).expiresAt).toEqual(new Date(here.now + lifeMs))
})

test.each([
  ['ten minutes, as a clock may be behind', 600_000, 7 * DAY],
  ['more than ten minutes', 600_001, 7 * DAY - 600_001],
  ['nothing, and a clock that is ahead', -600_000, 7 * DAY],
])('a life that is shorter by %s', async (_, shorter, lifeMs) => {
  const here = await world()
  const lease = here.instance({}, async () => new Date(here.now + 7 * DAY - shorter))
  expect((await lease.get()).expiresAt).toEqual(new Date(here.now + lifeMs))
})

test('a failure of this moment is repeated to the next caller, without a lock', async () => {
  const here = await world()
  let asked = 0
  const failing = createPurchaseClient({
    ...settings,
    maxRetries: 0,
    fetch: async () => Response.json({ error: `no ${++asked}` }, { status: 401 }),
  })
  const lease = here.instance({ client: failing })
  for (let index = 0; index < 3; index++) await expect(lease.get()).rejects.toMatchObject({ status: 401 })
  expect([asked, here.calls.filter((name) => name === 'lock').length]).toEqual([1, 1])
})

test('a caller who gets the lock too late creates nothing', async () => {
  const here = await world()
  let comesLate = async (): Promise<unknown> => undefined
  const { promise: waits, resolve: isWaiting } = deferred()
  const withLock: Store['withLock'] = (_, task) => {
    comesLate = task
    isWaiting()
    return new Promise(() => {})
  }
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const got = here.instance({ store: { ...here.store, withLock } }).get()
  // The name of the lock takes real time to derive.
  await waits
  await vi.advanceTimersByTimeAsync(35_000)
  expect((await got).accessToken).toBe('token 1')
  await comesLate()
  expect(here.created).toBe(1)
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
