/** For stores of your own: the suite that ours pass (`@purchase-widget/server/testing`). */
export {
  type OpenStores,
  type Runner,
  type StoresUnderTest,
  sharedStateConformance,
  storeConformance,
} from './stores/conformance.ts'
