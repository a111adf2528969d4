import type { PurchaseResult } from '@purchase-widget/loader'
import type { announceReturn } from '@purchase-widget/loader/return'
import { type ReactNode, useEffect, useState } from 'react'
import { findProduct } from '../../catalogue.ts'
import lantern from '../lantern.svg'
import { PurchaseOutcome } from '../purchase/PurchaseOutcome.tsx'
import { Artwork } from '../shop/Artwork.tsx'
import { Story } from '../story/Story.tsx'
import { stepOfResult } from '../story/steps.ts'
import { tell } from '../story/tell.ts'
import './return.css'

/** Where the service sends the shopper. The address is a hint; what is shown is what the shop's server confirmed. */
export function ReturnPage({ info }: { info: ReturnType<typeof announceReturn> }): ReactNode {
  const [result, setResult] = useState<PurchaseResult | null>(null)
  useEffect(() => {
    info.result.then((result) => {
      tell(stepOfResult(result, 'on the return page'))
      setResult(result)
    })
  }, [info])

  const order = result && 'order' in result ? result.order : undefined
  const product = findProduct(order?.product_id)
  return (
    <>
      <header className="header">
        <a className="wordmark" href="/">
          <img src={lantern} alt="" width="36" height="36" />
          Lantern
        </a>
      </header>
      <main className="return">
        <div className="stage" data-lit={result?.status === 'success'}>
          <Artwork productId={product?.id ?? 'club-monthly'} />
        </div>
        <div className="return-words">
          <h1>{product?.name ?? 'Your purchase'}</h1>
          {!result && <p className="return-asking">Asking the shop’s server what became of it…</p>}
          <PurchaseOutcome result={result} />
          <p className="return-links">
            <a className="button" href={product ? `/?product=${product.id}` : '/'}>
              Back to the shop
            </a>
            <a className="button quiet" href="/orders">
              Your orders
            </a>
          </p>
        </div>
        <Story />
      </main>
    </>
  )
}
