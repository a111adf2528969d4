/** A shop in CommonJS. */
const express = require('express')
const { toNodeHandler } = require('@purchase-widget/server')
const { companion } = require('./companion.js')

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
