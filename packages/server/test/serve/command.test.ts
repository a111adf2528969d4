// Promise: serve/command
/** `purchase-widget serve` as a person starts it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { hookSecret } from '../support/hookShop.ts'
import { listen } from '../support/http.ts'
import { type Service, startService } from '../support/service.ts'
import { serviceVariables } from '../support/serving.ts'

const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const hook = { url: 'http://127.0.0.1:1/' }
const configuration = {
  url: 'https://shop.example/api/purchase-widget',
  port: 0,
  secret: { env: 'PURCHASE_HOOK_SECRET' },
  authorize: hook,
  createPurchase: hook,
  onOrder: hook,
}

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'serve-'))
  writeFileSync(join(folder, 'right.json'), JSON.stringify(configuration))
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...configuration, port: 'x' }, null, 2))
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const node = [process.execPath]

/** A network of its own, in which nothing answers. */
const withoutNetwork = ['unshare', '--map-root-user', '--net', process.execPath]
const hasNetworks = spawnSync('unshare', ['--map-root-user', '--net', 'true']).status === 0

function start(
  args: string[],
  [program = '', ...before] = node,
  command = ['serve'],
): { child: ChildProcess; output: () => string } {
  const env = {
    PATH: process.env.PATH,
    PURCHASE_HOOK_SECRET: hookSecret,
    DATABASE_URL: 'postgres://127.0.0.1:1/shop',
    NODE_ENV: 'production',
    ...serviceVariables(service),
  }
  const child = spawn(program, [...before, cli, ...command, ...args], { env, cwd: folder })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk))
  return { child, output: () => text }
}

test.each([
  ['right.json', 0, 'right.json is right.\n'],
  ['wrong.json', 1, 'wrong.json:3: port must be a port, from 0 to 65535.\n'],
  ['none.json', 1, 'none.json: cannot be read as UTF-8. Name the file with --config.\n'],
])('serve --check reports %s, and starts nothing', async (file, code, expected) => {
  const { child, output } = start(['--config', file, '--check'])
  expect(await once(child, 'close')).toEqual([code, null])
  expect(output()).toBe(expected)
})

test.skipIf(!hasNetworks)('serve --check needs no network', async () => {
  const { child, output } = start(['--config', 'right.json', '--check'], withoutNetwork)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(output()).toBe('right.json is right.\n')
})

test('serve listens, reports that in JSON, and on SIGTERM finishes what it has started', async () => {
  const { child, output } = start(['--config', 'right.json'])
  await expect.poll(output).toMatch(/"event":"listening"/)
  const { address } = JSON.parse(output().split('\n')[0] ?? '')
  expect([(await fetch(`${address}/healthz`)).status, (await fetch(`${address}/readyz`)).status]).toEqual([
    200, 200,
  ])
  expect((await fetch(`${address}/api/purchase-widget/purchase-widget.js`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  const events = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event)
  expect(events).toEqual(['listening', 'stopping', 'stopped'])
})

test('serve logs only JSON, and nothing that a caller has sent', async () => {
  writeFileSync(join(folder, 'open.json'), JSON.stringify({ ...configuration, trustProxy: 0 }))
  const { child, output } = start(['--config', 'open.json'])
  await expect.poll(output).toMatch(/"event":"listening"/)
  const { address } = JSON.parse(output().split('\n')[0] ?? '')
  const headers = { 'x-forwarded-for': 'jane.doe@shopper.example' }
  await fetch(`${address}/jane.doe@shopper.example/launch`, { headers })
  child.kill('SIGTERM')
  await once(child, 'close')
  const lines = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.filter(({ level }) => level === 'warn').map(({ mistake }) => mistake)).toEqual([
    'caller_behind_proxy',
    'companion_path',
  ])
  expect(output()).not.toContain('jane.doe')
})

test('serve logs why a signed token was refused', async () => {
  const authorize = { jwt: { secret: { env: 'PURCHASE_HOOK_SECRET' } } }
  writeFileSync(join(folder, 'jwt.json'), JSON.stringify({ ...configuration, authorize }))
  const { child, output } = start(['--config', 'jwt.json'])
  await expect.poll(output).toMatch(/"event":"listening"/)
  const { address } = JSON.parse(output().split('\n')[0] ?? '')
  const headers = { authorization: 'Bearer jane.doe' }
  const answer = await fetch(`${address}/api/purchase-widget/orders`, { headers })
  expect(answer.status).toBe(401)
  child.kill('SIGTERM')
  await once(child, 'close')
  expect(output()).toMatch(/"level":"warn","event":"token_refused","code":"ERR_JWS_INVALID"/)
  expect(output()).not.toContain('jane.doe')
})

test.each([
  ['text.sqlite', /: file is not a database\./],
  ['none/purchases.sqlite', /its folder must exist and be writable\./],
  ['.', /its folder must exist and be writable\./],
])('serve does not start with %s as its store', async (sqlite, reason) => {
  writeFileSync(join(folder, 'text.sqlite'), 'what a shop has written down '.repeat(100))
  writeFileSync(join(folder, 'text.json'), JSON.stringify({ ...configuration, store: { sqlite } }))
  const { child, output } = start(['--config', 'text.json'])
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output()).toMatch(reason)
  expect(output()).toMatch(/^text\.json:1: store\.sqlite cannot be opened: .* Name a SQLite file, or/)
})

test('serve starts while Postgres is down, and logs why it is not ready', async () => {
  const store = { postgres: { env: 'DATABASE_URL' } }
  writeFileSync(join(folder, 'postgres.json'), JSON.stringify({ ...configuration, store }))
  const { child, output } = start(['--config', 'postgres.json'])
  await expect.poll(output).toMatch(/"code":"ECONNREFUSED","during":"start"/)
  await expect.poll(output).toMatch(/"event":"listening"/)
  const address = /"address":"([^"]*)"/.exec(output())?.[1]
  expect((await fetch(`${address}/readyz`)).status).toBe(503)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

test.each([
  ['127.0.0.1', 'EADDRINUSE'],
  ['not a host', 'ENOTFOUND'],
  ['203.0.113.9', 'EADDRNOTAVAIL'],
])('serve reports that it cannot listen on %s (%s)', async (host, code) => {
  const other = await listen(() => {})
  const port = Number(new URL(other.url).port)
  writeFileSync(join(folder, 'taken.json'), JSON.stringify({ ...configuration, host, port }))
  const { child, output } = start(['--config', 'taken.json'])
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output()).toBe(
    `taken.json:1: port ${host}:${port} cannot be used (${code}). Set "host" to a local address, and "port" to a free port.\n`,
  )
  await other.close()
})

// Promise: fulfilment/dead-letters
test('dead-letters lists what serve could not deliver, and puts it back, by the same configuration', async () => {
  const dead = { ...configuration, store: { sqlite: 'dead.sqlite' } }
  writeFileSync(join(folder, 'dead.json'), JSON.stringify(dead))
  const store = sqliteStore(join(folder, 'dead.sqlite'))
  await store.jobs.add('an order', 'trusted')
  for (const job of await store.jobs.claim('trusted', 1, 1_000)) await store.jobs.bury(job, 'Error: broken')
  const run = async (...words: string[]): Promise<unknown[]> => {
    const { child, output } = start(['--config', 'dead.json', '--json'], node, ['dead-letters', ...words])
    const [code] = await once(child, 'close')
    return [code, JSON.parse(output())]
  }
  expect(await run('list')).toMatchObject([0, [{ key: 'an order', reason: 'Error: broken', attempts: 1 }]])
  expect(await run('redrive', 'another')).toEqual([1, { redriven: 0 }])
  expect(await run('redrive')).toEqual([0, { redriven: 1 }])
  expect(await run('list')).toEqual([0, []])
  // Left to the service: the command has delivered nothing.
  expect(await store.jobs.claim('trusted', 1, 1_000)).toMatchObject([{ key: 'an order', attempt: 1 }])
  await store.close()
})

test('dead-letters reports a database that cannot be reached in one line', async () => {
  const away = { ...configuration, store: { postgres: { env: 'DATABASE_URL' } } }
  writeFileSync(join(folder, 'away.json'), JSON.stringify(away))
  const { child, output } = start(['--config', 'away.json'], node, ['dead-letters', 'list'])
  expect(await once(child, 'close')).toEqual([1, null])
  expect(output()).toBe('away.json:1: store cannot be reached (ECONNREFUSED).\n')
})
