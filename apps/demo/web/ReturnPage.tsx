/** The page where a purchase ends. The URL names the purchase; the outcome comes from the shop's server. */
import type { PurchaseResult } from '@purchase-widget/loader'
import type { AnnouncedReturn } from '@purchase-widget/loader/return'
import { type ReactNode, useEffect, useState } from 'react'
import { findProduct } from '../catalogue.ts'
import { Artwork } from './Artwork.tsx'
import { Outcome } from './Outcome.tsx'
import { Story, tellResult } from './Story.tsx'

export function ReturnPage({ returned }: { returned: AnnouncedReturn | undefined }): ReactNode {
  const result = useResult(returned)
  const order = result && 'order' in result ? result.order : undefined
  const product = findProduct(order?.product_id)
  const [namesNone, setNamesNone] = useState(false)
  // Only after hydration, because the server rendered the page without this value.
  useEffect(() => setNamesNone(returned?.purchaseId === undefined), [returned])
  const failed = result?.status === 'failure'
  return (
    <div className="return">
      <div className="return-words">
        <h1>{product?.name ?? 'Your purchase'}</h1>
        {namesNone ? (
          <p>This address names no purchase. What you have bought is among your orders.</p>
        ) : (
          <Outcome
            result={result}
            busy={result ? undefined : 'You are back. The shop’s server is asked how it ended…'}
          />
        )}
        <p className="return-links">
          <a className={failed ? 'button' : 'button quiet'} href={`/?product=${product?.id ?? ''}`}>
            {failed ? 'Try again' : 'Back to the shop'}
          </a>
          <a className="button quiet" href="/orders">
            Your orders
          </a>
        </p>
        <div className="stage" data-lit={result?.status === 'success' && result.verified}>
          <Artwork productId={product?.id ?? 'club-monthly'} />
        </div>
      </div>
      <Story />
    </div>
  )
}

/** Null during the request to the shop's server, and when the URL names no purchase. */
function useResult(returned: AnnouncedReturn | undefined): PurchaseResult | null {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  useEffect(() => {
    if (!returned?.purchaseId) return
    // StrictMode runs an effect twice, but the story must get the step once.
    let left = false
    void returned.result.then((ended) => {
      if (left) return
      tellResult(ended)
      setResult(ended)
    })
    return () => {
      left = true
    }
  }, [returned])
  return result
}
