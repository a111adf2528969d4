/** What is going on with a purchase, and what became of it. */
import type { PurchaseResult } from '@purchase-widget/loader'
import type { ReactNode } from 'react'
import { describeResult } from './describeResult.ts'

interface OutcomeProps {
  result: PurchaseResult | null
  /** A sentence about what is under way. */
  busy?: string | undefined
  /** Shown while there is nothing to say. */
  children?: ReactNode
}

/** It has its place from the start: what comes later moves nothing, and a live region that is there already is announced. */
export function Outcome({ result, busy, children }: OutcomeProps): ReactNode {
  if (busy)
    return (
      <output className="outcome">
        <span className="busy">{busy}</span>
      </output>
    )
  if (!result || result.status === 'redirected') return <output className="outcome">{children}</output>
  const { tone, title, detail } = describeResult(result)
  const order = 'order' in result ? result.order : undefined
  return (
    <output
      className="outcome"
      data-testid="purchase-result"
      data-status={result.status}
      data-verified={'verified' in result && result.verified}
    >
      <strong className="outcome-title" data-tone={tone}>
        {title}
      </strong>
      <span>{detail}</span>
      {order && (
        <span className="outcome-order">
          Order <code>{order.id}</code>
        </span>
      )}
    </output>
  )
}
