/** @module @purchase-widget/loader/return */
export * from '@purchase-widget/loader/return'
