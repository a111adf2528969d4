/** A shop for the tests of one file, and what its shopper does on the widget page. */
import type { FrameLocator, Page } from 'playwright'
import { afterAll, beforeEach } from 'vitest'
import { openShop, type Shop } from './shop.ts'

/** Opens a shop for one test file; sandbox and page are empty before each test. */
export async function shopForTests(): Promise<Shop> {
  const shop = await openShop()
  beforeEach(shop.reset)
  afterAll(shop.close)
  return shop
}

interface Payment {
  email?: string
  card?: string
  expiry?: string
  code?: string
}

/** Fills the four fields. */
export async function fillPayment(
  page: Page | FrameLocator,
  { email = 'ada@example.com', card = '4242 4242 4242 4242', expiry = '12/49', code = '123' }: Payment = {},
): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Card number').fill(card)
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill(code)
}

/** Fills the four fields and pays: a whole purchase. */
export async function pay(page: Page | FrameLocator, payment?: Payment): Promise<void> {
  await fillPayment(page, payment)
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** Order fields of a purchase above the low-KYC limit, so that the page asks who the shopper is. */
export const aboveLowLimit = { product_id: 'btc', base: 'BTC', quote: 'USD', quote_amount: '900.00' }
