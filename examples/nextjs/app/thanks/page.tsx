'use client'

import type { PurchaseResult } from '@purchase-widget/react'
import Script from 'next/script'
import { type ReactElement, useEffect, useState } from 'react'

/** The return page that `createPurchase` specifies for paid purchases. Anyone can open it, so the script gets the result from the server. */
export default function Thanks(): ReactElement {
  const [result, setResult] = useState<PurchaseResult>()

  useEffect(() => {
    const onResult = ({ detail }: CustomEvent<PurchaseResult>): void => setResult(detail)
    document.addEventListener('purchase-widget-result', onResult)
    return () => document.removeEventListener('purchase-widget-result', onResult)
  }, [])

  return (
    <main>
      <h1>Your purchase</h1>
      <p role="status">{wordsFor(result)}</p>
      <Script src="/api/purchase-widget/purchase-widget.js" />
    </main>
  )
}

function wordsFor(result: PurchaseResult | undefined): string {
  if (result?.status === 'success' && result.verified) return 'Thank you. It is yours.'
  if (result?.status === 'failure' && result.verified) return 'Not paid. Please try again.'
  return 'We are checking your payment.'
}
