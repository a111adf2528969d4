/** `serve` in this process, with the real sandbox and a shop's hooks. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
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

/** Variables from which a companion creates its client. */
export const serviceVariables = ({ urls, credentials }: Service): Record<string, string> => ({
  PURCHASE_WIDGET_URL: urls.widgetUrl,
  PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
  PURCHASE_BASE_URL: urls.baseUrl,
  PURCHASE_API_KEY: credentials.apiKey,
  PURCHASE_SECRET_KEY: credentials.secretKey,
})

/** The values for the configuration of a shop with these hooks. */
export function settingsFor(hooks: string, folder: string, changes: Record<string, unknown> = {}): Settings {
  process.env.PURCHASE_HOOK_SECRET = hookSecret
  const configuration = configurationSchema.parse({
    url: publicUrl,
    port: 0,
    secret: { env: 'PURCHASE_HOOK_SECRET' },
    // A busy machine may answer slowly; a delivery is retried.
    authorize: { url: `${hooks}/authorize`, timeoutMs: 20_000 },
    createPurchase: { url: `${hooks}/purchase`, timeoutMs: 20_000 },
    onOrder: { url: `${hooks}/order`, timeoutMs: 2_000 },
    ...changes,
  })
  return {
    configuration,
    sqliteFile: join(folder, 'purchases.sqlite'),
    catalogue: null,
    mistakeAt: (path, problem) => ({ file: 'purchase-widget.json', line: 1, path: path.join('.'), problem }),
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

export interface Answered {
  status: number
  location: string | null
  retryAfter: string | null
  text: string
}

/** Calls the companion like a proxy with a shopper's request; manually, since `fetch` sends fetch metadata of its own. */
export async function ask(
  address: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const { host, pathname } = new URL(publicUrl)
  const asked = request(address + pathname + path, {
    headers: { cookie: 'shopper=shopper-1', host, ...headers },
  })
  const [response] = (await once(asked.end(), 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  const { location = null, 'retry-after': retryAfter = null } = response.headers
  return { status: response.statusCode ?? 0, location, retryAfter, text }
}

/** Follows the link like a navigation of the shop's page. */
export const launch = (
  address: string,
  product = 'gold-100',
  headers: Record<string, string> = {},
): Promise<Answered> =>
  ask(address, `/launch?product_id=${product}`, {
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
    'sec-fetch-site': 'same-origin',
    ...headers,
  })
