/**
 * A merchant's server as a process that can be killed: companion, store, and a shelf in the same database, without any unique key, which
 * accepts every delivery. It kills itself at a given moment.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCompanion, createPurchaseClient, type Order, toNodeHandler } from '../../src/index.ts'
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

const { onOrderTimeout = 10_000, waits = 1 } = settings

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
  onOrderTimeout,
  onError: (error, { orderId = '', attempt = 0 } = { during: 'fulfilment' }) =>
    tell({ error: String(error), orderId, attempt }),
  createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
  async onOrder({ order, purchase, complete }) {
    await meetFate(order)
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

/** The shopper's name begins with what `onOrder` does: throws or hangs each time; or, the first time only, hangs, is late, or stops the process. */
async function meetFate({ id, type, custom_id = '' }: Order): Promise<void> {
  const fate = /^(poisoned|hung|once|late|frozen)-/.exec(custom_id)?.[1]
  if (fate === undefined) return
  await shelf.deliver({ call: { order_id: id, type }, delivery: null, complete: () => true })
  if (fate === 'poisoned') throw new Error('poisoned')
  if (fate === 'hung') await new Promise(() => {})
  if ((await shelf.count(`SELECT count(*) FROM calls WHERE order_id = '${id}'`)) > 1) return
  if (fate === 'once') await new Promise(() => {})
  if (fate === 'late') await sleep(3 * onOrderTimeout)
  if (fate === 'frozen') process.kill(process.pid, 'SIGSTOP')
}

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
      retry: (job, delayMs) => jobs.retry(job, Math.round(delayMs * waits)),
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
