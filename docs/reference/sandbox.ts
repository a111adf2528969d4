/** @module @purchase-widget/sandbox */
export * from '@purchase-widget/sandbox'
