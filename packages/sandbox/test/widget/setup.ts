/** A shop for the tests of one file. */
import { afterAll, beforeEach } from 'vitest'
import { openShop, type Shop } from './shop.ts'

/** Opens a shop for one test file; sandbox and page are empty before each test. */
export async function shopForTests(): Promise<Shop> {
  const shop = await openShop()
  beforeEach(shop.reset)
  afterAll(shop.close)
  return shop
}
