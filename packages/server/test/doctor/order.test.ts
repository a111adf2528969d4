// Promise: doctor/service
/** The doctor and one real order: how a purchase's id comes back, and how the service states amounts. */
import { expect, test } from 'vitest'
import { type DoctorOptions, memoryStore, runDoctor, type TokenGrant } from '../../src/index.ts'
import { companionOf, post } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

async function rowOf(orderId: string, wanted: string, store?: DoctorOptions['store']) {
  const { checks } = await runDoctor({ client: service.client(), createTokens: false, orderId, store })
  return checks.find(({ name }) => name === wanted)
}

const purchaseId = 'A1b2C3d4E5f6G7h8I9j0-_'
const redirect_url = `https://shop.example/api/purchase-widget/return/${purchaseId}`

test.each<[string, Record<string, string>, string, RegExp]>([
  ['as given', { redirect_url }, 'ok', /^comes back as given/],
  ['with more', { redirect_url: `${redirect_url}?status=ok` }, 'ok', /^comes back with more appended/],
  ['cut', { redirect_url: redirect_url.slice(0, -5) }, 'failed', /^cut after \d+ characters/],
  ['absent', {}, 'failed', /^absent/],
  [
    'the merchant’s own',
    { redirect_url: 'https://shop.example/thanks' },
    'failed',
    /^not one of a companion/,
  ],
  ['carried by custom_id', { custom_id: `purchase_${purchaseId}` }, 'note', /^absent: carried by custom_id/],
])('a return address that is %s is said to be so', async (_, params, result, detail) => {
  const { id } = await service.buy({ product_id: 'gold-100', ...params })
  const row = await rowOf(id, 'return address')
  expect(row).toMatchObject({ result, detail: expect.stringMatching(detail) })
})

test.each([
  ['asGiven', { result: 'ok', detail: 'come as they were decided' }],
  ['rounded', { result: 'failed', detail: 'quote_amount was decided as 9.99 and comes as 10.00' }],
  ['withFees', { result: 'failed', detail: 'quote_amount was decided as 9.99 and comes as 10.34' }],
])('amounts that come %s are held against what was decided (U23)', async (amounts, expected) => {
  await service.control('PATCH', '/switches', { amounts })
  const store = memoryStore()
  const companion = companionOf(service.client(), {
    createPurchase: () => ({ params: { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' } }),
    store,
  })
  const { params } = (await (await companion.fetch(post('/launch', {}, 'ada'))).json()) as TokenGrant
  const { id } = await service.buy(params)
  const row = await rowOf(id, 'amounts', store)
  expect(row).toMatchObject(expected)
  const remedy = expect.stringContaining('rounds amounts or adds fees is not supported')
  if (expected.result === 'failed') expect(row).toMatchObject({ remedy })
})

test('amounts of a purchase that cannot be read are not compared', async () => {
  const { id } = await service.buy({ product_id: 'gold-100' })
  expect(await rowOf(id, 'amounts')).toMatchObject({
    detail: 'not compared: name your companion with --module',
  })
  expect(await rowOf(id, 'amounts', memoryStore())).toMatchObject({
    detail: 'not compared: the store has no purchase of this order',
  })
})

test('an order of another account fails', async () => {
  expect(await rowOf('unknown', 'order')).toMatchObject({
    result: 'failed',
    setting: '--order',
    status: 404,
    address: service.urls.baseUrl,
    remedy: expect.stringContaining('an order of this account'),
  })
})
