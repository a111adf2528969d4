'use client'

import { PurchaseButton, type PurchaseResult } from '@purchase-widget/react'
import { type ReactElement, useState } from 'react'

export function Buy(): ReactElement {
  const [result, setResult] = useState<PurchaseResult>()

  return (
    <>
      <PurchaseButton
        mode="modal"
        preload="intent"
        params={{ product_id: 'gold-100' }}
        // Stay here; otherwise this page goes to /thanks.
        onReturn={(event) => event.preventDefault()}
        onResult={setResult}
      >
        Buy for $0.99
      </PurchaseButton>
      {result?.status === 'success' && result.verified && (
        <p role="status">Order {result.order?.id} is complete.</p>
      )}
      {result?.status === 'failure' && <p role="alert">{result.decline?.action}</p>}
    </>
  )
}
