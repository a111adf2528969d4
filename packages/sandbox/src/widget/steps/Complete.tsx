/** The step after a payment: the receipt, and the way back to the shop. */
import type { JSX } from 'preact'
import { type Refusal, sentenceFor } from '../api.ts'
import { priceOf, useLanguage } from '../language.ts'
import { type Destination, type Leaving, noteDeparture, useLeaving } from '../leaving.ts'
import { canClose, closeWidget } from '../messages.ts'
import { Notice, StepHeading } from '../parts/focus.tsx'
import { Rosette } from '../parts/Rosette.tsx'
import { Subscription } from '../parts/Subscription.tsx'
import { Continue, Countdown } from '../parts/WayBack.tsx'
import type { Checkout } from '../protocol.ts'

interface CompleteProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onCancelSubscription: () => void
}

const secondsToRead = 3

export function Complete({ checkout, busy, refusal, onCancelSubscription }: CompleteProps): JSX.Element {
  const { words } = useLanguage()
  const destination = checkout.redirect
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
      <StepHeading>{words.complete}</StepHeading>
      <dl class="details">
        <dt>{words.paid}</dt>
        <dd>
          <bdi dir="ltr">{priceOf(checkout.offer)}</bdi>
        </dd>
        {checkout.email && (
          <>
            <dt>{words.receiptTo}</dt>
            <dd>
              <bdi dir="ltr">{checkout.email}</bdi>
            </dd>
          </>
        )}
        {checkout.order && (
          <>
            <dt>{words.order}</dt>
            <dd class="digits">
              <bdi dir="ltr">{checkout.order.id}</bdi>
            </dd>
          </>
        )}
      </dl>
      {refusal && (
        <Notice>
          <p>{sentenceFor(refusal, words)}</p>
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
  const { words } = useLanguage()
  if (!destination) return <Close checkout={checkout} />
  return (
    <div class="way-on">
      <Continue to={destination} onLeave={() => noteDeparture(checkout)} prominent>
        {words.continue}
      </Continue>
      {destination.target === '_blank' ? (
        <p role="status">{leaving.status === 'left' && words.otherTab}</p>
      ) : (
        <Countdown leaving={leaving} stay={stay} />
      )}
    </div>
  )
}

function Close({ checkout }: { checkout: Checkout }): JSX.Element {
  const { words } = useLanguage()
  return (
    <div class="way-on">
      {canClose(checkout) && (
        <button type="button" class="button" onClick={() => closeWidget(checkout)}>
          {words.close}
        </button>
      )}
      <p>{words.closeWindow}</p>
    </div>
  )
}
