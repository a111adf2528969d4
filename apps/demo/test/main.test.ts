import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { expect, test } from 'vitest'
import { settingsOf } from './service.ts'
import { runToEnd, startProcess } from './shopProcess.ts'

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

test('some of the service’s settings without the others is an error that names the missing ones', async () => {
  const { code, output } = await runToEnd(['--port', '0'], {
    PURCHASE_WIDGET_URL: 'https://widget.example',
    PURCHASE_API_KEY: 'canary-key',
  })
  expect(code).toBe(1)
  expect(output).toContain('set PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_SECRET_KEY')
  expect(output).not.toContain('canary-key')
})

test('a .env file counts as the environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  writeFileSync(join(folder, '.env'), 'PURCHASE_SECRET_KEY=canary-secret\n')
  const { code, output } = await runToEnd(['--port', '0'], {}, folder)
  rmSync(folder, { recursive: true })
  expect(code).toBe(1)
  expect(output).toContain(
    'set PURCHASE_WIDGET_URL, PURCHASE_WIDGET_API_URL, PURCHASE_BASE_URL, PURCHASE_API_KEY',
  )
  expect(output).not.toContain('canary-secret')
})

test.each([
  [['--port', 'four'], '--port must be a number'],
  [['--prot', '4000'], "Unknown option '--prot'"],
])('%j is refused with what is wrong with it', async (args, message) => {
  const { code, output } = await runToEnd(args)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(output).not.toContain('    at ')
})

test('with all of them set the shop sells through that service', async () => {
  const service = await createSandbox()
  const shop = await startProcess(['--port', '0'], settingsOf(service))
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
