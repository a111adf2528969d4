// Promise: serve/command
/** `purchase-widget serve` as a person starts it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
): { child: ChildProcess; output: () => string } {
  const env = {
    PATH: process.env.PATH,
    PURCHASE_HOOK_SECRET: hookSecret,
    DATABASE_URL: 'postgres://127.0.0.1:1/shop',
    NODE_ENV: 'production',
    ...serviceVariables(service),
  }
  const child = spawn(program, [...before, cli, 'serve', ...args], { env, cwd: folder })
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
