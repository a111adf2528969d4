import { announceReturn } from '@purchase-widget/loader/return'
import { type ReactElement, useEffect } from 'react'

/** The widget sends the shopper here. This tells the page that opened it. */
export default function Return(): ReactElement {
  useEffect(() => {
    announceReturn()
  }, [])
  return <p>Thank you. You can close this page.</p>
}
