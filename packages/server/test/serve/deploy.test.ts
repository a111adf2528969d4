// Promise: serve/deploy
/** What serve is deployed with: the Dockerfile, its steps run without Docker, and the systemd unit. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../../scripts/freePort.ts'
import { hookSecret } from '../support/hookShop.ts'
import { variables } from '../support/settings.ts'
import { buildImage } from './dockerfile.ts'

const root = join(import.meta.dirname, '../../../..')
const lacksSystemd = process.env.ENGINES !== 'all' && spawnSync('systemd-analyze', ['--version']).status !== 0

test.skipIf(lacksSystemd)('the systemd unit is one that systemd finds nothing wrong with', () => {
  const unit = join(root, 'examples/any-language/purchase-widget.service')
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

test('the steps of the Dockerfile make what serves, also with Postgres', { timeout: 1_800_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dockerfile-'))
  try {
    const image = buildImage(join(root, 'packages/server/Dockerfile'), root, folder)
    const port = await freePort()
    const hook = { url: 'http://127.0.0.1:1/' }
    const configuration = {
      url: 'https://shop.example/api/purchase-widget',
      port,
      store: { sqlite: '../data/purchases.sqlite' },
      secret: { env: 'PURCHASE_HOOK_SECRET' },
      authorize: hook,
      createPurchase: hook,
      onOrder: hook,
    }
    mkdirSync(join(image.root, 'config'))
    writeFileSync(join(image.root, 'config/purchase-widget.json'), JSON.stringify(configuration))
    const [command = '', ...args] = image.command
    const env = { ...image.env, ...variables, PURCHASE_HOOK_SECRET: hookSecret }
    const served = spawn(command, args, { cwd: image.root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [listening] = (await once(served.stdout, 'data')) as [Buffer]
    expect(String(listening)).toContain('"event":"listening"')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const exit = once(served, 'exit')
    served.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    const pg = join(image.root, 'usr/local/lib/node_modules/pg')
    expect(spawnSync(process.execPath, ['-e', `require(${JSON.stringify(pg)})`]).status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
