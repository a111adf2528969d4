/** Where a purchase ends. The address names it; what became of it is what the shop's server says. */
import type { PurchaseResult } from '@purchase-widget/loader'
import type { AnnouncedReturn } from '@purchase-widget/loader/return'
import { type ReactNode, useEffect, useState } from 'react'
import { findProduct } from '../../catalogue.ts'
import { PurchaseOutcome } from '../purchase/PurchaseOutcome.tsx'
import { Artwork } from '../shop/Artwork.tsx'
import { Story } from '../story/Story.tsx'
import { stepOfResult } from '../story/steps.ts'
import { tell } from '../story/tell.ts'
import './return.css'

export function ReturnPage({ info }: { info: AnnouncedReturn }): ReactNode {
  const result = useResult(info)
  const product = findProduct(result && 'order' in result ? result.order?.product_id : undefined)
  const failed = result?.status === 'failure' && result.verified
  return (
    <main className="return" id="content" tabIndex={-1}>
      <div className="stage" data-lit={result?.status === 'success' && result.verified}>
        <Artwork productId={product?.id ?? 'club-monthly'} />
      </div>
      <div className="return-words">
        <h1>{product?.name ?? 'Your purchase'}</h1>
        {info.purchaseId ? (
          <KnownPurchase id={info.purchaseId} result={result} />
        ) : (
          <p className="return-nothing">
            This address names no purchase, so there is nothing to look up. What you have bought is among your
            orders.
          </p>
        )}
        <p className="return-links">
          {failed && product && (
            <a className="button" href={`/api/purchase-widget/launch?product_id=${product.id}`}>
              Try again
            </a>
          )}
          <a className={failed ? 'button quiet' : 'button'} href={product ? `/?product=${product.id}` : '/'}>
            Back to the shop
          </a>
          <a className="button quiet" href="/orders">
            Your orders
          </a>
        </p>
      </div>
      <Story />
    </main>
  )
}

function KnownPurchase({ id, result }: { id: string; result: PurchaseResult | null }): ReactNode {
  return (
    <>
      <p className="return-id">
        Purchase <code>{id}</code>
      </p>
      <PurchaseOutcome
        result={result}
        busy={result ? undefined : 'You are back. The shop’s server is asked how it ended…'}
        onAskAgain={() => window.location.reload()}
      />
    </>
  )
}

/** Null while the shop's server is being asked, and where there is no purchase to ask about. */
function useResult(info: AnnouncedReturn): PurchaseResult | null {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  useEffect(() => {
    if (!info.purchaseId) return
    let left = false
    void info.result.then((ended) => {
      if (left) return
      tell(stepOfResult(ended))
      setResult(ended)
    })
    return () => {
      left = true
    }
  }, [info])
  return result
}
