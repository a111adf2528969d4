/**
 * A merchant's server as a process that can be killed: companion, store, and a shelf in the same database, without any unique key, which
 * accepts every delivery. It kills itself at a given moment.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCompanion, createPurchaseClient, toNodeHandler } from '../../src/index.ts'
import type { Store } from '../../src/stores/store.ts'
import { openShelf } from './shelf.ts'
import type { Moment, ShopMessage, ShopSettings } from './shopFleet.ts'

const settings = JSON.parse(process.argv[2] ?? '') as ShopSettings
let times = settings.dies?.times ?? 0

function mayDie(moment: Moment): void {
  if (settings.dies?.at === moment && --times === 0) process.kill(process.pid, 'SIGKILL')
}

function tell(message: ShopMessage): void {
  if (process.connected) process.send?.(message)
}
process.once('disconnect', () => process.exit())
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  tell({ usage: { heapUsed, rss, cpu: (user + system) / 1e6 } })
})

const shelf = await openShelf(settings.database)
const companion = createCompanion({
  pageToken: true,
  client: createPurchaseClient(settings.client),
  store: mortal(shelf.store),
  authorize(request) {
    const customId = /shopper=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    return customId ? { customId } : null
  },
  url: 'https://shop.example/api/purchase-widget',
  allowedOrigins: ['https://shop.example'],
  rateLimit: { perShopper: 1_000_000, perAddress: 1_000_000 },
  onOrderTimeout: 10_000,
  onError: (error) => tell({ error: String(error) }),
  createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
  async onOrder({ order, purchase, complete }) {
    mayDie('before onOrder')
    await shelf.deliver({
      call: { order_id: order.id, type: order.type },
      delivery: order.type === 'order_complete' ? { order_id: order.id, state: purchase.state } : null,
      complete: settings.completes ? complete : () => true,
      beforeCommit: () => mayDie('in onOrder'),
    })
    mayDie('after onOrder')
  },
})

/** The store, with the moments at which the process may kill itself. */
function mortal(store: Store): Store {
  const { handled, jobs } = store
  return {
    ...store,
    handled: {
      ...handled,
      async add(record) {
        mayDie('before the record')
        const isNew = await handled.add(record)
        mayDie('after the record')
        return isNew
      },
      addWithin(transaction, record) {
        mayDie('before the record')
        const isNew = handled.addWithin?.(transaction, record) ?? false
        if (typeof isNew === 'boolean') mayDie('after the record')
        else isNew.then(() => mayDie('after the record')).catch(() => {})
        return isNew
      },
    },
    jobs: {
      ...jobs,
      async complete(job) {
        await jobs.complete(job)
        mayDie('after the job')
      },
    },
  }
}

const server = createServer(toNodeHandler(companion))
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }))

// A deploy: no new requests, and running work is finished.
process.once('SIGTERM', async () => {
  server.close()
  await companion.close()
  await shelf.close()
  process.exit()
})
