/** Explains a refusal, and whether the shop or the person must act. */
import type { JSX } from 'preact'
import { type Refusal, sentenceFor } from '../api.ts'
import { useLanguage } from '../language.ts'
import { Notice } from '../parts/focus.tsx'
import { Rosette } from '../parts/Rosette.tsx'

/** The page shown when no purchase is possible. */
export function Refused({ refusal, onRetry }: { refusal: Refusal; onRetry: () => void }): JSX.Element {
  const { words } = useLanguage()
  const unanswered = refusal.reason === 'unanswered'
  return (
    <div class="refused">
      <Rosette seed="refused" />
      <h1>{unanswered ? words.noAnswer : words.notOpen}</h1>
      <RefusalNotice refusal={refusal} />
      {refusal.reason === 'invalid' && (
        <p class="hint" lang="en" dir="ltr">
          For the shop’s developer: {refusal.message}
        </p>
      )}
      {unanswered && (
        <button type="button" class="button" onClick={onRetry}>
          {words.tryAgain}
        </button>
      )}
    </div>
  )
}

/** The reason for a refusal, in words for the shopper. */
export function RefusalNotice({ refusal }: { refusal: Refusal }): JSX.Element {
  return (
    <Notice>
      <p>{sentenceFor(refusal, useLanguage().words)}</p>
    </Notice>
  )
}
