// Promise: launch/server-decides
/** Which fields of a page get into a purchase: those that the merchant has left open, and never those of shopper, token or outcome. */
import { expect, test } from 'vitest'
import { orderFields } from '../../src/client/wire.ts'
import { type CreatePurchase, memoryStore, type TokenGrant } from '../../src/index.ts'
import { companionOf, mount, post, shopOrigin } from '../support/companion.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

const priced = { product_id: 'gold-100', quote: 'USD', quote_amount: '9.99' }

/** Begins a purchase, and gives what the widget and the store got. */
async function begin(
  createPurchase: CreatePurchase | undefined,
  body: object,
  options: Parameters<typeof companionOf>[1] = {},
) {
  const store = memoryStore()
  const companion = companionOf(service.client(), {
    store,
    ...(createPurchase ? { createPurchase } : {}),
    ...options,
  })
  const response = await companion.fetch(post('/token', body, 'ada:U1'))
  if (response.status !== 200) return { status: response.status, text: await response.text() }
  const { purchaseId, params } = (await response.json()) as TokenGrant
  return { status: 200, purchaseId, params, row: (await store.purchases.find(purchaseId))?.purchase }
}

const everything = Object.fromEntries(
  [...orderFields, 'accessToken', 'AccessToken', 'partner_data', 'theme'].map((field) => [field, 'evil']),
)

test('where the server decides, nothing of the page gets in that was not opened', async () => {
  const asked: unknown[] = []
  const { params, row } = await begin(
    ({ params, shopper }) => {
      asked.push(Object.keys(params), shopper)
      return { params: priced, open: ['email'] }
    },
    { params: { ...everything, locale: 'de' }, surface: 'popup', redirectPage: 'new' },
  )
  expect(params).toEqual({
    ...priced,
    email: 'evil',
    locale: 'de',
    custom_id: 'ada',
    user_id: 'U1',
    redirect_url: expect.stringMatching(`^${mount}/return/[\\w-]{22}$`),
    fail_redirect_url: expect.stringMatching(`^${mount}/return/[\\w-]{22}/failed$`),
    redirect_page: 'new',
  })
  expect(row).toMatchObject({
    shopper: { customId: 'ada', userId: 'U1' },
    params: priced,
    surface: 'popup',
    redirectPage: 'new',
    hostOrigin: shopOrigin,
  })
  expect(asked).toEqual([
    expect.not.arrayContaining([
      'custom_id',
      'accessToken',
      'AccessToken',
      'type',
      'hash',
      'fail_reason',
      'transaction_id',
      'id',
      'redirect_url',
      'fail_redirect_url',
      'redirect_page',
      'partner_data',
      'user_id',
    ]),
    { customId: 'ada', userId: 'U1' },
  ])
})

test('where the page decides, its fields pass, but not those of shopper, token or outcome', async () => {
  const { params, row } = await begin(undefined, {
    params: { ...everything, redirect_url: `${shopOrigin}/thanks`, fail_redirect_url: `${shopOrigin}/sorry` },
  })
  expect(row).toMatchObject({
    decidedBy: 'page',
    returnUrl: `${shopOrigin}/thanks`,
    failReturnUrl: `${shopOrigin}/sorry`,
    params: { quote_amount: 'evil', theme: 'evil' },
  })
  const passed = Object.keys(row?.params ?? {})
  for (const field of [
    'id',
    'type',
    'hash',
    'transaction_id',
    'fail_reason',
    'accessToken',
    'AccessToken',
    'partner_data',
  ]) {
    expect(passed).not.toContain(field)
    expect(params).not.toHaveProperty(field)
  }
  expect(params).toMatchObject({ custom_id: 'ada', user_id: 'U1', redirect_page: 'self' })
})

test.each([
  'https://evil.example/',
  'https://shop.example.evil.example/',
  'https://shop.example@evil.example/',
  '//evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil://shop.example/',
  '/return',
])('where the page decides, it may not lead to %s', async (address) => {
  for (const field of ['redirect_url', 'fail_redirect_url']) {
    const { status, text } = await begin(undefined, { params: { [field]: address } })
    expect([status, text]).toEqual([400, expect.stringContaining(field)])
  }
})
