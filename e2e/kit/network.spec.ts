// Promise: sandbox/reachable
/**
 * The sandbox is reachable by name from another machine: here from another network namespace, connected only by a virtual cable.
 * Creating one requires root on Linux.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { createControl } from '@purchase-widget/sandbox/testing'
import { start } from '../../scripts/processes.ts'

const canMakeNamespaces = process.getuid?.() === 0 && spawnSync('ip', ['netns', 'list']).status === 0
test.skip(!canMakeNamespaces, 'A network namespace takes root, and ip of iproute2.')

const name = `purchase-widget-${process.pid}`
const cable = { here: `pwh${process.pid}`, there: `pwt${process.pid}` }
const here = '10.231.77.1'
const there = '10.231.77.2'
const ip = (...args: string[]): void => void execFileSync('ip', args)
const inside = (...command: string[]): string[] => ['netns', 'exec', name, ...command]

test.beforeAll(() => {
  ip('netns', 'add', name)
  ip('link', 'add', cable.here, 'type', 'veth', 'peer', 'name', cable.there)
  ip('link', 'set', cable.there, 'netns', name)
  ip('addr', 'add', `${here}/30`, 'dev', cable.here)
  ip('link', 'set', cable.here, 'up')
  ip(...inside('ip', 'addr', 'add', `${there}/30`, 'dev', cable.there))
  for (const device of [cable.there, 'lo']) ip(...inside('ip', 'link', 'set', device, 'up'))
  // `ip netns exec` mounts this over /etc/hosts.
  mkdirSync(`/etc/netns/${name}`, { recursive: true })
  const hosts = [`${here} api.sandbox.test widget.sandbox.test`, `${there} shop.test`, '127.0.0.1 localhost']
  writeFileSync(`/etc/netns/${name}/hosts`, `${hosts.join('\n')}\n`)
})

/** Stops the sandbox even if the scenario fails, because the next one needs its ports. */
let stop = async (): Promise<void> => {}
test.afterEach(() => stop())

test.afterAll(() => {
  spawnSync('ip', ['netns', 'del', name])
  spawnSync('ip', ['link', 'del', cable.here])
  rmSync(`/etc/netns/${name}`, { recursive: true, force: true })
})

/** The sandbox's addresses and keys. */
const sandboxEnv = {
  PURCHASE_SANDBOX_HOST: here,
  PURCHASE_SANDBOX_API_PUBLIC_URL: 'http://api.sandbox.test:4010',
  PURCHASE_SANDBOX_WIDGET_PUBLIC_URL: 'http://widget.sandbox.test:4011',
  PURCHASE_SANDBOX_API_KEY: 'key_from_environment',
  PURCHASE_SANDBOX_SECRET_KEY: 'secret_from_environment',
}

test('a shop on another machine sells, with keys from the environment and a seed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const seed = join(folder, 'seed.json')
  writeFileSync(seed, JSON.stringify({ users: [{ email: 'grace@example.com', fullKyc: true }] }))
  const cli = join(import.meta.dirname, '../../packages/sandbox/src/cli.ts')
  const sandbox = await start(
    process.execPath,
    [cli, '--env', '--seed', seed],
    { cwd: folder, env: sandboxEnv },
    (output) => output.includes('\n'),
  )
  stop = async () => {
    await sandbox.stop()
    rmSync(folder, { recursive: true })
  }
  const env = { ...process.env, ...variablesIn(sandbox.output()), PORT: '3000' }
  expect(env).toMatchObject({ PURCHASE_API_KEY: 'key_from_environment' })
  const program = join(import.meta.dirname, 'otherMachine.ts')
  const run = (more: Record<string, string>) =>
    promisify(execFile)('ip', inside(process.execPath, program), { env: { ...env, ...more } })

  const hosts = 'api.sandbox.test, widget.sandbox.test, shop.test'
  const { stdout } = await run({ PURCHASE_PLAIN_HTTP_HOSTS: hosts })
  // Once by the companion's link, once from a page's script.
  expect(stdout).toBe('Thank you\n'.repeat(2))
  const control = createControl(`http://${here}:4010/_sandbox`)
  const bought = { type: 'order_complete', email: 'grace@example.com' }
  expect(await control.orders()).toMatchObject([bought, bought])

  // In production, plain-http addresses are refused regardless of the environment.
  const production = { NODE_ENV: 'production', PURCHASE_PLAIN_HTTP_HOSTS: hosts }
  for (const refusing of [production, { PURCHASE_PLAIN_HTTP_HOSTS: '' }])
    await expect(run(refusing)).rejects.toThrow('must use https')
  expect(await control.orders()).toHaveLength(2)
})

const variablesIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
