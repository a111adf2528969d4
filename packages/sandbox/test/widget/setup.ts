/** A shop for the tests of one file. */
import { afterAll, beforeEach } from 'vitest'
import { openShop, type Shop } from './shop.ts'

/** Opens a shop for one test file; sandbox and browser profile are new for each test. */
export async function shopForTests(): Promise<Shop> {
  const shop = await openShop()
  beforeEach(async () => {
    shop.sandbox.reset()
    await shop.useProfile()
  })
  afterAll(shop.close)
  return shop
}
