/** @module @purchase-widget/server */
export * from '@purchase-widget/server'
