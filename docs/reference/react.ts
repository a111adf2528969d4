/** @module @purchase-widget/react */
export * from '@purchase-widget/react'
