// Promise: client/switches
/** Open points of the interface: with every switch of the sandbox either way, the seven operations return the same typed result. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { full, recordFigure } from '../../../../scripts/proof.ts'
import type { PurchaseClient } from '../../src/index.ts'
import { declinedCard, newUser, type Service, startService } from '../support/service.ts'

interface Switch {
  name: string
  row: string
  values: (string | number | boolean)[]
  default: string | number | boolean
}

let service: Service
let client: PurchaseClient
let baseline: object

beforeAll(async () => {
  service = await startService()
  client = service.client()
  baseline = await typedResults()
})
afterAll(() => service.close())

/** The merchant's view, with only the types of values that differ between any two runs (ids, dates, tokens). */
async function typedResults(): Promise<object> {
  const { accessToken } = await client.accessTokens.create({ expirationDays: '7' })
  const forEver = await client.accessTokens.create({ expirationDays: 'infinite' })
  const expiry = await client.accessTokens.expireDate(forEver.accessToken)
  const live = await client.accessTokens.create({ expirationDays: '7' })
  const { expiresAt } = await client.accessTokens.expireDate(live.accessToken)

  const failed = await service.buy(
    { product_id: 'gold-100', custom_id: 'shopper-1', accessToken: live.accessToken },
    declinedCard('4004'),
  )
  const paid = await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
  const orders = await client.orders.list({ accessToken: live.accessToken, custom_id: 'shopper-1' })
  const all = await client.orders.listAll({ accessToken: live.accessToken })
  const transaction = await client.transactions.retrieve({ order_id: failed.id })
  const subscription = await client.subscriptions.retrieve({ custom_id: 'shopper-1' })
  const subscriptions = await client.subscriptions.list({ custom_id: 'shopper-1' })
  const user = await client.users.retrieve({ user_id: paid.user_id ?? '' })
  const created = await client.users.create({ ...newUser, email: 'grace@example.com', phone: '+14155550124' })
  const refusals = await Promise.all([
    nameOf(client.transactions.retrieve({ order_id: 'unknown' })),
    nameOf(service.client({ apiKey: 'wrong' }).users.retrieve({ user_id: 'x' })),
    nameOf(client.users.create(newUser).then(() => client.users.create(newUser))),
  ])
  return typesOf({
    accessToken,
    expiry,
    days: expiresAt && Math.round((expiresAt.getTime() - Date.now()) / 86_400_000),
    orders: orders.map(withoutRaw).sort(byId),
    all: all.map(withoutRaw).sort(byId),
    transaction: withoutRaw(transaction),
    subscription: subscription && withoutRaw(subscription),
    subscriptions: subscriptions.map(withoutRaw),
    user: withoutRaw(user),
    created,
    refusals,
  })
}

const byId = (a: { id?: string }, b: { id?: string }): number => (a.id ?? '').localeCompare(b.id ?? '')

const withoutRaw = <T extends { raw: unknown }>({ raw: _, ...typed }: T): Omit<T, 'raw'> => typed

const nameOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing',
    (error: Error) => error.name,
  )

/** Keeps values that must be equal in every run; replaces others with their type. */
function typesOf(value: unknown, key = ''): object {
  const kept = [
    'type',
    'product_id',
    'custom_id',
    'status',
    'days',
    'expiry',
    'next_paid',
    'refusals',
    'fkyc_status',
  ]
  if (value instanceof Date) return Date as never
  if (Array.isArray(value)) return value.map((item) => typesOf(item, key))
  if (typeof value !== 'object' || value === null) return (kept.includes(key) ? value : typeof value) as never
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typesOf(inner, name)]))
}

/** Switches that deliberately change the service's behaviour, or return unlisted values: each has its own test. */
const elsewhere: Record<string, unknown[]> = {
  tokenResponse: ['unrecognized'],
  expiryResponse: ['unrecognized'],
  dateFormat: ['unrecognized'],
  tokenOpens: ['ownOrders'],
  statuses: ['unlisted'],
  widgetParams: ['ignored'],
  regionLists: ['short'],
  rateLimit: ['retryAfter', 'bare'],
  userOperations: ['usersHost'],
  hashLookup: ['refused'],
  keyPermission: ['missing'],
  refreshInvalidates: [true],
  paymentMs: [500, 2000, 10_000],
}

/** Each value by itself in full. For every change, a value of every switch at once, so that as many calls as the longest list suffice. */
function settingsOf(switches: Switch[]): Record<string, Switch['default']>[] {
  const tried = switches.map(({ name, values }) => ({
    name,
    values: values.filter((value) => !elsewhere[name]?.includes(value)),
  }))
  if (full) return tried.flatMap(({ name, values }) => values.map((value) => ({ [name]: value })))
  const longest = Math.max(...tried.map(({ values }) => values.length))
  return Array.from({ length: longest }, (_, index) =>
    Object.fromEntries(
      tried.flatMap(({ name, values }) => {
        const value = values[index % values.length]
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
  )
}

// In full some sixty settings with fifteen calls each: no time limit.
test('all seven operations return the same typed result with every switch either way', {
  timeout: 300_000,
}, async () => {
  const settings = settingsOf((await service.control('GET', '/switches')) as Switch[])
  for (const setting of settings) {
    service.reset()
    await service.control('PATCH', '/switches', setting)
    await expect(typedResults(), JSON.stringify(setting)).resolves.toEqual(baseline)
  }
  recordFigure('switch settings under which all seven operations give the same typed result', settings.length)
})

test('an unlisted status passes through (U14)', async () => {
  service.reset()
  await service.control('PATCH', '/switches', { statuses: 'unlisted' })
  const { user_id = '' } = await service.buy({ product_id: 'club-monthly', custom_id: 'shopper-1' })
  const user = await client.users.retrieve({ user_id })
  const subscription = await client.subscriptions.retrieve({ user_id })
  expect(user).toMatchObject({ fkyc_status: user.raw.fkyc_status, lkyc_status: user.raw.lkyc_status })
  expect(user.fkyc_status).not.toBe('not initiated')
  expect(subscription?.status).toBe(91)
})
