/** The companion in plain Node http. It delivers exactly once: mark and delivery are one transaction. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { createCompanion, PurchaseRefused, toNodeHandler } from '@purchase-widget/server'
import { sqliteStore } from '@purchase-widget/server/sqlite'

const file = process.env.DATABASE ?? 'shop.sqlite'
/** Stands for your catalogue. */
const prices = new Map([['gold-100', '0.99']])
const DAY = 24 * 60 * 60 * 1000

/** The shop's own data. The companion keeps its tables in the same file. */
const database = new DatabaseSync(file)
database.exec('CREATE TABLE IF NOT EXISTS deliveries (order_id TEXT, shopper TEXT, product_id TEXT)')
const insert = database.prepare('INSERT INTO deliveries VALUES (?, ?, ?)')

const secret = process.env.SESSION_SECRET ?? randomUUID()
/** Who is signed in and until when, signed: nobody else can write such a cookie, and a copy of it ends too. */
const signed = (session: string) =>
  `${session}.${createHmac('sha256', secret).update(session).digest('base64url')}`

function shopperOf(cookies: string): string | undefined {
  const cookie = /(?:^|; )session=([\w.-]+)/.exec(cookies)?.[1] ?? ''
  const [shopper, until] = cookie.split('.')
  const expected = Buffer.from(signed(`${shopper}.${until}`))
  const isGenuine = cookie.length === expected.length && timingSafeEqual(Buffer.from(cookie), expected)
  return isGenuine && Number(until) > Date.now() ? shopper : undefined
}

const companion = createCompanion({
  store: sqliteStore(file),
  // Your session says who is signed in.
  authorize(request) {
    const customId = shopperOf(request.headers.get('cookie') ?? '')
    return customId ? { customId } : null
  },
  // What the page asks for is a wish: your catalogue says what it costs.
  createPurchase({ params: { product_id = '' } }) {
    const price = prices.get(product_id)
    if (!price) throw new PurchaseRefused('We do not sell that.')
    const params = { product_id, quote: 'USD', quote_amount: price }
    return { params, returnUrl: '/thanks', failReturnUrl: '/' }
  },
  onOrder({ order, purchase, complete }) {
    if (order.type !== 'order_complete') return
    if (purchase.state !== 'matched' && purchase.state !== 'renewal') {
      console.warn(`Order ${order.id} is paid but ${purchase.state}: somebody has to look at it.`)
      return
    }
    database.exec('BEGIN IMMEDIATE')
    try {
      // False: this order was delivered before.
      if (complete(database)) insert.run(order.id, order.custom_id ?? null, order.product_id ?? null)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
    console.log(`Deliver ${order.product_id} for order ${order.id}.`)
  },
})

const handle = toNodeHandler(companion)
const server = createServer((request, response) => {
  if (request.url !== '/sign-in') return void handle(request, response)
  // Stands for your sign-in.
  const secure = process.env.NODE_ENV === 'production' ? '; Secure' : ''
  const session = signed(`${randomUUID()}.${Date.now() + DAY}`)
  response.setHeader('set-cookie', `session=${session}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  response.writeHead(204).end()
})
server.listen(Number(process.env.PORT ?? 3000), () => console.log('Listening on', server.address()))

process.once('SIGTERM', () => {
  server.close()
  void companion.close()
})
