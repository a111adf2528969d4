/** For stores of your own: the suite that ours pass (`@purchase-widget/server/testing`). */

export type { StoresUnderTest } from './stores/conformance/checks.ts'
export { type OpenStores, type Runner, storeConformance } from './stores/conformance.ts'
/** The bounds that the suite holds a store to, and what rows of a shopper are found and counted by. */
export {
  DEAD_LETTERS,
  isByLink,
  isByOtherSite,
  KEEP_PRELOADED_MS,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  ORDERS_PER_PURCHASE,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  SETTLED_FOR_SHOPPER,
  shopperKey,
  UNAUTHENTICATED_JOBS,
} from './stores/store.ts'
