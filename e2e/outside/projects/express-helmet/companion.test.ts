// Promise: outside/projects
/** The shop's own test: a purchase at the shop's price, whatever the page specifies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSandbox } from '@purchase-widget/sandbox/testing'
import { companion } from './companion.ts'

const url = 'http://localhost:3000/api/purchase-widget'

test('a purchase that is created at our price and paid is matched', async (t) => {
  const { urls, credentials, buy, close } = await startTestSandbox()
  t.after(close)
  Object.assign(process.env, {
    PURCHASE_WIDGET_URL: urls.widgetUrl,
    PURCHASE_WIDGET_API_URL: urls.widgetApiUrl,
    PURCHASE_BASE_URL: urls.baseUrl,
    PURCHASE_API_KEY: credentials.apiKey,
    PURCHASE_SECRET_KEY: credentials.secretKey,
    PURCHASE_COMPANION_URL: url,
  })
  t.after(() => companion.close())

  const response = await companion.fetch(
    new Request(`${url}/launch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
      body: JSON.stringify({ params: { product_id: 'gold-100', quote_amount: '0.01' } }),
    }),
  )
  const { purchaseId, params } = await response.json()
  assert.equal(params.quote_amount, '0.99')

  await buy({ params })
  // The shopper is a guest, whose cookie arrived with the response.
  const cookie = response.headers.getSetCookie().join().replace(/;.*/, '')
  const known = await companion.fetch(new Request(`${url}/purchases/${purchaseId}`, { headers: { cookie } }))
  const { status, state } = await known.json()
  assert.deepEqual({ status, state }, { status: 'complete', state: 'matched' })
})
