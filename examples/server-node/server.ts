/** The companion in plain Node http. It delivers exactly once: `complete` and the delivery are one transaction. */
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { createCompanion, guests, PurchaseRefused, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'

const file = process.env.DATABASE ?? 'shop.sqlite'
/** Placeholder for your catalogue. */
const prices = new Map([['gold-100', '0.99']])

/** The shop's own data. The companion keeps its tables in the same file, with the access token: nobody else may read it. */
if (!existsSync(file)) writeFileSync(file, '', { mode: 0o600 })
const database = new DatabaseSync(file)
database.exec('CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT, shopper TEXT, product_id TEXT)')
const insert = database.prepare('INSERT INTO deliveries VALUES (?, ?, ?)')

const companion = createCompanion({
  store: sqliteStore(file),
  // Everybody is a guest. Your own session says who is signed in.
  authorize: guests({ secret: process.env.SESSION_SECRET }),
  // The page's parameters are untrusted. Your catalogue sets the price.
  createPurchase({ params: { product_id = '' } }) {
    const price = prices.get(product_id)
    if (!price) throw new PurchaseRefused('We do not sell that.')
    const params = { product_id, quote: 'USD', quote_amount: price }
    return { params, returnUrl: '/thanks', failReturnUrl: '/' }
  },
  onOrder({ order, purchase, complete }) {
    if (order.type !== 'order_complete') return
    if (purchase.state !== 'matched' && purchase.state !== 'renewal') {
      console.warn(`Order ${order.id} is paid but ${purchase.state}: review it before you deliver.`)
      return
    }
    database.exec('BEGIN IMMEDIATE')
    try {
      // False when this order was already delivered.
      if (complete(database)) insert.run(order.id, order.custom_id ?? null, order.product_id ?? null)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
    console.log(`Deliver ${order.product_id} for order ${order.id}.`)
  },
})

const server = createServer(toNodeHandler(companion))
server.listen(Number(process.env.PORT ?? 3000), () => console.log('Listening on', server.address()))

process.once('SIGTERM', () => {
  server.close()
  void companion.close()
})
