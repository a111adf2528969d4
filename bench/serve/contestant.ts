/** A process with one of the two servers: it says where it listens, and when asked how much memory and processor time it has used. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCompanion, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'
import { createLog } from '../../packages/server/src/serve/log.ts'
import { runServe } from '../../packages/server/src/serve/runServe.ts'
import { publicUrl, settingsFor } from '../../packages/server/test/support/serving.ts'

/** What a process has used. */
export interface Usage {
  /** Bytes of live objects, after a collection. */
  heap: number
  /** Bytes of the whole process. */
  resident: number
  cpuMicroseconds: number
}

const [kind, hooks = '', folder = ''] = process.argv.slice(2)
const rateLimit = { perShopper: 100_000, perAddress: 100_000 }

async function serve(): Promise<string> {
  const settings = settingsFor(hooks, folder, { rateLimit })
  const { address } = await runServe(settings, createLog(tellFailure))
  return address
}

async function embedded(): Promise<string> {
  const companion = createCompanion({
    url: publicUrl,
    store: sqliteStore(join(folder, 'purchases.sqlite')),
    authorize: ({ headers }) => ({
      customId: /shopper=([\w-]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '',
    }),
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '0.99' } }),
    onOrder: () => {},
    rateLimit,
  })
  const server = createServer(toNodeHandler(companion, { trustProxy: ['127.0.0.1'] }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const tellFailure = (line: string): void => {
  if (line.includes('"level":"error"')) console.error(line)
}

function usage(): Usage {
  global.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { heap: heapUsed, resident: rss, cpuMicroseconds: user + system }
}

process.send?.(await (kind === 'serve' ? serve() : embedded()))
process.on('message', () => process.send?.(usage()))
