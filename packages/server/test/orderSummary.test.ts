// Promise: companion/orders
/** The companion and the loader speak of orders and declines in the same words, though neither imports the other. */

import type * as loader from '@purchase-widget/loader'
import { expectTypeOf, test } from 'vitest'
import type { Decline, OrderSummary } from '../src/index.ts'

test('a summary has what the loader reads, and nothing more', () => {
  expectTypeOf<OrderSummary>().toEqualTypeOf<loader.OrderSummary>()
  expectTypeOf<Decline>().toEqualTypeOf<loader.Decline>()
})
