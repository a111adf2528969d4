/** The step that asks who the shopper is. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { priceOf } from '../offers.ts'
import { Notice } from '../parts/Notice.tsx'
import { StepHeading } from '../parts/StepHeading.tsx'
import type { Checkout, ProveIdentity } from '../protocol.ts'
import { inWords } from '../words.ts'

interface IdentityProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onProve: (identity: ProveIdentity) => void
}

const documents: readonly (readonly [ProveIdentity['document'], string])[] = [
  ['passport', 'Passport'],
  ['id_card', 'ID card'],
  ['driving_licence', 'Driving licence'],
]

/** Full KYC, because this purchase would pass the low-KYC limit. Document and camera are simulated. */
export function Identity({ checkout, busy, refusal, onProve }: IdentityProps): JSX.Element {
  const [chosen, setChosen] = useState<ProveIdentity['document']>('passport')
  const [camera, setCamera] = useState(false)
  return (
    <form
      class="identity"
      aria-label="Identity"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onProve({ document: chosen, camera })
      }}
    >
      <StepHeading>Confirm who you are</StepHeading>
      <p>
        This purchase is above {remainingOf(checkout)}. Show a document once, and the payment goes on by
        itself.
      </p>
      {refusal && (
        <Notice title="Not confirmed yet">
          <p>{inWords(refusal)}</p>
        </Notice>
      )}
      <fieldset class="documents">
        <legend>Document</legend>
        {documents.map(([value, name]) => (
          <label class="card" key={value}>
            <input
              type="radio"
              name="document"
              value={value}
              checked={value === chosen}
              onChange={() => setChosen(value)}
            />
            <span class="card-name">{name}</span>
          </label>
        ))}
      </fieldset>
      <div class={camera ? 'camera on' : 'camera'}>
        <div class="viewfinder" aria-hidden="true" />
        <button type="button" class="quiet" aria-pressed={camera} onClick={() => setCamera(!camera)}>
          Allow camera
        </button>
        <p role="status">{camera ? 'Your document is in view.' : 'The camera is off.'}</p>
        <p class="hint">Simulated: the sandbox never opens your camera.</p>
      </div>
      <button type="submit" class="button" aria-disabled={busy}>
        {busy ? 'Confirming…' : `Confirm and pay ${priceOf(checkout.offer)}`}
      </button>
    </form>
  )
}

function remainingOf({ remaining, offer }: Checkout): string {
  return remaining === null
    ? 'the limit for shoppers who have not shown a document'
    : `the ${remaining} ${offer.quote} that you can still spend without a document`
}
