import type { PurchaseResult } from '@purchase-widget/loader'
import type { ReactNode } from 'react'
import { describeResult } from './describeResult.ts'
import './outcome.css'

/** What became of a purchase, in words, and as data attributes for whoever automates the page. */
export function PurchaseOutcome({ result }: { result: PurchaseResult | null }): ReactNode {
  // Always in the page: a live region that arrives together with its text is not announced.
  if (!result || result.status === 'redirected') return <output className="outcome" hidden />
  const { tone, title, detail } = describeResult(result)
  const order = 'order' in result ? result.order : undefined
  return (
    <output
      className="outcome"
      data-testid="purchase-result"
      data-status={result.status}
      data-verified={'verified' in result && result.verified}
      data-order-id={order?.id}
      data-order-type={order?.type}
      data-decline-code={order?.decline?.code}
    >
      <strong className="outcome-title" data-tone={tone}>
        {title}
      </strong>
      <span className="outcome-detail">{detail}</span>
      {order && (
        <span className="outcome-order">
          Order <code>{order.id}</code>
        </span>
      )}
    </output>
  )
}
