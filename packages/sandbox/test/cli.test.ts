// Promise: sandbox/cli
/** The CLI: its output and options, the built package on its own, and the error on a Node that is too old. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { hintFor, readCommand } from '../src/commandLine.ts'
import { createSandbox } from '../src/index.ts'
import type { SandboxOptions } from '../src/options.ts'
import { createControl } from '../src/testing/index.ts'
import { freePorts, launchCli, runCli, startCli } from './support/cli.ts'
import { test } from './support/service.ts'

test('--json prints one line with the addresses and keys, and these addresses respond', async () => {
  const { ready, stop } = await startCli([])
  const names = ['widgetUrl', 'widgetApiUrl', 'baseUrl', 'controlUrl', 'apiKey', 'secretKey']
  expect(Object.keys(ready)).toEqual(names)
  const { status } = await fetch(`${ready.widgetApiUrl}/api/widget/refresh/access_token`, {
    method: 'POST',
    headers: { 'api-key': ready.apiKey, 'secret-key': ready.secretKey, 'Content-Type': 'application/json' },
    body: '{"expirationDays":"7"}',
  })
  expect(status).toBe(200)
  expect(await stop('SIGTERM')).toBe(0)
})

test('without --json it prints the addresses for people', async () => {
  const cli = launchCli([...freePorts])
  await expect.poll(() => cli.output.stdout).toContain('Ctrl-C')
  const [, origin = ''] = /API +(http:\S+)\n/.exec(cli.output.stdout) ?? []
  expect((await fetch(`${origin}/_sandbox/openapi.json`)).status).toBe(200)
  expect(cli.output.stdout).toMatch(/\nPURCHASE_API_KEY=sandbox_api_key_\w+\n/)
  expect(cli.output.stderr).toBe('')
  expect(await cli.stop()).toBe(0)
})

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s stops it cleanly, even with hanging requests',
  async (signal) => {
    const { ready, stop } = await startCli([])
    const { faults } = createControl(ready.controlUrl)
    await faults.set({ operation: 'getOrderHistory', kind: 'latency', latencyMs: 600_000 })
    const hanging = fetch(`${ready.baseUrl}/api/widget/order_history`).catch(() => 'cut')
    await expect.poll(() => faults.list()).toHaveLength(1)
    expect(await stop(signal)).toBe(0)
    expect(await hanging).toBe('cut')
  },
)

/** The options with which the CLI creates the sandbox. */
function optionsOf(args: string[], env: Record<string, string> = {}): SandboxOptions {
  const command = readCommand(args, env)
  if (!command) throw new Error('That asks for help.')
  return command.options
}

test('a busy port is a clear error that leaves nothing running', async ({ sandbox }) => {
  const { port } = new URL(sandbox.urls.baseUrl)
  const { code, stdout, stderr } = await runCli([...freePorts, '--port', port, '--json'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(`Port ${port} is taken. Stop what listens there, or set`)
})

test('wrong options are reported, and --help lists the options', async () => {
  const notANumber = '--port must be a number from 0 to 65535, not "http".\n'
  expect(await runCli(['--port', 'http'])).toMatchObject({ code: 1, stderr: notANumber })
  const unknown = expect.stringContaining("'--prot'")
  expect(await runCli(['--prot', '1'])).toMatchObject({ code: 1, stderr: unknown })
  const help = await runCli(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const option of 'port widget-port host api-public-url db seed webhook webhook-host env'.split(' '))
    expect(help.stdout).toContain(`--${option}`)
})

test('a file that is not a database is reported by name', async ({ folder }) => {
  const notADatabase = join(folder, 'notes.txt')
  await writeFile(notADatabase, 'These are no tables, and more than a header of a file.'.repeat(20))
  const { code, stderr } = await runCli(['--db', notADatabase])
  expect([code, stderr]).toEqual([1, expect.stringContaining(notADatabase)])
})

test('--webhook registers one address, once, and also after a reset', async ({ folder }) => {
  const url = 'http://127.0.0.1:9/webhook/key'
  for (let start = 0; start < 2; start++) {
    const { ready, stop } = await startCli(['--webhook', url, '--db', join(folder, 'shop.db')])
    const webhooks = async (): Promise<unknown> => (await fetch(`${ready.controlUrl}/webhooks`)).json()
    expect(await webhooks()).toMatchObject({ targets: [{ url }] })
    await fetch(`${ready.controlUrl}/reset`, { method: 'POST' })
    expect(await webhooks()).toMatchObject({ targets: [{ url }] })
    await stop()
  }
})

test('--db keeps everything for the next start, and two at once on one file are a clear error', async ({
  start,
  folder,
}) => {
  const db = join(folder, 'shop.db')
  const { ready, stop } = await startCli(['--db', db])
  const first = createControl(ready.controlUrl)
  const order = await first.buy({ params: { product_id: 'club-monthly' } })
  await first.switches.set({ coop: 'same-origin' })
  await first.clock.advance('1 day')
  await expect(createSandbox({ db })).rejects.toThrow(/Another sandbox has it open/)
  await stop()
  expect(await readdir(folder)).toEqual(['shop.db'])

  const second = await start({ db })
  expect(second.credentials).toEqual({ apiKey: ready.apiKey, secretKey: ready.secretKey })
  expect(await second.orders()).toEqual([order])
  expect((await second.switches.list()).find(({ name }) => name === 'coop')?.value).toBe('same-origin')
  expect(await second.service.read('clock')).toMatchObject({ offset_ms: 86_400_000 })
})

test('--env prints what a server needs in its .env, with keys and addresses of the environment too', async () => {
  const cli = launchCli([...freePorts, '--env', '--secret-key', 'my_secret'], {
    PURCHASE_SANDBOX_API_KEY: 'my_key',
    PURCHASE_SANDBOX_WIDGET_PUBLIC_URL: 'https://widget.example/',
  })
  await expect.poll(() => cli.output.stdout).toContain('SECRET_KEY')
  expect(cli.output.stdout).toMatch(
    /^PURCHASE_WIDGET_URL=https:\/\/widget\.example\nPURCHASE_WIDGET_API_URL=(http:\S+)\nPURCHASE_BASE_URL=\1\nPURCHASE_API_KEY=my_key\nPURCHASE_SECRET_KEY=my_secret\n$/,
  )
  await cli.stop()
})

test('on all addresses without public URLs, stderr alone names the options that other machines need', async () => {
  const publicly = ['--api-public-url', 'http://a.example', '--widget-public-url', 'http://w.example']
  const hint = /^The sandbox listens .*--host ADDRESS.*--api-public-url.*--widget-public-url\.\n?$/
  expect(hintFor(optionsOf(['--host', '::', ...publicly.slice(0, 2)]))).toMatch(hint)
  expect(hintFor(optionsOf(['--host', '0.0.0.0', ...publicly]))).toBeUndefined()
  expect(hintFor(optionsOf([]))).toBeUndefined()
  const cli = launchCli([...freePorts, '--host', '0.0.0.0', '--json'])
  await expect.poll(() => cli.output.stdout).toContain('\n')
  expect(JSON.parse(cli.output.stdout)).toHaveProperty('baseUrl')
  expect(cli.output.stderr).toMatch(hint)
  await cli.stop()
})

test('the environment sets what no option does, and an option wins', () => {
  const env = {
    PURCHASE_SANDBOX_PORT: '0',
    PURCHASE_SANDBOX_WIDGET_PORT: 'http',
    PURCHASE_SANDBOX_API_KEY: 'from_environment',
    PURCHASE_SANDBOX_SECRET_KEY: 'from_environment',
    PURCHASE_SANDBOX_WIDGET_PUBLIC_URL: 'https://widget.example/',
    PURCHASE_SANDBOX_WEBHOOK_HOST: 'a.example, b.example',
  }
  expect(optionsOf(['--widget-port', '5011', '--secret-key', 'from_option'], env)).toMatchObject({
    port: 0,
    widgetPort: 5011,
    apiKey: 'from_environment',
    secretKey: 'from_option',
    widgetPublicUrl: 'https://widget.example/',
    webhookHosts: ['a.example', 'b.example'],
  })
  const hosts = optionsOf(['--port', '5010', '--webhook-host', 'c.example', '--webhook-host', 'd.example'])
  expect(hosts).toMatchObject({ port: 5010, webhookHosts: ['c.example', 'd.example'] })
})

test('--seed creates users and orders at the start, and an invalid file is a clear error', async ({
  folder,
}) => {
  const file = join(folder, 'seed.json')
  await writeFile(file, JSON.stringify({ purchases: [{ email: 'ada@example.com' }] }))
  const cli = await startCli(['--seed', file])
  const orders = await (await fetch(`${cli.ready.controlUrl}/orders`)).json()
  expect(orders).toMatchObject([{ type: 'order_complete', email: 'ada@example.com' }])
  await cli.stop()

  await writeFile(file, '{ "purchase": [] }')
  await expect(createSandbox({ ...optionsOf(['--seed', file]), port: 0, widgetPort: 0 })).rejects.toThrow(
    'seed.purchase',
  )
  expect(() => optionsOf(['--seed', `${file}.none`])).toThrow(`${file}.none`)
})

// Promise: sandbox/built
test('the command has been built', () => {
  expect(existsSync(join(import.meta.dirname, '../dist/cli.js')), 'Run node scripts/build.ts sandbox.').toBe(
    true,
  )
})

test('the built package starts alone, so that a start loads no other package’s files', async ({ folder }) => {
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(import.meta.dirname, '..', part), join(folder, part), { recursive: true })
  const cli = await startCli([], join(folder, 'bin/sandbox.cjs'))
  expect(await cli.stop()).toBe(0)
})

/** Simulates an old Node by removing what it lacks. */
const pretend = `
  Object.defineProperty(process.versions, 'node', { value: '20.19.4' })
  process.getBuiltinModule = () => undefined
`

test.for(['index', 'testing/index', 'testing/playwright'])(
  'src/%s.ts reports its requirement when an old Node imports it',
  (entry) => {
    const file = join(import.meta.dirname, `../src/${entry}.ts`)
    const script = `${pretend}; import(${JSON.stringify(file)}).catch(({ message }) => console.log(message))`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
    expect([stdout, stderr]).toEqual([
      'The sandbox needs Node 22.13 or newer, and this is Node 20.19.4.\n',
      '',
    ])
  },
)

// Promise: cli/old-node
test('the launcher says in one sentence that Node is too old, before it loads anything else', () => {
  const launcher = join(import.meta.dirname, '../bin/sandbox.cjs')
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.19.4' });"
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['-e', `${pretend} require(${JSON.stringify(launcher)})`],
    { encoding: 'utf8' },
  )
  expect([stdout, stderr, status]).toEqual([
    '',
    'The sandbox needs Node 22.13 or newer, and this is Node 20.19.4.\n',
    1,
  ])
})
