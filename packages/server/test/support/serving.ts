/** `serve` in this process, over the real sandbox and a shop's hooks. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurationSchema } from '../../src/serve/configuration.ts'
import { createLog } from '../../src/serve/log.ts'
import { runServe } from '../../src/serve/runServe.ts'
import type { Settings } from '../../src/serve/settings.ts'
import { hookSecret } from './hookShop.ts'
import type { Service } from './service.ts'

export interface Serving {
  address: string
  /** The log's lines, as objects. */
  log: Record<string, unknown>[]
  close(): Promise<void>
}

export const publicUrl = 'https://shop.example/api/purchase-widget'

/** Variables that a companion takes its client from. */
export const serviceVariables = ({ urls, credentials }: Service): Record<string, string> => ({
  PURCHASE_WIDGET_URL: urls.widgetUrl,
  PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
  PURCHASE_BASE_URL: urls.baseUrl,
  PURCHASE_API_KEY: credentials.apiKey,
  PURCHASE_SECRET_KEY: credentials.secretKey,
})

/** As the configuration of a shop with these hooks has them. */
export function settingsFor(hooks: string, folder: string, changes: Record<string, unknown> = {}): Settings {
  const configuration = configurationSchema.parse({
    url: publicUrl,
    port: 0,
    secret: { env: 'PURCHASE_HOOK_SECRET' },
    authorize: { url: `${hooks}/authorize`, timeoutMs: 2_000 },
    createPurchase: { url: `${hooks}/purchase`, timeoutMs: 2_000 },
    onOrder: { url: `${hooks}/order`, timeoutMs: 2_000 },
    ...changes,
  })
  return {
    configuration,
    secret: hookSecret,
    jwtSecret: null,
    postgresUrl: null,
    sqliteFile: join(folder, 'purchases.sqlite'),
    catalogue: null,
  }
}

export async function startServing(hooks: string, changes: Record<string, unknown> = {}): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'serving-'))
  const log: Record<string, unknown>[] = []
  const service = await runServe(
    settingsFor(hooks, folder, changes),
    createLog((line) => log.push(JSON.parse(line))),
  )
  return {
    address: service.address,
    log,
    async close() {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
