const { createCompanion, PurchaseRefused } = require('@purchase-widget/server')
const { sqliteStore } = require('@purchase-widget/server/sqlite')

const prices = new Map([['gold-100', '0.99']])
const sessions = new Map([['the-random-id-of-a-session', 'ada']])

exports.companion = createCompanion({
  store: sqliteStore('purchases.sqlite'),
  authorize(request) {
    const session = /session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
    const customId = sessions.get(session)
    return customId ? { customId } : null
  },
  createPurchase({ params: { product_id = '' } }) {
    const price = prices.get(product_id)
    if (!price) throw new PurchaseRefused('We do not sell that any more.')
    const params = { product_id, quote: 'USD', quote_amount: price }
    return { params, returnUrl: '/thanks', failReturnUrl: '/' }
  },
  async onOrder({ order, purchase }) {
    if (order.type !== 'order_complete') return
    if (purchase.state === 'matched' || purchase.state === 'renewal')
      console.log(`Deliver ${order.product_id} for ${order.id}`)
    else console.warn(`Order ${order.id} is paid but ${purchase.state}: look at it before you deliver.`)
  },
})
