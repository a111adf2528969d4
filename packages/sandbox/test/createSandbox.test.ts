// Promise: sandbox/isolated
/** Starting, resetting and closing a sandbox in a process. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { test } from './support/service.ts'

test('sandboxes run side by side and share nothing, and the globals of the process stay its own', async ({
  start,
}) => {
  const globals = [globalThis.Request, globalThis.Response, globalThis.fetch]
  const sandboxes = await Promise.all(Array.from({ length: 5 }, () => start()))
  await sandboxes[0]?.service.buy()
  await sandboxes[0]?.service.flip({ refreshInvalidates: true })
  for (const [index, { service }] of sandboxes.entries()) {
    const { body } = await service.getOrderHistory({ accessToken: await service.token() })
    expect(body).toHaveLength(index === 0 ? 1 : 0)
  }
  const origins = sandboxes.flatMap(({ urls }) => [urls.baseUrl, urls.widgetUrl])
  expect(new Set(origins).size).toBe(10)
  expect([globalThis.Request, globalThis.Response, globalThis.fetch]).toEqual(globals)
})

test('a reset restores everything but keys and tokens, which a running server still holds', async ({
  service,
}) => {
  const read = async (): Promise<unknown> => ({
    ...(await service.read('state')),
    now: null,
    requests: null,
    tokens: null,
  })
  const before = await read()
  const accessToken = await service.token()
  await service.buy({ product_id: 'club-monthly' })
  await service.flip({ coop: 'same-origin' })
  await service.advance(10)
  await service.set('faults', { operation: '*', kind: 'reset' })
  await service.set('webhooks', { url: 'http://127.0.0.1:9/' })
  const none = { crypto: '0', digital_goods: '0' }
  await service.set('limits', { low: none, full: none }, 'PUT')
  await service.set('reset')
  expect(await read()).toEqual(before)
  expect((await service.getOrderHistory<unknown>({ accessToken })).status).toBe(200)
  expect((await service.createAccessToken()).status).toBe(200)
})

test('limits that were set are there when the file is reopened', async ({ start, folder }) => {
  const options = { db: join(folder, 'sandbox.sqlite') }
  const amounts = { crypto: '1.00', digital_goods: '2.00' }
  const limits = { low: amounts, full: amounts }
  const first = await start(options)
  await first.limits.set(limits)
  await first.close()
  expect(await (await start(options)).limits.get()).toEqual(limits)
})

test('closing is idempotent and frees the ports', async ({ start }) => {
  const first = await start()
  const { port } = new URL(first.urls.baseUrl)
  await Promise.all([first.close(), first.close()])
  await first.close()
  const second = await start({ port: Number(port) })
  expect(second.urls.baseUrl).toBe(first.urls.baseUrl)
  await expect(createSandbox({ widgetPort: Number(port) })).rejects.toThrow(
    `Port ${port} is taken. Stop what listens there, or set widgetPort to another one, or to 0 for a free one.`,
  )
})

test.for(['256.1.1.1', 'no-such-host.invalid', '203.0.113.9', 'a b'])(
  'a host that is not a local address is an error that names it: %s',
  async (host) => {
    await expect(createSandbox({ host })).rejects.toThrow(`host ${host} `)
  },
)

test('credentials and limits can be given', async ({ start }) => {
  const credentials = { apiKey: 'test_key', secretKey: 'test_secret' }
  const limits = {
    low: { crypto: '1.00', digital_goods: '2.00' },
    full: { crypto: '3.00', digital_goods: '4.00' },
  }
  const sandbox = await start({ ...credentials, limits })
  expect(sandbox.credentials).toEqual(credentials)
  await sandbox.service.createWidgetUser()
  expect((await sandbox.service.user('ada@example.com')).limits).toMatchObject({
    crypto_remaining: '1.00',
    digital_goods_remaining: '2.00',
  })
})

test('invalid limits, and invalid switch values in a seed, are refused before anything is opened', async () => {
  const low = { crypto: 'lots', digital_goods: '2.00' }
  await expect(createSandbox({ limits: { low, full: low } })).rejects.toThrow('limits.low.crypto')
  // @ts-expect-error No such value.
  await expect(createSandbox({ seed: { switches: { coop: 'sometimes' } } })).rejects.toThrow(
    'seed.switches.coop',
  )
})
