// Promise: sandbox/cli
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hintFor, readCommand } from '../src/commandLine.ts'
import { createSandbox } from '../src/index.ts'
import type { SandboxOptions } from '../src/options.ts'
import { freePorts, launchCli, runCli, startCli } from './support/cli.ts'

test('--json prints one line with the addresses and keys, and what it names answers', async () => {
  const cli = await startCli(['--json'])
  expect(Object.keys(cli.ready)).toEqual([
    'widgetUrl',
    'widgetApiUrl',
    'baseUrl',
    'controlUrl',
    'apiKey',
    'secretKey',
  ])
  const response = await fetch(`${cli.ready.widgetApiUrl}/api/widget/refresh/access_token`, {
    method: 'POST',
    headers: {
      'api-key': cli.ready.apiKey,
      'secret-key': cli.ready.secretKey,
      'Content-Type': 'application/json',
    },
    body: '{"expirationDays":"7"}',
  })
  expect(response.status).toBe(200)
  cli.process.kill('SIGTERM')
  expect(await cli.exited).toBe(0)
})

test('without --json it tells a person where everything is', async () => {
  const cli = launchCli([...freePorts])
  await expect.poll(() => cli.output.stdout).toContain('Ctrl-C')
  const [, origin = ''] = /API +(http:\S+)\n/.exec(cli.output.stdout) ?? []
  expect((await fetch(`${origin}/_sandbox/openapi.json`)).status).toBe(200)
  expect(cli.output.stdout).toMatch(/\nPURCHASE_API_KEY=sandbox_api_key_\w+\n/)
  expect(cli.output.stderr).toBe('')
  cli.process.kill()
  expect(await cli.exited).toBe(0)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} stops it cleanly, also with requests that hang`, async () => {
    const cli = await startCli(['--json'])
    const headers = { 'Content-Type': 'application/json' }
    const fault = JSON.stringify({ operation: 'getOrderHistory', kind: 'latency', latencyMs: 600_000 })
    await fetch(`${cli.ready.controlUrl}/faults`, { method: 'POST', headers, body: fault })
    const hanging = fetch(`${cli.ready.baseUrl}/api/widget/order_history`).catch(() => 'cut')
    const faults = async (): Promise<unknown> => (await fetch(`${cli.ready.controlUrl}/faults`)).json()
    await expect.poll(faults).toHaveLength(1)
    cli.process.kill(signal)
    expect(await cli.exited).toBe(0)
    expect(await hanging).toBe('cut')
  })

/** What the sandbox is created with. */
function optionsOf(args: string[], env: Record<string, string> = {}): SandboxOptions {
  const command = readCommand(args, env)
  if (!command) throw new Error('That asks for help.')
  return command.options
}

test('--port and --widget-port are used, and a busy one is a clear error that leaves nothing running', async () => {
  expect(optionsOf(['--port', '5010', '--widget-port', '5011'])).toMatchObject({
    port: 5010,
    widgetPort: 5011,
  })
  const busy = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const address = busy.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { code, stdout, stderr } = await runCli([...freePorts, '--port', port, '--json'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(`Port ${port} is taken. Stop what listens there, or set`)
  busy.close()
})

test('wrong options are reported, and --help lists the options', async () => {
  expect(await runCli(['--port', 'http'])).toMatchObject({
    code: 1,
    stderr: '--port must be a number from 0 to 65535, not "http".\n',
  })
  expect(await runCli(['--prot', '1'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("'--prot'"),
  })
  const help = await runCli(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const option of [
    '--port',
    '--widget-port',
    '--host',
    '--api-public-url',
    '--db',
    '--seed',
    '--webhook',
    '--webhook-host',
    '--env',
  ])
    expect(help.stdout).toContain(option)
})

test('a file that is not a database is reported by name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const notADatabase = join(folder, 'notes.txt')
  await writeFile(
    notADatabase,
    'These are no tables, and long enough to be read as a header of a file.'.repeat(20),
  )
  const { code, stderr } = await runCli(['--db', notADatabase])
  expect([code, stderr]).toEqual([1, expect.stringContaining(notADatabase)])
  await rm(folder, { recursive: true })
})

test('--webhook registers one address, once, and also after a reset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const url = 'http://127.0.0.1:9/webhook/key'
  const args = ['--webhook', url, '--db', join(folder, 'shop.db'), '--json']
  for (let start = 0; start < 2; start++) {
    const cli = await startCli(args)
    const webhooks = async (): Promise<unknown> => (await fetch(`${cli.ready.controlUrl}/webhooks`)).json()
    expect(await webhooks()).toMatchObject({ targets: [{ url }] })
    await fetch(`${cli.ready.controlUrl}/reset`, { method: 'POST' })
    expect(await webhooks()).toMatchObject({ targets: [{ url }] })
    cli.process.kill()
    await cli.exited
  }
  await rm(folder, { recursive: true })
})

test('--db keeps everything for the next start, and two at once on one file are a clear error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const db = join(folder, 'shop.db')
  const first = await startCli(['--db', db, '--json'])
  const post = (path: string, body: unknown, method = 'POST'): Promise<Response> =>
    fetch(`${first.ready.controlUrl}/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const order = await (await post('purchases', { params: { product_id: 'club-monthly' } })).json()
  await post('switches', { coop: 'same-origin' }, 'PATCH')
  await post('clock', { advanceSeconds: 86_400 })
  await expect(createSandbox({ db })).rejects.toThrow(/Another sandbox has it open/)
  first.process.kill()
  await first.exited
  expect(await readdir(folder)).toEqual(['shop.db'])

  const second = await createSandbox({ db })
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${second.urls.controlUrl}/${path}`)).json()
  expect(second.credentials).toEqual({ apiKey: first.ready.apiKey, secretKey: first.ready.secretKey })
  expect(await get('orders')).toEqual([order])
  expect(await get('switches')).toContainEqual(
    expect.objectContaining({ name: 'coop', value: 'same-origin' }),
  )
  expect(await get('clock')).toMatchObject({ offset_ms: 86_400_000 })
  await second.close()
  await rm(folder, { recursive: true })
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
  cli.process.kill()
  await cli.exited
})

test('on every address without public ones it says what other machines need, and on stderr alone', async () => {
  const publicly = ['--api-public-url', 'http://a.example', '--widget-public-url', 'http://w.example']
  const hint = /^The sandbox listens .*--host ADDRESS.*--api-public-url.*--widget-public-url\.\n?$/
  expect(hintFor(optionsOf(['--host', '::', ...publicly.slice(0, 2)]))).toMatch(hint)
  expect(hintFor(optionsOf(['--host', '0.0.0.0', ...publicly]))).toBeUndefined()
  expect(hintFor(optionsOf([]))).toBeUndefined()
  const cli = launchCli([...freePorts, '--host', '0.0.0.0', '--json'])
  await expect.poll(() => cli.output.stdout).toContain('\n')
  expect(JSON.parse(cli.output.stdout)).toHaveProperty('baseUrl')
  expect(cli.output.stderr).toMatch(hint)
  cli.process.kill()
  await cli.exited
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
  expect(
    optionsOf(['--widget-port', '0', '--webhook-host', 'c.example', '--webhook-host', 'd.example'], env),
  ).toMatchObject({
    webhookHosts: ['c.example', 'd.example'],
  })
  expect(optionsOf(['--widget-port', '0', '--secret-key', 'from_option'], env)).toMatchObject({
    port: 0,
    widgetPort: 0,
    apiKey: 'from_environment',
    secretKey: 'from_option',
    widgetPublicUrl: 'https://widget.example/',
    webhookHosts: ['a.example', 'b.example'],
  })
})

test('--seed gives it users and orders to start with, and a file that is none is a clear error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  const file = join(folder, 'seed.json')
  await writeFile(file, JSON.stringify({ purchases: [{ email: 'ada@example.com' }] }))
  const cli = await startCli(['--json', '--seed', file])
  const orders = await (await fetch(`${cli.ready.controlUrl}/orders`)).json()
  expect(orders).toMatchObject([{ type: 'order_complete', email: 'ada@example.com' }])
  cli.process.kill()
  await cli.exited

  await writeFile(file, '{ "purchase": [] }')
  await expect(createSandbox({ ...optionsOf(['--seed', file]), port: 0, widgetPort: 0 })).rejects.toThrow(
    'seed.purchase',
  )
  expect(() => optionsOf(['--seed', `${file}.none`])).toThrow(`${file}.none`)
  await rm(folder, { recursive: true })
})
