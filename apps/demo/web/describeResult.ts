/** What a shopper should read about a result. Only a verified one says that something is so. */
import type { PurchaseResult } from '@purchase-widget/loader'

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
