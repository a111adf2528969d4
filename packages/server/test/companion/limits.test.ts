// Promise: launch/limits
/** How calls are counted: by shopper, by address, and without a known address. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLimiter, networkOf } from '../../src/companion/limits.ts'
import { createExpiringMap } from '../../src/deadline.ts'
import { guests } from '../../src/index.ts'
import { companionOf, companionOfThisFile, get, navigation, post } from '../support/companion.ts'

const { client } = await companionOfThisFile()

/** How many of this many calls, numbered from 0, are refused. */
async function refusedOf(count: number, call: (at: number) => Promise<Response>): Promise<number> {
  const statuses = []
  for (let at = 0; at < count; at++) statuses.push((await call(at)).status)
  return statuses.filter((status) => status === 429).length
}

test('calls without a session count for no shopper, and without an address are not counted', async () => {
  const companion = companionOf(client, { rateLimit: { perAddress: 3 } })
  const from = { address: '198.51.100.7' }
  expect(await refusedOf(5, () => companion.fetch(post('/token', {}), from))).toBe(2)
  expect((await companion.fetch(post('/token', {}, 'ada'), from)).status).toBe(200)
  expect(await refusedOf(5, (at) => companion.fetch(post('/token', {}, `shopper-${at}`)))).toBe(0)
})

test('calls within the limit pass, and the next one is answered with the time to wait', () => {
  let clock = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  onTestFinished(() => void vi.restoreAllMocks())
  const limit = createLimiter(2)
  const refusalOf = (key = 'ada'): unknown => {
    try {
      return limit(key)
    } catch (error) {
      return error
    }
  }
  expect([refusalOf(), refusalOf()]).toEqual([undefined, undefined])
  expect(refusalOf()).toMatchObject({
    code: 'too_many_requests',
    message: 'Too many requests. Try again in 60 s.',
    headers: { 'retry-after': '60' },
  })
  expect(refusalOf('grace')).toBeUndefined()
  clock += 58_500
  expect(refusalOf()).toMatchObject({ headers: { 'retry-after': '2' } })
  clock += 1_500
  expect(refusalOf()).toBeUndefined()
})

// Promise: companion/bounded-maps
test('ten thousand keys are counted, and the one seen longest ago starts from zero', () => {
  const limit = createLimiter(1)
  for (let index = 0; index <= 10_000; index++) limit(`key-${index}`)
  expect(() => limit('key-10000')).toThrow('Too many requests.')
  expect(() => limit('key-0')).not.toThrow()
})

test('expired keys are removed from memory', async () => {
  let clock = 1_000
  const map = createExpiringMap<true>({ max: 10_000, ttlMs: 60_000, now: () => clock })
  for (let index = 0; index < 100; index++) map.set(`key-${index}`, true)
  clock += 60_000
  map.set('later', true)
  await Promise.resolve()
  expect(map.size).toBe(1)
})

type Map = ReturnType<typeof createExpiringMap<string>>

test.each<[string, (map: Map) => void]>([
  ['an expired key that is set again', (map) => map.set('one', 'new')],
  [
    'a key in the place of one that was deleted',
    (map) => {
      map.delete('one')
      map.set('three', 'new')
    },
  ],
  ['a key in the place of one that was evicted', (map) => map.set('three', 'new')],
])('%s is kept while expired keys are removed', async (_, act) => {
  let clock = 1_000
  const map = createExpiringMap<string>({ max: 2, ttlMs: 3_000, now: () => clock })
  map.set('one', 'old')
  map.set('two', 'old')
  clock += 3_000
  act(map)
  await Promise.resolve()
  expect([map.get('one'), map.get('two'), map.get('three')]).toContain('new')
  expect(map.size).toBe(1)
})

test('status requests without a session are counted by network, else by the beginning of the id', async () => {
  const companion = companionOf(client, { rateLimit: { perAddress: 2 } })
  const ask = async (id: string, address?: string): Promise<number> =>
    (await companion.fetch(get(`/purchases/${id}`), address === undefined ? {} : { address })).status
  expect([await ask('id-1'), await ask('id-2'), await ask('id-1')]).toEqual([200, 200, 429])
  expect(await ask('zz-1')).toBe(200)
  const one = '203.0.113.1'
  expect([await ask('id-1', one), await ask('zz-2', one), await ask('id-1', one)]).toEqual([200, 200, 429])
  expect(await ask('id-1', '203.0.113.2')).toBe(200)
  // A shopper's own requests are not among them.
  const asShopper = (): Promise<number> => refusedOf(3, () => companion.fetch(get('/purchases/id-1', 'ada')))
  expect(await asShopper()).toBe(0)
})

test('requests without a session use up nothing of the allowance of shoppers at the same address', async () => {
  const companion = companionOf(client, { rateLimit: { perAddress: 2 } })
  const from = { address: '203.0.113.1' }
  expect(await refusedOf(3, () => companion.fetch(get('/purchases/id-1'), from))).toBe(1)
  expect((await companion.fetch(get('/purchases/id-1', 'ada'), from)).status).toBe(200)
})

test('asks without a cookie use up nothing of the guests at the same address', async () => {
  const authorize = guests({ secret: 'a secret of the shop, 32 characters long' })
  const companion = companionOf(client, { authorize, rateLimit: { perAddress: 2 } })
  const from = { address: '203.0.113.1' }
  const created = await companion.fetch(post('/token', {}), from)
  const cookie = created.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await refusedOf(3, () => companion.fetch(get('/purchases/id-1'), from))).toBe(1)
  const ask = (): Promise<Response> => companion.fetch(get('/purchases/id-1', '', { cookie }), from)
  expect(await refusedOf(3, ask)).toBe(1)
})

test('the calls of all shoppers at one address are counted together', async () => {
  const companion = companionOf(client, { rateLimit: { perAddress: 3 } })
  const from = { address: '203.0.113.1' }
  expect(await refusedOf(5, (at) => companion.fetch(post('/token', {}, `shopper-${at}`), from))).toBe(2)
})

test('a shopper who follows too many links gets a page that says so, and when to return', async () => {
  const companion = companionOf(client, { rateLimit: { perShopper: 1 } })
  const headers = { ...navigation('same-origin'), accept: 'text/html' }
  const follow = (): Promise<Response> => companion.fetch(get('/launch?product_id=gold-100', 'ada', headers))
  expect((await follow()).status).toBe(303)
  const refused = await follow()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(refused.headers.get('content-type')).toContain('text/html')
})

test('an unreadable session does not count as a missing one, and a shopper’s requests are counted', async () => {
  const authorize = (): never => {
    throw new Error('the session store is away')
  }
  const broken = companionOf(client, { authorize, onError: () => {} })
  expect((await broken.fetch(get('/purchases/id-1', 'ada'))).status).toBe(500)
  const limited = companionOf(client, { rateLimit: { perShopper: 1 } })
  expect(await refusedOf(2, () => limited.fetch(get('/purchases/id-1', 'ada')))).toBe(1)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.10.113.99', '203.10.113.99'],
  ['2001:0DB8:0001:0002::1', '2001:0db8:0001:0002::/64'],
  ['2001:db8:1:2:3::', '2001:0db8:0001:0002::/64'],
  ['1::2:3:4:5:6:7', '0001:0000:0002:0003::/64'],
  ['::1:2:3:4:5:6', '0000:0000:0001:0002::/64'],
  ['::', '0000:0000:0000:0000::/64'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
  ['::ffff:1.2.3.4.5', '::ffff:1.2.3.4.5'],
  ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
  ['unix', 'unix'],
  [':'.repeat(70), ':'.repeat(64)],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
