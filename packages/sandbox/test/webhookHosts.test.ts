// Promise: sandbox/webhook-hosts
/** Allowed webhook targets: localhost, and hosts that were allowed by name. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { must, test } from './support/service.ts'

/** Reaches the local machine, but is not a loopback address, so it counts as another host. */
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
  expect(await service.read('webhooks')).toEqual({ targets: [], deliveries: [] })
})

test.for(['http://localhost:9/', 'http://shop.localhost:9/', 'http://127.1.2.3:9/', 'https://[::1]:9/'])(
  'a webhook to %s is allowed',
  async (url, { service }) => {
    expect((await service.control('webhooks', { url })).status).toBe(201)
  },
)

test('webhookHosts allows more hosts, at any port', async ({ start, receiver }) => {
  const { service } = await start({ webhookHosts: [elsewhere, 'app.internal'] })
  await service.set('webhooks', { url: receiver.url.replace('127.0.0.1', elsewhere) })
  await must(service.createWidgetUser())
  await expect.poll(() => receiver.received.length).toBe(1)
  for (const host of ['other.internal', 'evil.app.internal', 'app.internal.example'])
    expect((await service.control('webhooks', { url: `http://${host}/` })).status).toBe(400)
})

test.for(['http://app.internal', 'app.internal:3000', '*.internal', 'App.Internal', 'a b', ''])(
  'webhookHosts refuses %j, which is not a host name',
  async (host) => {
    await expect(createSandbox({ webhookHosts: [host] })).rejects.toThrow(
      /^webhookHosts.0: must be a host name/,
    )
  },
)

test('nothing is sent to a target that only an earlier run allowed', async ({ start, folder, receiver }) => {
  const db = join(folder, 'shop.db')
  const first = await start({ db, webhookHosts: [elsewhere] })
  await first.webhooks.add(receiver.url.replace('127.0.0.1', elsewhere))
  await must(first.service.createWidgetUser())
  await expect.poll(() => first.webhooks.deliveries()).toMatchObject([{ status: 'delivered' }])
  await first.close()

  const second = await start({ db, webhookRetryMs: 1 })
  const [sent] = await second.webhooks.deliveries()
  await expect(second.webhooks.redeliver(sent?.id ?? '')).rejects.toThrow('webhookHosts')
  await second.buy({ email: 'ada@example.com' })
  await expect
    .poll(() => second.webhooks.deliveries())
    .toMatchObject([{ status: 'failed' }, { status: 'failed' }, { status: 'delivered' }])
  expect(receiver.received).toHaveLength(1)
})
