// Promise: sandbox/reachable
/** The initial data of a sandbox. */
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ConsoleState } from '../src/control/state.ts'
import { createSandbox, type SandboxOptions } from '../src/index.ts'
import { test } from './support/service.ts'

test('a seed is there at the start and after a reset, and its webhooks receive no earlier events', async ({
  start,
}) => {
  const sandbox = await start({
    seed: {
      users: [{ email: 'grace@example.com', fullKyc: true }],
      purchases: [
        { email: 'grace@example.com', params: { product_id: 'btc', quote_amount: '900.00' } },
        { email: 'ada@example.com', card_number: '4000 0000 0000 4004' },
      ],
      switches: { paymentMs: 500, refreshInvalidates: true },
      webhooks: ['http://127.0.0.1:9/'],
    },
  })
  for (let time = 0; time < 2; time++) {
    const state = await sandbox.service.read<ConsoleState>('state')
    expect(state).toMatchObject({
      orders: [
        { type: 'order_failed', email: 'ada@example.com' },
        { type: 'order_complete', email: 'grace@example.com' },
      ],
      webhooks: { targets: [{}], deliveries: [] },
    })
    expect(state.switches.find(({ name }) => name === 'refreshInvalidates')?.value).toBe(true)
    sandbox.reset()
  }
})

test('a reopened database has its seed once, and the switches that it set', async ({ start, folder }) => {
  const options: SandboxOptions = {
    db: join(folder, 'sandbox.sqlite'),
    seed: {
      users: [{ email: 'ada@example.com' }],
      purchases: [{ email: 'ada@example.com' }],
      switches: { coop: 'same-origin' },
    },
  }
  for (let time = 0; time < 2; time++) {
    const sandbox = await start(options)
    expect(await sandbox.service.orderTypes()).toEqual(['order_complete'])
    expect(await sandbox.service.user('ada@example.com')).toMatchObject({ fkyc_status: 'not initiated' })
    const { switches } = await sandbox.service.read<ConsoleState>('state')
    expect(switches.find(({ name }) => name === 'coop')?.value).toBe('same-origin')
    await sandbox.close()
  }
})

test('the webhook option is registered once, and again after a reset', async ({ start, folder }) => {
  const options = { db: join(folder, 'sandbox.sqlite'), webhook: 'http://127.0.0.1:9/webhook/key' }
  for (let time = 0; time < 2; time++) {
    const sandbox = await start(options)
    const targets = async () =>
      (await sandbox.service.read<{ targets: { url: string }[] }>('webhooks')).targets.map(({ url }) => url)
    expect(await targets()).toEqual([options.webhook])
    sandbox.reset()
    expect(await targets()).toEqual([options.webhook])
    await sandbox.service.set('webhooks', { url: 'http://127.0.0.1:9/other' })
    await sandbox.service.set('reset')
    expect(await targets()).toEqual([options.webhook])
    await sandbox.close()
  }
})

test('a webhook that is set later replaces the option, also after a reset; another host is refused', async ({
  start,
}) => {
  const sandbox = await start({ webhook: 'http://127.0.0.1:9/first' })
  const targets = async () =>
    (await sandbox.service.read<{ targets: { url: string }[] }>('webhooks')).targets.map(({ url }) => url)
  sandbox.setWebhook('http://127.0.0.1:9/second')
  expect(await targets()).toEqual(['http://127.0.0.1:9/second'])
  expect(() => sandbox.setWebhook('https://shop.example/webhook')).toThrow('webhookHosts')
  sandbox.reset()
  expect(await targets()).toEqual(['http://127.0.0.1:9/second'])
})

test('a database whose first start failed has each purchase of the seed once', async ({ start, folder }) => {
  const db = join(folder, 'sandbox.db')
  const good = { email: 'ada@example.com' }
  const bad = { email: 'grace@example.com', params: { product_id: 'north-keep' } }
  await expect(createSandbox({ db, seed: { purchases: [good, bad] } })).rejects.toThrow('needs fullKyc')
  const sandbox = await start({ db, seed: { purchases: [good] } })
  expect(await sandbox.orders()).toHaveLength(1)
})

test('an invalid seed is refused with the name of the problem', async () => {
  const email = 'ada@example.com'
  for (const [seed, problem] of [
    [{ users: [{ email: 'ada' }] }, 'seed.users.0.email'],
    [{ users: [{ email, kyc: true }] }, 'seed.users.0'],
    [{ users: Array(10_001).fill({ email }) }, 'seed.users'],
    [{ purchases: Array(10_001).fill({ email }) }, 'seed.purchases'],
    [{ purchases: [{ email, card: '4242' }] }, 'seed.purchases.0'],
    [
      { purchases: [{ email, params: { custom_id: 'c'.repeat(4_001) } }] },
      'seed.purchases.0.params.custom_id',
    ],
    [{ purchases: [{ email, params: { product_id: 'north-keep' } }] }, `purchases: ${email} needs fullKyc`],
    [{ webhooks: ['ftp://127.0.0.1/'] }, 'seed.webhooks.0'],
    [{ webhooks: ['xhttps://127.0.0.1/'] }, 'seed.webhooks.0'],
    [{ webhooks: ['https.x://127.0.0.1/'] }, 'seed.webhooks.0'],
  ] as const)
    await expect(createSandbox({ seed } as unknown as SandboxOptions), problem).rejects.toThrow(problem)
})
