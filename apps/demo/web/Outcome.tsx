/** The progress and the outcome of a purchase. Only a verified result is stated as fact. */
import type { PurchaseResult } from '@purchase-widget/loader'
import type { ReactNode } from 'react'

interface OutcomeProps {
  result: PurchaseResult | null
  /** A sentence about the current progress. */
  busy?: string | undefined
  /** Shown while there is no message. */
  children?: ReactNode
}

/** Reserves its space from the start: later content shifts nothing, and screen readers announce changes of an existing live region. */
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

interface ResultWords {
  tone: 'good' | 'bad' | 'neutral'
  title: string
  detail: string
}

const notKnown: ResultWords = {
  tone: 'neutral',
  title: 'Not known yet',
  detail: 'The shop could not find out how it ended. If you paid, your order will be among your orders.',
}

export function describeResult(result: PurchaseResult): ResultWords {
  switch (result.status) {
    case 'success':
      return describeSuccess(result)
    case 'failure':
      return result.verified ? describeFailure(result) : notKnown
    case 'closed':
      return {
        tone: 'neutral',
        title: 'Checkout closed',
        detail: result.order
          ? 'A payment has begun and not ended. Your orders will say how it went.'
          : 'The shop knows of no order, so nothing was charged.',
      }
    case 'redirected':
      return { tone: 'neutral', title: 'This tab moves on', detail: '' }
    case 'unknown':
      return notKnown
    case 'error':
      return {
        tone: 'bad',
        title: 'The checkout did not open',
        detail: result.error.companion?.message ?? result.error.message,
      }
  }
}

function describeFailure(result: Extract<PurchaseResult, { status: 'failure' }>): ResultWords {
  const decline = result.order?.decline ?? result.decline
  const detail = decline
    ? `${decline.reason} ${decline.action}`
    : 'The payment did not go through. Nothing was charged.'
  return { tone: 'bad', title: 'Not paid', detail }
}

function describeSuccess({ verified, order }: Extract<PurchaseResult, { status: 'success' }>): ResultWords {
  if (verified)
    return {
      tone: 'good',
      title: 'It’s yours',
      detail: 'Paid. The shop’s server has read the order, and it is what was sold.',
    }
  if (!order) return notKnown
  return {
    tone: 'bad',
    title: 'Paid, but not as sold',
    detail: 'The order differs from what the shop sold. Nothing was delivered; the shop will review it.',
  }
}
