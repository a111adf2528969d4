/** Adds what the page has seen to the story. */
import type { PurchaseResult, WidgetState } from '@purchase-widget/loader'
import type { Step } from '../story.ts'

/** Null for states that are another step's business. */
export function stepOfState(state: WidgetState): Step | null {
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
    case 'idle':
    case 'opening':
    case 'settled':
    case 'destroyed':
      return null
  }
}

const words = {
  success: 'Paid',
  failure: 'Not paid',
  closed: 'The checkout was closed',
  unknown: 'Not known yet',
  redirected: 'This tab moves on',
  error: 'The checkout did not open',
} satisfies Record<PurchaseResult['status'], string>

export function stepOfResult(result: PurchaseResult): Step {
  const verified = 'verified' in result ? (result.verified ? ', verified' : ', not verified') : ''
  const tone = toneOf(result)
  return {
    from: 'page',
    to: 'page',
    text: words[result.status],
    call: `result: ${result.status}${verified}`,
    ...(tone ? { tone } : {}),
  }
}

function toneOf(result: PurchaseResult): Step['tone'] {
  if (result.status === 'success') return result.verified ? 'good' : 'bad'
  return result.status === 'failure' || result.status === 'error' ? 'bad' : undefined
}
/** Adds a step to the shopper's story. Survives the page: a redirect may follow at once. */
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
