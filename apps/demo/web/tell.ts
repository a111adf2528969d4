/** Adds what the page has seen to the story. */
import type { PurchaseResult, WidgetState } from '@purchase-widget/loader'
import type { Step } from '../exchange.ts'
import { describeResult } from './describeResult.ts'

export function tellState(state: WidgetState): void {
  const step = stepOf(state)
  if (step) tell(step)
}

/** None for states that are another step's business. */
function stepOf(state: WidgetState): Step | undefined {
  switch (state.status) {
    case 'loading':
      return { from: 'page', to: 'widget', text: 'Opens the widget', call: state.mode }
    case 'loaded':
      return { from: 'widget', to: 'page', text: 'Has loaded', call: 'load' }
    case 'ready':
      return { from: 'widget', to: 'page', text: 'Can be used', call: 'ready' }
    case 'detached':
      return { from: 'page', to: 'page', text: 'The widget is in another window', call: 'detached' }
    case 'confirming':
      return { from: 'page', to: 'page', text: 'Waits for the server’s word', call: 'confirming' }
    default:
      return undefined
  }
}

export function tellResult(result: PurchaseResult): void {
  const verified = 'verified' in result ? (result.verified ? ', verified' : ', not verified') : ''
  const { title, tone } = describeResult(result)
  tell({
    from: 'page',
    to: 'page',
    text: title,
    call: `result: ${result.status}${verified}`,
    ...(tone !== 'neutral' && { tone }),
  })
}

/** Survives the page: a redirect may follow at once. */
export function tell(step: Step): void {
  fetch('/api/shop/story', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...step, at: Date.now() }),
    keepalive: true,
  }).catch(() => {
    // The story is an extra; a purchase goes on without it.
  })
}
