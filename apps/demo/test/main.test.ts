// Promise: demo/command
/** The demo's server as a separate process, stopped with Ctrl-C. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { expect, test } from 'vitest'
import { environmentOf } from '../../../packages/sandbox/src/environment.ts'
import { type Environment, type Running, run, start } from '../../../scripts/processes.ts'
import { readOptions } from '../server/startDemo.ts'

const main = join(import.meta.dirname, '..', 'server', 'main.ts')
/** A folder without the developer's own .env. */
const elsewhere = import.meta.dirname

/** Runs `main.ts` until it has printed all its output. */
const startMain = (env: Environment = {}): Promise<Running> =>
  start('node', [main, '--port', '0'], { cwd: elsewhere, env }, (output) => output.includes('Ctrl-C'))

const urlsIn = ({ output }: Running): string[] => output().match(/http:\/\/\S+/g) ?? []

test('the command prints the shop’s address first, then the console’s, and Ctrl-C stops everything', async () => {
  const shop = await startMain()
  const urls = urlsIn(shop)
  expect(shop.output()).toContain(`Open ${urls[0]}\n`)
  expect(urls.length).toBeGreaterThan(1)
  for (const url of urls) expect((await fetch(url)).status, url).toBe(200)
  expect(await shop.stop('SIGINT')).toBe(0)
  for (const url of urls) await expect(fetch(url), url).rejects.toThrow()
})

test('some of the service’s settings without the others, from the environment and a .env file, is an error that names the missing ones', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'demo-'))
  writeFileSync(join(cwd, '.env'), 'PURCHASE_SECRET_KEY=canary-secret\n')
  const env = { PURCHASE_WIDGET_URL: 'https://widget.example', PURCHASE_API_KEY: 'canary-key' }
  const error = await run('node', [main, '--port', '0'], { cwd, env }).catch(String)
  rmSync(cwd, { recursive: true })
  expect(error).toContain('ended with 1:\n')
  expect(error).toContain('set PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL.\n')
  expect(error).not.toMatch(/canary|^ {4}at /m)
})

test('an unknown option ends the command with an error that explains it', async () => {
  const error = await run('node', [main, '--prot', '4000'], { cwd: elsewhere, env: {} }).catch(String)
  expect(error).toContain("ended with 1:\nUnknown option '--prot'")
  expect(error).not.toContain('    at ')
})

test('a port is a number from 0 to 65535, or omitted', () => {
  expect(readOptions(['--port', '65535', '--data', 'kept'])).toEqual({ port: 65_535, dataDir: 'kept' })
  expect(readOptions([])).toEqual({ dataDir: undefined })
  for (const port of ['four', '-1', '1.5', '65536', ''])
    expect(() => readOptions([`--port=${port}`]), port).toThrow('--port must be a number')
})

test('with all the service’s settings, the shop sells through that service', async () => {
  const service = await createSandbox()
  const shop = await startMain(environmentOf(service))
  try {
    const page = await fetch(`${urlsIn(shop)[0]}`)
    expect(page.headers.get('content-security-policy')).toContain(service.urls.widgetUrl)
    expect(await page.text()).toContain('cards are charged')
  } finally {
    await shop.stop()
    await service.close()
  }
})
