// Promise: serve/postgres
/** `serve` over Postgres, as its configuration names it: instances beside one shop are one companion. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Service as Instance, runServe } from '../../src/serve/runServe.ts'
import { readSettings } from '../../src/serve/settings.ts'
import { type HookShop, hookSecret, startHookShop } from '../support/hookShop.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { ask, launch, publicUrl, serviceVariables } from '../support/serving.ts'

describe.skipIf(!hasPostgres)('serve over Postgres', () => {
  let service: Service
  let shop: HookShop
  let postgres: PostgresServer
  let folder: string
  const instances: Instance[] = []

  beforeAll(async () => {
    service = await startService()
    shop = await startHookShop()
    postgres = await startPostgres()
    folder = mkdtempSync(join(tmpdir(), 'serve-postgres-'))
    const file = join(folder, 'purchase-widget.json')
    const configuration = {
      url: publicUrl,
      port: 0,
      store: { postgres: { env: 'DATABASE_URL' } },
      secret: { env: 'PURCHASE_HOOK_SECRET' },
      authorize: { url: `${shop.url}/authorize` },
      createPurchase: { url: `${shop.url}/purchase` },
      onOrder: { url: `${shop.url}/order` },
    }
    writeFileSync(file, JSON.stringify(configuration))
    for (const [name, value] of Object.entries(serviceVariables(service))) vi.stubEnv(name, value)
    const secrets = { PURCHASE_HOOK_SECRET: hookSecret, DATABASE_URL: postgres.url }
    const settings = readSettings(file, { ...process.env, ...secrets })
    for (let count = 0; count < 2; count++) instances.push(await runServe(settings, () => {}))
  })
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    vi.unstubAllEnvs()
    await postgres.close()
    await shop.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('tells at one instance what was begun at another, and delivers its order once', async () => {
    const [first = '', second = ''] = instances.map(({ address }) => address)
    const { location } = await launch(first)
    const params = Object.fromEntries(new URL(location ?? '').searchParams)
    await service.buy(params)
    await ask(second, '/orders')
    await ask(first, '/orders')
    await expect.poll(() => [...shop.delivered.values()]).toEqual(['matched'])
    const id = params.redirect_url?.split('/').pop()
    await expect
      .poll(async () => JSON.parse((await ask(second, `/purchases/${id}`)).text))
      .toMatchObject({ status: 'complete', state: 'matched' })
    expect(shop.delivered.size).toBe(1)
  })

  test('is ready, and not ready while the database is away', async () => {
    const ready = async (): Promise<number> => (await fetch(`${instances[0]?.address}/readyz`)).status
    expect(await ready()).toBe(200)
    await postgres.kill()
    await expect.poll(ready).toBe(503)
    expect((await fetch(`${instances[0]?.address}/healthz`)).status).toBe(200)
    await postgres.start()
    await expect.poll(ready).toBe(200)
  })
})
