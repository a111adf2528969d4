// Promise: token/shared
/** How instances share the token, and when. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/index.ts'
import { DAY, leases, MINUTE, SECOND, settled, type World } from './leases.ts'

let here: World
beforeEach(async () => {
  here = await leases()
})

/** The store behind a connection that fails until `comeBack`. */
function storeThatIsAway(): { store: Store; comeBack(): void } {
  let isAway = true
  const reach = async (): Promise<void> => {
    if (isAway) throw new Error('away')
  }
  const store: Store = {
    ...here.store,
    get: (key) => reach().then(() => here.store.get(key)),
    set: (...given) => reach().then(() => here.store.set(...given)),
    withLock: (key, task) => reach().then(() => here.store.withLock(key, task)),
  }
  const comeBack = (): void => {
    isAway = false
  }
  return { store, comeBack }
}

test('a token from another instance expires for both at the same time', async () => {
  const first = await here.instance().get()
  here.now += DAY
  here.calls = []
  const second = await here.instance().get()
  // No instance waits for a lock to read it.
  expect(here.calls).toEqual(['get'])
  expect(second).toMatchObject({ accessToken: first.accessToken, expiresAt: first.expiresAt })
  expect(here.asked).toBe(1)
})

test('a token that never expires is shared too', async () => {
  const endless = { expirationDays: 'infinite', allowInfinite: true } as const
  const { accessToken } = await here.instance(endless).get()
  here.now += 1_000 * DAY
  expect(await here.instance(endless).get()).toMatchObject({ accessToken, expiresAt: null })
})

test('a held token costs one read of the store in four seconds, and no lock while both agree', async () => {
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

test('an instance takes over a later token, and writes its own back if the store has an older one', async () => {
  const [one, other] = [here.instance(), here.instance()]
  const { accessToken: older } = await one.get()
  await other.get()
  here.now += 2 * MINUTE
  const { accessToken: later } = await one.get(older)
  expect(later).not.toBe(older)
  await expect.poll(async () => (await other.get()).accessToken).toBe(later)

  // Written by an outdated instance.
  const left = JSON.stringify({ accessToken: older, createdAt: here.now - 2 * DAY })
  await here.store.set(here.key, left, 5 * DAY)
  here.now += 4 * SECOND
  expect((await other.get()).accessToken).toBe(later)
  await expect.poll(async () => (await here.store.get(here.key))?.value).toContain(later)
})

test('a token that replaces a refused one is the later one, even if its date cannot be read', async () => {
  const [one, other] = [here.instance(), here.instance()]
  const { accessToken: older } = await one.get()
  await other.get()
  here.now += 2 * MINUTE
  here.expiry = () => Promise.reject(new Error('not visible yet'))
  const { accessToken: later } = await one.get(older)
  expect(later).not.toBe(older)
  await expect.poll(async () => (await other.get()).accessToken).toBe(later)
  expect((await here.store.get(here.key))?.value).toContain(later)
  expect(here.asked).toBe(2)
})

test('it is the later one also for an instance that has it from the store, which an outdated instance then writes over', async () => {
  const [one, other] = [here.instance(), here.instance()]
  const { accessToken: older } = await one.get()
  await other.get()
  const outdated = (await here.store.get(here.key))?.value ?? ''
  here.now += 2 * MINUTE
  here.expiry = () => Promise.reject(new Error('not visible yet'))
  const { accessToken: later } = await one.get(older)
  await expect.poll(async () => (await other.get()).accessToken).toBe(later)
  await here.store.set(here.key, outdated, 5 * DAY)
  here.now += 4 * SECOND
  expect((await other.get()).accessToken).toBe(later)
  await expect.poll(async () => (await here.store.get(here.key))?.value).toContain(later)
})

test('of tokens with different lives, all instances use the one that was created last', async () => {
  here.expiry = async () => new Date(here.now + 30 * DAY)
  const long = here.instance({ expirationDays: '30' })
  await long.get()
  here.now += DAY
  here.expiry = async () => new Date(here.now + 7 * DAY)
  const { store, comeBack } = storeThatIsAway()
  const short = here.instance({ store })
  const { accessToken: latest } = await short.get()
  comeBack()
  here.now += 4 * SECOND
  await short.get()
  await expect.poll(async () => (await here.store.get(here.key))?.value).toContain(latest)
  await expect.poll(async () => (await long.get()).accessToken).toBe(latest)
})

test.each([
  ['created at the same time', true],
  ['whose times the service does not say', false],
])('of two tokens %s, all instances use the store’s', async (_, isDated) => {
  if (!isDated) here.expiry = () => Promise.reject(new Error('gone'))
  const lease = here.instance()
  await lease.get()
  const { createdAt } = JSON.parse((await here.store.get(here.key))?.value ?? '') as {
    createdAt: number | null
  }
  await here.store.set(here.key, JSON.stringify({ accessToken: 'the other', createdAt }), DAY)
  here.now += 4 * SECOND
  await expect.poll(async () => (await lease.get()).accessToken).toBe('the other')
})

test('a token whose time the service did not say yields to the store’s, however late the service’s clock is', async () => {
  const [one, other] = [here.instance(), here.instance()]
  here.expiry = () => Promise.reject(new Error('gone'))
  const { accessToken: dead } = await one.get()
  await other.get()
  here.now += 2 * MINUTE
  here.expiry = async () => new Date(here.now - 10 * MINUTE + 7 * DAY)
  const { accessToken: live } = await other.get(dead)
  expect(live).not.toBe(dead)
  await expect.poll(async () => (await one.get()).accessToken).toBe(live)
  expect((await here.store.get(here.key))?.value).toContain(live)
})

test.each<[string, () => Promise<Date | null>]>([
  ['whose time the service says', () => Promise.reject(new Error('this token was replaced'))],
  ['that was created last', async () => new Date(here.now - SECOND + 7 * DAY)],
])(
  'of tokens created while the store was away, all instances use the one %s, whoever writes first',
  async (_, expiry) => {
    const { store, comeBack } = storeThatIsAway()
    const [replaced, latest] = [here.instance({ store }), here.instance({ store })]
    here.expiry = expiry
    await replaced.get()
    here.expiry = async () => new Date(here.now + 7 * DAY)
    const { accessToken: live } = await latest.get()
    comeBack()
    here.now += 4 * SECOND
    await replaced.get()
    await settled()
    await latest.get()
    await settled()
    here.now += 4 * SECOND
    await replaced.get()
    await expect.poll(async () => (await replaced.get()).accessToken).toBe(live)
    expect((await latest.get()).accessToken).toBe(live)
    expect(here.asked).toBe(2)
  },
)

test('a token that the service refused does not come back from the store, which was away when it was replaced', async () => {
  here.expiry = () => Promise.reject(new Error('gone'))
  const away = { ...here.store, set: () => Promise.reject(new Error('away')) }
  const { accessToken: dead } = await here.instance().get()
  const lease = here.instance({ store: away })
  await lease.get()
  const { accessToken: live } = await lease.get(dead)
  expect(live).not.toBe(dead)
  for (let passed = 0; passed < 3; passed++) {
    here.now += 4 * SECOND
    await lease.get()
    await settled()
  }
  expect((await lease.get()).accessToken).toBe(live)
})

test('a token that the service refused is not taken back for one of which nothing is known', async () => {
  const lease = here.instance()
  const { accessToken: dead } = await lease.get()
  const put = (accessToken: string, createdAt: number | null): Promise<void> =>
    here.store.set(here.key, JSON.stringify({ accessToken, createdAt }), DAY)
  await put('of another version', null)
  expect((await lease.get(dead)).accessToken).toBe('of another version')
  await put(dead, here.now)
  here.now += 4 * SECOND
  await lease.get()
  await expect.poll(async () => (await here.store.get(here.key))?.value).toContain('of another version')
})

describe('a value in the store that is not a token of a lease', () => {
  test.each([
    '',
    '{',
    '["a token"]',
    '{}',
    '{"accessToken":1,"createdAt":1}',
    '{"accessToken":"","createdAt":1}',
    '{"accessToken":"a token"}',
    '{"accessToken":"a token","createdAt":"2026-11-20"}',
  ])('a foreign value is replaced: %j', async (value) => {
    await here.store.set(here.key, value, DAY)
    const instances = Array.from({ length: 4 }, () => here.instance())
    const tokens = await Promise.all(instances.map((lease) => lease.get()))
    expect(new Set(tokens.map(({ accessToken }) => accessToken))).toEqual(new Set(['token 1']))
    // From the token that instances hold, without a refresh.
    await here.store.set(here.key, value, DAY)
    here.now += MINUTE
    await instances[0]?.get()
    await expect.poll(async () => (await here.store.get(here.key))?.value).toContain('token 1')
    expect((await here.instance().get()).accessToken).toBe('token 1')
    expect(here.asked).toBe(1)
  })
})
