/** @module @purchase-widget/server/testing */
export * from '@purchase-widget/server/testing'
