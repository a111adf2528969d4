/**
 * `GET /launch` through `purchase-widget serve`, with hooks on the same machine, beside the same companion embedded in a Node server; and the
 * memory that each holds at rest and afterwards.
 *
 *     node bench/serve.ts [seconds]     default 10; 3600 for an hour of load
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from '@purchase-widget/sandbox'
import { createCompanion, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import autocannon from 'autocannon'
import { runServe } from '../packages/server/src/serve/runServe.ts'
import { startHookShop } from '../packages/server/test/support/hookShop.ts'
import { publicUrl, settingsFor } from '../packages/server/test/support/serving.ts'

const SHOPPERS = 1_000
const [first = '10', ...rest] = process.argv.slice(2)
const rateLimit = { perShopper: 100_000, perAddress: 100_000 }

if (process.send) await serveAs(first, rest[0] ?? '', rest[1] ?? '')
else await compare(Number(first))

/** In a process of its own: one of the two, which says where it listens. */
async function serveAs(kind: string, hooks: string, folder: string): Promise<void> {
  if (kind === 'serve') {
    const { address } = await runServe(settingsFor(hooks, folder, { rateLimit }), () => {})
    process.send?.(address)
    return
  }
  const companion = createCompanion({
    url: publicUrl,
    store: sqliteStore(join(folder, 'purchases.sqlite')),
    authorize: ({ headers }) => ({ customId: /shopper=(\w+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '' }),
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }),
    rateLimit,
  })
  const server = createServer(toNodeHandler(companion, { trustProxy: ['127.0.0.1'] }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function compare(seconds: number): Promise<void> {
  const { urls, credentials, close } = await createSandbox()
  const shop = await startHookShop()
  const rows: Record<string, object> = {}
  for (const kind of ['embedded', 'serve']) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'))
    const env = {
      ...process.env,
      NODE_ENV: 'production',
      PURCHASE_WIDGET_URL: urls.widgetUrl,
      PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
      PURCHASE_BASE_URL: urls.baseUrl,
      PURCHASE_API_KEY: credentials.apiKey,
      PURCHASE_SECRET_KEY: credentials.secretKey,
    }
    const server = fork(import.meta.filename, [kind, shop.url, folder], { env })
    const [address] = (await once(server, 'message')) as [string]
    const atRest = memoryOf(server)
    rows[kind] = {
      ...(await load(address, seconds)),
      'MB at rest': atRest,
      'MB afterwards': memoryOf(server),
    }
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  console.table(rows)
  await shop.close()
  await close()
}

const memoryOf = ({ pid }: ChildProcess): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)

async function load(address: string, duration: number): Promise<object> {
  const result = await autocannon({
    url: `${address}/api/purchase-widget/launch?product_id=gold-100`,
    connections: 20,
    duration,
    // An address for each shopper, as a proxy passes it on: the limits count them.
    requests: Array.from({ length: SHOPPERS }, (_, shopper) => ({
      headers: {
        cookie: `shopper=shopper${shopper}`,
        host: new URL(publicUrl).host,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `10.0.${shopper >> 8}.${shopper & 255}`,
      },
    })),
  })
  const { requests, latency } = result
  return {
    'requests/s': Math.round(requests.average),
    'p50 ms': latency.p50,
    'p99 ms': latency.p99,
    '303': result['3xx'],
    other: requests.total - result['3xx'],
  }
}
