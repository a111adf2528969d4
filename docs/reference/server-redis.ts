/** @module @purchase-widget/server/redis */
export * from '@purchase-widget/server/redis'
