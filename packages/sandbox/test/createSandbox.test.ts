// Promise: sandbox/isolated
/** Starting, resetting and closing a sandbox in a process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { must, serviceOf } from './support/service.ts'

test('sandboxes run side by side and share nothing', async () => {
  const sandboxes = await Promise.all(Array.from({ length: 5 }, () => createSandbox()))
  const services = sandboxes.map(serviceOf)
  await services[0]?.buy()
  await services[0]?.flip({ refreshInvalidates: true })
  for (const [index, service] of services.entries()) {
    const { body } = await service.getOrderHistory({ accessToken: await service.token() })
    expect(body).toHaveLength(index === 0 ? 1 : 0)
  }
  const origins = sandboxes.flatMap(({ urls }) => [urls.baseUrl, urls.widgetUrl])
  expect(new Set(origins).size).toBe(10)
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
})

test('a reset brings everything back but keys and tokens: a server that goes on running has them', async () => {
  const sandbox = await createSandbox()
  const service = serviceOf(sandbox)
  const read = async (): Promise<unknown> => {
    const { body } = await service.control<Record<string, unknown>>('state', undefined, 'GET')
    return { ...body, now: null, requests: null, tokens: null }
  }
  const before = await read()
  const accessToken = await service.token()
  await service.buy({ product_id: 'club-monthly' })
  await service.flip({ coop: 'same-origin' })
  await service.advance(10)
  await must(service.control('faults', { operation: '*', kind: 'reset' }))
  await must(service.control('webhooks', { url: 'http://127.0.0.1:9/' }))
  const none = { crypto: '0', digital_goods: '0' }
  await must(service.control('limits', { low: none, full: none }, 'PUT'))
  await must(service.control('reset'))
  expect(await read()).toEqual(before)
  expect((await service.getOrderHistory<unknown>({ accessToken })).status).toBe(200)
  expect((await service.createAccessToken()).status).toBe(200)
  await sandbox.close()
})

test('limits that were set are there when the file is opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const options = { db: join(folder, 'sandbox.sqlite') }
  const amounts = { crypto: '1.00', digital_goods: '2.00' }
  const limits = { low: amounts, full: amounts }
  const first = await createSandbox(options)
  await must(serviceOf(first).control('limits', limits, 'PUT'))
  await first.close()
  const second = await createSandbox(options)
  expect((await serviceOf(second).control('limits', undefined, 'GET')).body).toEqual(limits)
  await second.close()
  await rm(folder, { recursive: true })
})

test('closing is idempotent and frees the ports', async () => {
  const first = await createSandbox()
  const { port } = new URL(first.urls.baseUrl)
  await Promise.all([first.close(), first.close()])
  await first.close()
  const second = await createSandbox({ port: Number(port) })
  expect(second.urls.baseUrl).toBe(first.urls.baseUrl)
  await expect(createSandbox({ widgetPort: Number(port) })).rejects.toThrow(
    `Port ${port} is taken. Stop what listens there, or set widgetPort to another one, or to 0 for a free one.`,
  )
  await second.close()
})

test.each(['256.1.1.1', 'no-such-host.invalid', '203.0.113.9', 'a b'])(
  'a host that is not of this machine is an error that names it: %s',
  async (host) => {
    await expect(createSandbox({ host })).rejects.toThrow(`host ${host} `)
  },
)

test('credentials and limits can be given', async () => {
  const credentials = { apiKey: 'test_key', secretKey: 'test_secret' }
  const limits = {
    low: { crypto: '1.00', digital_goods: '2.00' },
    full: { crypto: '3.00', digital_goods: '4.00' },
  }
  const sandbox = await createSandbox({ ...credentials, limits })
  expect(sandbox.credentials).toEqual(credentials)
  const service = serviceOf(sandbox)
  await service.createWidgetUser()
  const { body } = await service.fetchUserDetails({ api_key: 'test_key', email: 'ada@example.com' })
  expect(body.data.data.limits).toMatchObject({ crypto_remaining: '1.00', digital_goods_remaining: '2.00' })
  await sandbox.close()
})

test('limits that are no amounts and switches that a seed sets wrongly are refused before anything is opened', async () => {
  const low = { crypto: 'lots', digital_goods: '2.00' }
  await expect(createSandbox({ limits: { low, full: low } })).rejects.toThrow('limits.low.crypto')
  // @ts-expect-error No such value.
  await expect(createSandbox({ seed: { switches: { coop: 'sometimes' } } })).rejects.toThrow(
    'seed.switches.coop',
  )
})

test('the globals of the process stay its own', async () => {
  const before = [globalThis.Request, globalThis.Response, globalThis.fetch]
  const sandbox = await createSandbox()
  expect([globalThis.Request, globalThis.Response, globalThis.fetch]).toEqual(before)
  await sandbox.close()
})
