/** A shop in CommonJS. */
const express = require('express')
const { toNodeHandler } = require('@purchase-widget/server')
const { companion } = require('./companion.js')

const page = (/** @type {string} */ body) =>
  `<!doctype html><html lang="en"><link rel="icon" href="data:," /><title>Gold shop</title>${body}</html>`
const button =
  '<a href="/api/purchase-widget/launch?product_id=gold-100" data-purchase-widget>Buy 100 gold</a>'

const app = express()
app.use('/api/purchase-widget', toNodeHandler(companion))
app.get('/', (_request, response) => {
  response.cookie('shopper', 'ada')
  response.send(page(`<script async src="/api/purchase-widget/purchase-widget.js"></script>${button}`))
})
app.get('/thanks', (_request, response) => {
  response.send(page('<h1>Thank you</h1>'))
})
app.listen(process.env.PORT)
