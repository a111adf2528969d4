/** @module @purchase-widget/loader/url */
export * from '@purchase-widget/loader/url'
