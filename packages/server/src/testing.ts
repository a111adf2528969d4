/** For stores of your own: the suite that ours pass (`@purchase-widget/server/testing`). */

export type { StoresUnderTest } from './stores/conformance/checks.ts'
export {
  type OpenStores,
  type Runner,
  sharedStateConformance,
  storeConformance,
} from './stores/conformance.ts'
