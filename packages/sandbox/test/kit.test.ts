// Promises: sandbox/client, kit/fixture, kit/start-shop
/** The test kit as merchants' tests use it: the control client, the merchant's own server, the Playwright fixture. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test as plainTest } from 'vitest'
import { startShop } from '../src/testing/index.ts'
import { testWithSandbox } from '../src/testing/vitest.ts'
import { startReceiver } from './support/http.ts'
import { serviceOf } from './support/service.ts'

const test = testWithSandbox({ startAt: new Date('2030-01-31T00:00:00Z') })
const purchaseId = 'purchase-0123456789'

test('the clock advances by a duration and to a time', async ({ sandbox }) => {
  // The clock keeps running during the calls.
  const started = performance.now()
  const expectAt = (clock: Date, time: number): void => {
    expect(clock.getTime()).toBeGreaterThanOrEqual(time)
    expect(clock.getTime()).toBeLessThanOrEqual(time + Math.ceil(performance.now() - started) + 1)
  }
  const before = await sandbox.clock.now()
  expectAt(await sandbox.clock.advance('31 days'), before.getTime() + 31 * 86_400_000)
  const later = new Date('2031-01-01T00:00:00Z')
  expectAt(await sandbox.clock.advanceTo(later), later.getTime())
})

test('a text that is not a duration is refused before it is sent', async ({ sandbox }) => {
  // @ts-expect-error No such unit.
  await expect(sandbox.clock.advance('3 moons')).rejects.toThrow('"3 moons" is not a duration')
  await expect(sandbox.clock.advance('-1 days')).rejects.toThrow('is not a duration')
})

test.for([
  ['in its return address', { redirect_url: `https://shop.example/return/${purchaseId}` }],
  [
    'in the address for failed orders',
    { fail_redirect_url: `https://shop.example/return/${purchaseId}/failed` },
  ],
  ['as its custom_id', { custom_id: purchaseId }],
] as const)(
  'orderOf finds an order that has the id %s, whatever an order shows',
  async ([, params], { sandbox }) => {
    const { id } = await sandbox.buy({ params })
    await sandbox.buy({ params: { redirect_url: 'https://shop.example/return/purchase-9876543210' } })
    await sandbox.switches.set({ returnAddresses: 'absent' })
    expect(await sandbox.orderOf(purchaseId)).toMatchObject({ id })
    expect(await sandbox.orderOf('purchase-of-nobody')).toBeUndefined()
  },
)

test('orderOf returns the newest attempt of a purchase', async ({ sandbox }) => {
  const params = { custom_id: purchaseId }
  await sandbox.buy({ params, card_number: '4000 0000 0000 4004' })
  expect(await sandbox.orderOf(purchaseId)).toMatchObject({ type: 'order_failed' })
  await sandbox.buy({ params })
  expect(await sandbox.orderOf(purchaseId)).toMatchObject({ type: 'order_complete' })
})

test('faults, switches, limits, requests and users are set and read', async ({ sandbox }) => {
  const fault = await sandbox.faults.set({ operation: 'createAccessToken', kind: 'status', status: 503 })
  expect((await serviceOf(sandbox).createAccessToken()).status).toBe(503)
  expect(await sandbox.requests.list()).toMatchObject([{ operation: 'createAccessToken', status: 503 }])
  await sandbox.requests.clear()
  expect(await sandbox.requests.list()).toEqual([])
  await sandbox.faults.remove(fault.id)
  expect(await sandbox.faults.list()).toEqual([])
  await sandbox.switches.set({ lookup: 'any' })
  expect((await sandbox.switches.list()).find(({ name }) => name === 'lookup')?.value).toBe('any')
  const limits = await sandbox.limits.get()
  await sandbox.limits.set({ ...limits, low: { crypto: '1.00', digital_goods: '0' } })
  await expect(sandbox.buy()).rejects.toThrow('full KYC is required')
  await sandbox.limits.set(limits)
  await sandbox.buy({ email: 'ada@example.com' })
  expect((await sandbox.users()).map(({ email }) => email)).toEqual([
    'ada@example.com',
    'shopper@example.com',
  ])
})

test('webhooks are sent, forged and sent again', async ({ sandbox }) => {
  const receiver = await startReceiver()
  const { id } = await sandbox.webhooks.add(receiver.url)
  const order = await sandbox.buy()
  const delivered = async () =>
    (await sandbox.webhooks.deliveries()).map(({ status, order_id }) => [status, order_id])
  await expect.poll(delivered).toContainEqual(['delivered', order.id])
  const [forged] = await sandbox.webhooks.forge({ event: 'order.updated', data: { order_id: 'none' } })
  await sandbox.webhooks.redeliver(forged?.id ?? '')
  await sandbox.webhooks.remove(id)
  await expect(sandbox.webhooks.forge({})).rejects.toThrow('url: is required')
  await receiver.close()
})

/** A command that runs this script with Node. */
const node = (script: string): string => `"${process.execPath}" -e "${script}"`

const answering = node(
  "require('node:http').createServer((_, answer) => answer.end(JSON.stringify(process.env))).listen(process.env.PORT)",
)

plainTest(
  "the server gets a port of its own, the sandbox's address and the address of its companion",
  async () => {
    const { sandbox, shop } = await startShop({ command: answering, env: { GREETING: 'hello' } })
    expect(await (await fetch(shop.url)).json()).toMatchObject({
      PORT: new URL(shop.url).port,
      PURCHASE_COMPANION_URL: `${shop.url}/api/purchase-widget`,
      PURCHASE_WIDGET_URL: sandbox.urls.widgetUrl,
      PURCHASE_API_KEY: sandbox.credentials.apiKey,
      GREETING: 'hello',
    })
    await shop.close()
    await expect(fetch(shop.url)).rejects.toThrow()
    await sandbox.close()
  },
)

plainTest('a server that ends is reported at once, with what it wrote', async () => {
  const command = node("console.error('The database is missing.'); process.exitCode = 1")
  await expect(startShop({ command })).rejects.toThrow(
    /has ended, and does not answer at http:\/\/localhost:\d+.*\nThe database is missing/,
  )
})

plainTest('a server that does not answer in time is reported with what it wrote', async () => {
  const command = node("console.log('Connecting to the database.'); setInterval(() => {}, 1_000)")
  await expect(startShop({ command }, {}, 5_000)).rejects.toThrow(
    /has not answered within 5 s at http:\/\/localhost:\d+.*\nConnecting to the database/,
  )
})

plainTest('a server that takes a request and never answers it is reported in time', async () => {
  const command = node(
    "require('node:http').createServer(() => console.log('Asked.')).listen(process.env.PORT)",
  )
  await expect(startShop({ command }, {}, 5_000)).rejects.toThrow(
    /has not answered within 5 s at http:\/\/localhost:\d+.*\nAsked/,
  )
})

plainTest('a working directory that does not exist is reported by its name', async () => {
  await expect(startShop({ command: answering, cwd: '/no/such/directory' })).rejects.toThrow(
    '/no/such/directory',
  )
})

plainTest('a program that the command left in the background ends with it', async () => {
  const error = await startShop({ command: 'sleep 600 & echo "pid $!"; exit 1' }).catch(String)
  const [, pid] = /has ended.*pid (\d+)/s.exec(`${error}`) ?? []
  await expect.poll(() => isRunning(Number(pid))).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

plainTest.for(['SIGINT', 'SIGKILL'] as const)('the server ends when %s ends the tests', async (signal) => {
  const kit = join(import.meta.dirname, '../src/testing/index.ts')
  const script = `import { startShop } from '${kit}'
    const { shop } = await startShop({ command: process.env.COMMAND })
    console.log(shop.url)`
  const tests = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, COMMAND: answering },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(tests.stdout, 'data')
  tests.kill(signal)
  await once(tests, 'exit')
  await expect
    .poll(() =>
      fetch(`${url}`.trim()).then(
        () => 'answers',
        () => 'has ended',
      ),
    )
    .toBe('has ended')
})

plainTest(
  'the Playwright fixture starts a sandbox per worker and resets it before each test',
  async () => {
    const playwright = join(import.meta.dirname, '../node_modules/.bin/playwright')
    const config = join(import.meta.dirname, 'playwright/playwright.config.ts')
    const { stdout } = await promisify(execFile)(playwright, ['test', '--config', config])
    expect(JSON.parse(stdout).stats).toMatchObject({ expected: 3, unexpected: 0, skipped: 0, flaky: 0 })
  },
  300_000,
)
