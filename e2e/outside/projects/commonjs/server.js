/** A shop in CommonJS. */
const express = require('express')
const { createCompanion, PurchaseRefused, toNodeHandler } = require('@purchase-widget/server')
const { sqliteStore } = require('@purchase-widget/server/sqlite')

const prices = new Map([['gold-100', '0.99']])
const sessions = new Map([['the-random-id-of-a-session', 'ada']])

const companion = createCompanion({
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

const page = (/** @type {string} */ body) =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:," /><title>Gold shop</title>${body}</html>`
const button =
  '<a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget>Buy 100 gold</a>'

const script = '<script async src="/api/purchase-widget/purchase-widget.js"></script>'
const result = `<p role="status"></p><script>
  document.addEventListener('purchase-widget-result', ({ detail: { status, verified } }) => {
    const words = status === 'success' ? 'Thank you. It is yours.' : 'Not paid. Please try again.'
    if (verified) document.querySelector('[role=status]').textContent = words
  })
</script>`

const app = express()
app.use('/api/purchase-widget', toNodeHandler(companion))
app.get('/', (_request, response) => {
  response.cookie('session', 'the-random-id-of-a-session')
  response.send(page(script + button + result))
})
app.get('/thanks', (_request, response) => {
  response.send(page(`${script}<h1>Your purchase</h1>${result}`))
})
app.listen(process.env.PORT)
