import { type PurchaseResult, PurchaseWidget } from '@purchase-widget/react'
import { type ReactElement, useState } from 'react'

/** The widget as a part of the page. */
export function Shop(): ReactElement {
  const [result, setResult] = useState<PurchaseResult>()

  if (result?.status === 'success' && result.verified) {
    return (
      <main>
        <h1>It is yours</h1>
        <p role="status">Order {result.order?.id} is complete.</p>
      </main>
    )
  }

  return (
    <main>
      <h1>100 gold</h1>
      {result?.status === 'failure' && <p role="alert">{result.decline?.action}</p>}
      {result?.status === 'error' && <p role="alert">We can’t sell anything right now.</p>}
      <PurchaseWidget
        className="widget"
        params={{ product_id: 'gold-100' }}
        fallback={<p>One moment…</p>}
        // Stay here; otherwise this page goes where the server's createPurchase says.
        onReturn={(event) => event.preventDefault()}
        onResult={setResult}
      />
    </main>
  )
}
