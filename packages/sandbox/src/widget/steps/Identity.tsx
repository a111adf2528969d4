/** Full KYC, because this purchase would exceed the low-KYC limit. Document and camera are simulated. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { priceOf, useLanguage } from '../language.ts'
import { StepHeading } from '../parts/focus.tsx'
import type { Checkout, ProveIdentity } from '../protocol.ts'
import { RefusalNotice } from './Refused.tsx'

interface IdentityProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onProve: (identity: ProveIdentity) => void
}

const documents: readonly ProveIdentity['document'][] = ['passport', 'id_card', 'driving_licence']

export function Identity({ checkout, busy, refusal, onProve }: IdentityProps): JSX.Element {
  const { words, fill } = useLanguage()
  const { remaining, offer } = checkout
  const [chosen, setChosen] = useState<ProveIdentity['document']>('passport')
  const [camera, setCamera] = useState(false)
  return (
    <form
      class="identity"
      aria-label={words.identity}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onProve({ document: chosen, camera })
      }}
    >
      <StepHeading>{words.identity}</StepHeading>
      <p>{fill(words.aboveLimit, { amount: priceOf({ ...offer, quote_amount: remaining ?? '0.00' }) })}</p>
      {refusal && <RefusalNotice refusal={refusal} />}
      <fieldset class="documents">
        <legend class="unseen">{words.identity}</legend>
        {documents.map((value) => (
          <label class="card" key={value}>
            <input
              type="radio"
              name="document"
              value={value}
              checked={value === chosen}
              onChange={() => setChosen(value)}
            />
            <span class="card-name">{words[value]}</span>
          </label>
        ))}
      </fieldset>
      <div class={camera ? 'camera on' : 'camera'}>
        <div class="viewfinder" aria-hidden="true" />
        <button type="button" class="quiet" aria-pressed={camera} onClick={() => setCamera(!camera)}>
          {words.allowCamera}
        </button>
        <p role="status">{camera && words.inView}</p>
        <p class="hint">{words.simulated}</p>
      </div>
      <button type="submit" class="button" aria-disabled={busy}>
        {busy ? words.wait : fill(words.confirmAndPay, { amount: priceOf(offer) })}
      </button>
    </form>
  )
}
