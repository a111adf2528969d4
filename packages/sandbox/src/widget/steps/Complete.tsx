/** The step after a payment: the receipt. */
import type { JSX } from 'preact'
import type { Refusal } from '../api.ts'
import { type Destination, destinationOf, type Leaving, noteDeparture, useLeaving } from '../leaving.ts'
import { canClose, closeWidget } from '../messages.ts'
import { priceOf } from '../offers.ts'
import { Continue } from '../parts/Continue.tsx'
import { Countdown } from '../parts/Countdown.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Rosette } from '../parts/Rosette.tsx'
import { StepHeading } from '../parts/StepHeading.tsx'
import { Subscription } from '../parts/Subscription.tsx'
import type { Checkout } from '../protocol.ts'
import { inWords } from '../words.ts'

interface CompleteProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onCancelSubscription: () => void
}

const secondsToRead = 3

/** The confirmation, and the way back to the shop. */
export function Complete({ checkout, busy, refusal, onCancelSubscription }: CompleteProps): JSX.Element {
  const destination = destinationOf(checkout)
  // A new tab has the best chance of being let open while the click on Pay is still fresh.
  const delay = destination?.target === '_blank' ? 0 : secondsToRead
  const { leaving, stay } = useLeaving(checkout, destination, delay)
  return (
    <div class="complete">
      <div class="seal">
        <Rosette seed={checkout.order?.id ?? checkout.id} />
        <svg class="check" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path d="M6 12.5l4 4 8-9" />
        </svg>
      </div>
      <StepHeading>Payment complete</StepHeading>
      <dl class="details">
        <dt>Paid</dt>
        <dd>{priceOf(checkout.offer)}</dd>
        {checkout.email && (
          <>
            <dt>Receipt to</dt>
            <dd>{checkout.email}</dd>
          </>
        )}
        {checkout.order && (
          <>
            <dt>Order</dt>
            <dd class="digits">{checkout.order.id}</dd>
          </>
        )}
      </dl>
      {refusal && (
        <Notice>
          <p>{inWords(refusal)}</p>
        </Notice>
      )}
      {checkout.subscription && (
        <Subscription subscription={checkout.subscription} busy={busy} onCancel={onCancelSubscription} />
      )}
      <WayOn checkout={checkout} destination={destination} leaving={leaving} stay={stay} />
    </div>
  )
}

interface WayOnProps {
  checkout: Checkout
  destination: Destination | null
  leaving: Leaving
  stay: () => void
}

function WayOn({ checkout, destination, leaving, stay }: WayOnProps): JSX.Element {
  if (!destination) return <Close checkout={checkout} />
  return (
    <div class="way-on">
      <Continue to={destination} onLeave={() => noteDeparture(checkout)} prominent>
        Continue
      </Continue>
      {destination.target === '_blank' ? (
        <p role="status">{inAnotherTab(leaving)}</p>
      ) : (
        <Countdown leaving={leaving} stay={stay} />
      )}
    </div>
  )
}

const inAnotherTab = ({ status }: Leaving): string =>
  status === 'left' ? 'The shop is open in another tab.' : 'The shop opens in another tab.'

function Close({ checkout }: { checkout: Checkout }): JSX.Element {
  return (
    <div class="way-on">
      {canClose(checkout) && (
        <button type="button" class="button" onClick={() => closeWidget(checkout)}>
          Close
        </button>
      )}
      <p>You can close this window.</p>
    </div>
  )
}
