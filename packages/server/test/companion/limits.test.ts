// Promise: launch/limits
/** How calls are counted: of a shopper, an address, and of whom no address is known. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLimiter } from '../../src/companion/limits.ts'
import { type Companion, createPurchaseClient, type PurchaseClient } from '../../src/index.ts'
import { companionOf, get, post } from '../support/companion.ts'
import { settings } from '../support/settings.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()
let client: PurchaseClient
let companion: Companion

beforeEach(() => {
  client = service.client()
  companion = companionOf(client)
})

describe('limits', () => {
  const from = (address: string, request: Request): Promise<Response> => companion.fetch(request, { address })
  const statuses = async (count: number, call: () => Promise<Response>): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, call))
    return answers.map(({ status }) => status).sort()
  }

  test('of unauthenticated callers count against no shopper', async () => {
    companion = companionOf(client, { rateLimit: { perAddress: 3 } })
    const address = '198.51.100.7'
    expect(await statuses(5, () => from(address, post('/token', {})))).toEqual([401, 401, 401, 429, 429])
    expect((await from(address, post('/token', {}, 'ada'))).status).toBe(200)
  })

  test('of an address count nobody where the runtime names none', async () => {
    companion = companionOf(client, { rateLimit: { perAddress: 2 } })
    let shopper = 0
    const call = (): Promise<Response> => companion.fetch(post('/token', {}, `shopper-${++shopper}`))
    expect(await statuses(4, call)).toEqual([200, 200, 200, 200])
  })
})

test('so many calls of a key pass, and the next is told when to come again', () => {
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

test('ten thousand keys are counted, and the one seen longest ago begins anew', () => {
  const limit = createLimiter(1)
  for (let index = 0; index <= 10_000; index++) limit(`key-${index}`)
  expect(() => limit('key-10000')).toThrow('Too many requests.')
  expect(() => limit('key-0')).not.toThrow()
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
  const companion = companionOf(createPurchaseClient({ ...settings, fetch: async () => Response.json({}) }))
  const statuses = []
  for (let index = 0; index < 650; index++) {
    const id = `aa${String(index).padStart(20, 'x')}`
    statuses.push((await companion.fetch(get(`/purchases/${id}`))).status)
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(50)
})
