/** What is shown when nothing can be bought. */
import type { JSX } from 'preact'
import type { Refusal } from '../api.ts'
import { Notice } from '../parts/Notice.tsx'
import { Rosette } from '../parts/Rosette.tsx'

/** Nothing can be bought here. Says whose turn it is: the shop's, or the person's. */
export function Refused({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }): JSX.Element {
  const unanswered = refusal.reason === 'unanswered'
  return (
    <div class="refused">
      <Rosette seed="refused" />
      <h1>{unanswered ? 'No answer' : 'This checkout is not open'}</h1>
      <Notice>
        <p>{explain(refusal)}</p>
      </Notice>
      {refusal.reason === 'invalid' && <p class="hint">For the shop’s developer: {refusal.message}</p>}
      {unanswered && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

function explain({ reason, message }: Refusal): string {
  switch (reason) {
    case 'token':
      return 'The link that brought you here has expired or is not valid. Nothing was charged. Go back to the shop and start again there.'
    case 'gone':
      return 'This checkout has ended. Go back to the shop and start again there.'
    case 'invalid':
      return 'The shop opened this checkout with something that it cannot sell. Nothing was charged. Go back to the shop and tell them.'
    case 'unanswered':
      return message
  }
}
