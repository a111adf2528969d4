/** @module @purchase-widget/loader/element */
export * from '@purchase-widget/loader/element'
