/** @module @purchase-widget/loader */
export * from '@purchase-widget/loader'
