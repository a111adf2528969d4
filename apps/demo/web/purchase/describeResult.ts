import type { PurchaseResult } from '@purchase-widget/loader'

export interface ResultWords {
  tone: 'good' | 'bad' | 'neutral'
  title: string
  detail: string
}

type ShownResult = Exclude<PurchaseResult, { status: 'redirected' }>

/** What a shopper should read. Only a verified result says that something is so. */
export function describeResult(result: ShownResult): ResultWords {
  switch (result.status) {
    case 'success':
      return result.verified
        ? {
            tone: 'good',
            title: 'It’s yours',
            detail: 'The shop’s server read the order from the service: paid.',
          }
        : {
            tone: 'neutral',
            title: 'Probably paid',
            detail: 'The widget says so. The shop’s server could not confirm it yet.',
          }
    case 'failure': {
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
        title: 'You left first',
        detail: result.order
          ? 'The last order is below, as the service knows it.'
          : 'The service knows no order, so nothing was charged.',
      }
    case 'unknown':
      return { tone: 'neutral', title: 'We don’t know yet', detail: result.reason }
    case 'error':
      return { tone: 'bad', title: 'The widget did not open', detail: result.error.message }
  }
}
