import type { ReactElement } from 'react'

/** Where a purchase ends, as `createPurchase` says. */
export default function Thanks(): ReactElement {
  return <p>Thank you.</p>
}
