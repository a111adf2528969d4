// Promise: demo/command
/** The demo's server as a process of its own, stopped as a person would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { expect, test } from 'vitest'
import { environmentOf } from '../../../packages/sandbox/src/environment.ts'
import { readOptions } from '../server/startDemo.ts'

test('the command prints the shop’s address first, then the console’s, and Ctrl-C stops everything', async () => {
  const shop = await startProcess(['--port', '0'])
  expect((await fetch(shop.url)).status).toBe(200)
  const others = (await shop.said(/Ctrl-C/)).match(/http:\/\/\S+/g)?.slice(1) ?? []
  expect(others).not.toEqual([])
  for (const url of others) expect((await fetch(url)).status, url).toBe(200)
  shop.signal('SIGINT')
  const { code, output } = await shop.ended
  expect(code).toBe(0)
  expect(output.match(/http:\/\/\S+/)?.[0]).toBe(shop.url)
  await expect(fetch(shop.url)).rejects.toThrow()
})

test('some of the service’s settings without the others, from the environment and a .env file, is an error that names the missing ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  writeFileSync(join(folder, '.env'), 'PURCHASE_SECRET_KEY=canary-secret\n')
  const given = { PURCHASE_WIDGET_URL: 'https://widget.example', PURCHASE_API_KEY: 'canary-key' }
  const { code, output } = await runToEnd(['--port', '0'], given, folder)
  rmSync(folder, { recursive: true })
  expect(code).toBe(1)
  expect(output).toContain('set PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL.\n')
  expect(output).not.toMatch(/canary|^ {4}at /m)
})

test('an option that does not exist ends the command with what is wrong with it', async () => {
  const { code, output } = await runToEnd(['--prot', '4000'])
  expect(code).toBe(1)
  expect(output).toMatch(/^Unknown option '--prot'/)
  expect(output).not.toContain('    at ')
})

test('a port is a number from 0 to 65535, or left out', () => {
  expect(readOptions(['--port', '65535', '--data', 'kept'])).toEqual({ port: 65_535, dataDir: 'kept' })
  expect(readOptions([])).toEqual({ dataDir: undefined })
  for (const port of ['four', '-1', '1.5', '65536', ''])
    expect(() => readOptions([`--port=${port}`]), port).toThrow('--port must be a number')
})

test('with all of them set the shop sells through that service', async () => {
  const service = await createSandbox()
  const shop = await startProcess(['--port', '0'], environmentOf(service))
  try {
    const policy = (await fetch(shop.url)).headers.get('content-security-policy')
    expect(policy).toContain(service.urls.widgetUrl)
    expect(await (await fetch(shop.url)).text()).toContain('cards are charged')
  } finally {
    shop.signal('SIGINT')
    await shop.ended
    await service.close()
  }
})

const main = join(import.meta.dirname, '..', 'server', 'main.ts')

interface Ended {
  code: number | null
  output: string
}

interface ShopProcess {
  url: string
  /** All that it has said, once that matches. */
  said(pattern: RegExp): Promise<string>
  signal(name: 'SIGINT'): void
  ended: Promise<Ended>
}

type Environment = Record<string, string>

/** Away from the repository, whose .env is the developer's own. */
const elsewhere = import.meta.dirname

/** Runs `main.ts` until it ends by itself. */
async function runToEnd(args: string[], env: Environment = {}, cwd = elsewhere): Promise<Ended> {
  return spawnMain(args, env, cwd).ended
}

/** Runs `main.ts` until it says where it is. */
async function startProcess(args: string[], env: Environment = {}): Promise<ShopProcess> {
  const { child, ended, said } = spawnMain(args, env, elsewhere)
  const url = await Promise.race([
    said(/Open (http:\S+)/).then((output) => `${/Open (http:\S+)/.exec(output)?.[1]}`),
    ended.then(({ output }) => Promise.reject(new Error(output))),
  ])
  return { url, ended, said, signal: (name) => child.kill(name) }
}

function spawnMain(args: string[], env: Environment, cwd: string) {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH: process.env.PATH, ...env } })
  let output = ''
  const collect = (chunk: Buffer): void => {
    output += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output }))

  async function said(pattern: RegExp): Promise<string> {
    for (;;) {
      if (pattern.test(output)) return output
      await once(child.stdout, 'data')
    }
  }
  return { child, ended, said }
}
