// Promise: companion/log
/** The server's log of a failure if the merchant has no `onError`, and what is kept of an error that other code threw. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { codeOf, safeCause, withoutValues } from '../../src/errors.ts'
import { createCompanion, createPurchaseClient, memoryStore } from '../../src/index.ts'
import { companionOf, get, post } from '../support/companion.ts'
import { settings } from '../support/settings.ts'

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void logged.mockClear())
afterEach(() => void vi.unstubAllEnvs())

const said = (): string => logged.mock.calls.flat().join('\n')

/** An error of Node's `fetch`. Its cause quotes an address, which may contain a key. */
const unreachable = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED https://shop.example/?key=hunter2'), {
      code: 'ECONNREFUSED',
    }),
  })

const client = createPurchaseClient({
  ...settings,
  fetch: async () => Response.json({ id: 'order-1', type: 'order_complete', accessToken: 'token' }),
})

test('a failure of onOrder is logged with order, attempt and the code of its cause, and with its stack in development', async () => {
  const companion = companionOf(client, {
    onOrder: () => {
      throw unreachable()
    },
  })
  await companion.syncOrder({ order_id: 'order-1' })
  await vi.waitFor(() =>
    expect(said()).toContain(
      'TypeError: fetch failed [ECONNREFUSED] (during fulfilment, order order-1, try 1)',
    ),
  )
  expect(said()).toMatch(/\n +at .*report\.test\.ts/)
  expect(said()).not.toContain('hunter2')
})

test('a failure of createPurchase is logged with its route, and without a stack in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const companion = companionOf(client, {
    url: 'https://shop.example/api/purchase-widget',
    createPurchase: () => {
      throw unreachable()
    },
  })
  expect((await companion.fetch(post('/launch', {}, 'ada'))).status).toBe(500)
  expect(said()).toBe('[purchase-widget] TypeError: fetch failed [ECONNREFUSED] (during POST /launch)')
})

test('an id in the path, and characters that act on a terminal, stay out of the log', async () => {
  const companion = companionOf(client, {
    authorize: () => {
      throw new Error('no session\u001b]0;owned\u0007')
    },
  })
  expect((await companion.fetch(get('/orders/secret-order', 'ada'))).status).toBe(500)
  expect(said()).toContain(String.raw`Error: no session\u001b]0;owned\u0007 (during GET /orders/:id)`)
  expect(said()).not.toContain('secret-order')
})

test('a missing setting is logged in one line', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (const name of ['URL', 'API_URL']) vi.stubEnv(`PURCHASE_WIDGET_${name}`, '')
  const companion = createCompanion({
    store: memoryStore(),
    authorize: () => ({ customId: 'ada' }),
    onOrder: () => {},
    createPurchase: () => ({ params: {} }),
  })
  expect((await companion.fetch(post('/launch', {}))).status).toBe(503)
  const lines = [...warned.mock.calls, ...logged.mock.calls].flat().filter((line) => /PURCHASE_/.test(line))
  expect(lines).toHaveLength(1)
})

const secret = 'Sk-Live_QuietHarbourSecret'

const coded = (message: string, code: unknown, cause?: unknown): Error =>
  Object.assign(new TypeError(message, { cause }), { code })

test.each([
  [coded(secret, 'ERR_ONE'), 'TypeError (ERR_ONE)'],
  [coded(secret, 'ERR_ONE', new RangeError(secret)), 'RangeError'],
  [new Error(secret, { cause: coded(secret, 'ECONNREFUSED') }), 'TypeError (ECONNREFUSED)'],
  [new Error(secret, { cause: secret }), 'Error'],
  [{ cause: new Error(secret) }, 'object'],
  [secret, 'string'],
  [null, 'object'],
])('the name and the code of %j are kept', (error, message) => {
  const cause = safeCause(error)
  expect(cause.message).toBe(message)
  expect(cause.stack).toBeUndefined()
})

test.each([
  ['AB', 'AB'],
  ['E_2', 'E_2'],
  ['A'.repeat(40), 'A'.repeat(40)],
  ['A', undefined],
  ['A'.repeat(41), undefined],
  [`${secret} ERR`, undefined],
  [`ERR ${secret}`, undefined],
  [404, undefined],
  [['ERR_ONE'], undefined],
])('the code %j becomes %j', (code, kept) => {
  expect(codeOf({ code })).toBe(kept)
})

test.each([[undefined], [null], ['ERR_ONE'], [{}], [Object.assign(() => {}, { code: 'ERR_ONE' })]])(
  '%j has no code',
  (error) => {
    expect(codeOf(error)).toBeUndefined()
  },
)

test.each([
  ['from jane@example.com today', 'from [redacted] today'],
  ['order abcdefg1 failed', 'order [redacted] failed'],
  ['order a1bcdefgh failed', 'order [redacted] failed'],
  ['order 12345678 failed', 'order [redacted] failed'],
  [`key ${'x'.repeat(32)} failed`, 'key [redacted] failed'],
  ['status 404 of v1alpha', 'status 404 of v1alpha'],
  [`key ${'x'.repeat(31)} failed`, `key ${'x'.repeat(31)} failed`],
])('%j is logged as %j', (text, kept) => {
  expect(withoutValues(text)).toBe(kept)
})

test('at most 300 characters of the first 2,000 are logged', () => {
  expect(withoutValues('word '.repeat(1_000))).toHaveLength(300)
  expect(withoutValues(`${'x'.repeat(1_998)} ab`)).toBe('[redacted] a')
})
