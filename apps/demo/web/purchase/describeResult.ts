/** What a shopper should read about a result. Only a verified one says that something is so. */
import type { PurchaseResult } from '@purchase-widget/loader'

export interface ResultWords {
  tone: 'good' | 'bad' | 'neutral'
  title: string
  detail: string
  /** Whether the shop's server may know more when it is asked again. */
  open?: true
}

export type ShownResult = Exclude<PurchaseResult, { status: 'redirected' }>

export function describeResult(result: ShownResult): ResultWords {
  switch (result.status) {
    case 'success':
      return describeSuccess(result)
    case 'failure': {
      if (!result.verified) return notKnown
      const decline = result.order?.decline ?? result.decline
      return {
        tone: 'bad',
        title: 'Not paid',
        detail: decline
          ? `${decline.reason} ${decline.action}`
          : 'The payment did not go through. Nothing was charged.',
      }
    }
    case 'closed':
      return {
        tone: 'neutral',
        title: 'Checkout closed',
        detail: result.order
          ? 'A payment was begun and has not ended. Your orders will say how it went.'
          : 'The shop’s server knows of no order, so nothing was charged.',
      }
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

const notKnown: ResultWords = {
  tone: 'neutral',
  title: 'Not known yet',
  detail: 'The shop’s server could not say how it ended. If you paid, your order is not lost.',
  open: true,
}

function describeSuccess({ verified, order }: Extract<PurchaseResult, { status: 'success' }>): ResultWords {
  if (verified)
    return {
      tone: 'good',
      title: 'It’s yours',
      detail: 'Paid. The shop’s server has read the order, and it is what was sold.',
    }
  if (order)
    return {
      tone: 'bad',
      title: 'Paid, but not as sold',
      detail: 'The order differs from what the shop sold. Nothing was delivered; the shop will look at it.',
    }
  return {
    tone: 'neutral',
    title: 'Not confirmed yet',
    detail: 'The checkout says that it was paid. The shop’s server could not confirm it yet.',
    open: true,
  }
}
