/** @module @purchase-widget/server/sqlite */
export * from '@purchase-widget/server/sqlite'
