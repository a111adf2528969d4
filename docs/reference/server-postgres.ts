/** @module @purchase-widget/server/postgres */
export * from '@purchase-widget/server/postgres'
