// Promise: sandbox/webhook-hosts
/** Where webhooks may go: to this machine, and to the hosts that were allowed by name. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { startCli } from './support/cli.ts'
import { startReceiver } from './support/receiver.ts'
import { must, serviceOf, test } from './support/service.ts'

/** Reaches this machine like a host elsewhere: it is no loopback address. */
const elsewhere = '0.0.0.0'

test.for([
  'https://shop.example/webhook',
  'http://10.0.0.1/webhook',
  'http://169.254.169.254/latest/meta-data',
  'http://0.0.0.0:9/',
  'http://[::]:9/',
  'http://[::ffff:127.0.0.1]:9/',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'http://notlocalhost/',
])('a webhook to %s is refused', async (url, { service }) => {
  for (const answer of [
    service.control('webhooks', { url }),
    service.control('webhooks/forge', { url, payload: {} }),
  ])
    expect(await answer).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringMatching(/^url: .*webhookHosts/) },
    })
  expect((await service.control('webhooks', undefined, 'GET')).body).toEqual({ targets: [], deliveries: [] })
})

test.for(['http://localhost:9/', 'http://shop.localhost:9/', 'http://127.1.2.3:9/', 'https://[::1]:9/'])(
  'a webhook to %s is allowed',
  async (url, { service }) => {
    expect((await service.control('webhooks', { url })).status).toBe(201)
  },
)

test('webhookHosts allows more hosts, at any port', async () => {
  const receiver = await startReceiver()
  const sandbox = await createSandbox({ webhookHosts: [elsewhere, 'app.internal'] })
  const service = serviceOf(sandbox)
  await must(service.control('webhooks', { url: receiver.url.replace('127.0.0.1', elsewhere) }))
  await must(service.createWidgetUser())
  await expect.poll(() => receiver.received.length).toBe(1)
  for (const host of ['other.internal', 'evil.app.internal', 'app.internal.example'])
    expect((await service.control('webhooks', { url: `http://${host}/` })).status).toBe(400)
  await Promise.all([sandbox.close(), receiver.close()])
})

test('--webhook-host allows hosts on the command line', async () => {
  const cli = await startCli([
    '--json',
    '--webhook-host',
    'app.internal',
    '--webhook-host',
    'host.docker.internal',
  ])
  const add = async (url: string): Promise<number> => {
    const { status } = await fetch(`${cli.ready.controlUrl}/webhooks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    return status
  }
  expect(await add('http://app.internal:3000/webhook')).toBe(201)
  expect(await add('http://host.docker.internal:3000/webhook')).toBe(201)
  expect(await add('http://other.internal:3000/webhook')).toBe(400)
  cli.process.kill()
  await cli.exited
})

test.for(['http://app.internal', 'app.internal:3000', '*.internal', 'App.Internal', 'a b', ''])(
  'webhookHosts refuses %j, which is no host name',
  async (host) => {
    await expect(createSandbox({ webhookHosts: [host] })).rejects.toThrow(
      /^webhookHosts.0: must be a host name/,
    )
  },
)

test('nothing is sent to a target of an earlier run that was allowed more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const db = join(folder, 'shop.db')
  const receiver = await startReceiver()
  const first = await createSandbox({ db, webhookHosts: [elsewhere] })
  await must(serviceOf(first).control('webhooks', { url: receiver.url.replace('127.0.0.1', elsewhere) }))
  await must(serviceOf(first).createWidgetUser())
  await expect.poll(() => receiver.received.length).toBe(1)
  await first.close()

  const second = await createSandbox({ db, webhookRetryMs: 1 })
  const service = serviceOf(second)
  const deliveries = async () =>
    (await service.control<{ deliveries: { id: string; status: string }[] }>('webhooks', undefined, 'GET'))
      .body.deliveries
  const [sent] = await deliveries()
  expect((await service.control(`webhooks/deliveries/${sent?.id}/redeliver`)).status).toBe(400)
  await service.buy({}, { email: 'ada@example.com' })
  await expect
    .poll(deliveries)
    .toMatchObject([{ status: 'failed' }, { status: 'failed' }, { status: 'delivered' }])
  expect(receiver.received).toHaveLength(1)
  await Promise.all([second.close(), receiver.close()])
  await rm(folder, { recursive: true })
})

test('a redirect of a target is not followed', async ({ service }) => {
  const other = await startReceiver()
  const target = await startReceiver(() => 307, { Location: other.url })
  await must(service.control('webhooks/forge', { url: target.url, payload: {} }))
  await expect.poll(() => target.received.length).toBe(6)
  expect(other.received).toEqual([])
  await Promise.all([target.close(), other.close()])
})
