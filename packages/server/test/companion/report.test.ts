// Promise: companion/log
/** What the server's log says of a failure where the merchant gives no `onError`. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCompanion, createPurchaseClient, memoryStore } from '../../src/index.ts'
import { companionOf, get, post } from '../support/companion.ts'
import { settings } from '../support/settings.ts'

const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void logged.mockClear())
afterEach(() => void vi.unstubAllEnvs())

const said = (): string => logged.mock.calls.flat().join('\n')

/** As Node's `fetch` fails. Its cause quotes an address, which may hold a key. */
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

test('a failure of onOrder is logged with order, try and the code of its cause, and with its stack in development', async () => {
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
