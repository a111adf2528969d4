/** What a page has seen, as steps of the story. */
import type { PurchaseResult, WidgetState } from '@purchase-widget/loader'
import type { Step } from '../../story.ts'

/** Null for states that are another step's business. */
export function stepOfState(state: WidgetState): Step | null {
  switch (state.status) {
    case 'loading':
      return { from: 'page', to: 'widget', text: `opened: ${state.mode}` }
    case 'loaded':
      return { from: 'widget', to: 'page', text: 'load event, which proves nothing' }
    case 'ready':
      return { from: 'widget', to: 'page', text: 'ready' }
    case 'detached':
      return { from: 'page', to: 'page', text: 'another window has it' }
    case 'confirming':
      return { from: 'page', to: 'page', text: 'what became of it?' }
    case 'idle':
    case 'opening':
    case 'settled':
    case 'destroyed':
      return null
  }
}

export function stepOfResult(result: PurchaseResult, teller = 'result'): Step {
  const verified = 'verified' in result ? (result.verified ? ', verified' : ', not verified') : ''
  const tone = toneOf(result)
  return {
    from: 'page',
    to: 'page',
    text: `${teller}: ${result.status}${verified}`,
    ...(tone ? { tone } : {}),
  }
}

function toneOf(result: PurchaseResult): Step['tone'] {
  if (result.status === 'success') return result.verified ? 'good' : 'bad'
  return result.status === 'failure' || result.status === 'error' ? 'bad' : undefined
}
