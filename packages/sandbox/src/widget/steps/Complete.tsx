/** The step after a payment: the receipt, its subscription, and the way back to the shop. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Refusal } from '../api.ts'
import { priceOf, useLanguage } from '../language.ts'
import { canClose, closeWidget } from '../messages.ts'
import { StepHeading, useFocusOnMount } from '../parts/focus.tsx'
import { Rosette } from '../parts/Rosette.tsx'
import { Continue, Countdown, noteDeparture, useLeaving } from '../parts/WayBack.tsx'
import type { Checkout } from '../protocol.ts'
import { RefusalNotice } from './Refused.tsx'

interface CompleteProps {
  checkout: Checkout
  busy: boolean
  refusal: Refusal | null
  onCancelSubscription: () => void
}

const secondsToRead = 3

export function Complete({ checkout, busy, refusal, onCancelSubscription }: CompleteProps): JSX.Element {
  const { words } = useLanguage()
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
      {refusal && <RefusalNotice refusal={refusal} />}
      {checkout.subscription && (
        <Subscription subscription={checkout.subscription} busy={busy} onCancel={onCancelSubscription} />
      )}
      <WayOn checkout={checkout} />
    </div>
  )
}

interface SubscriptionProps {
  subscription: NonNullable<Checkout['subscription']>
  busy: boolean
  onCancel: () => void
}

/** When a subscription renews, and how to cancel it. */
function Subscription({ subscription, busy, onCancel }: SubscriptionProps): JSX.Element {
  const [asking, setAsking] = useState(false)
  const { words, fill, day: dayOf } = useLanguage()
  const day = dayOf(subscription.next_paid_date)
  if (subscription.status === 'canceled') return <Cancelled day={day} />
  return (
    <div class="renewal">
      <p>{fill(words.renews, { day })}</p>
      {asking ? (
        <Question busy={busy} onYes={onCancel} onNo={() => setAsking(false)} />
      ) : (
        <button type="button" class="quiet" onClick={() => setAsking(true)}>
          {words.cancelSubscription}
        </button>
      )}
    </div>
  )
}

interface QuestionProps {
  busy: boolean
  onYes: () => void
  onNo: () => void
}

function Question({ busy, onYes, onNo }: QuestionProps): JSX.Element {
  const { words } = useLanguage()
  return (
    <fieldset class="ways">
      <legend>{words.cancelQuestion}</legend>
      <button
        type="button"
        class="quiet"
        ref={useFocusOnMount<HTMLButtonElement>()}
        aria-disabled={busy}
        onClick={onYes}
      >
        {words.cancelYes}
      </button>
      <button type="button" class="quiet" onClick={onNo}>
        {words.cancelNo}
      </button>
    </fieldset>
  )
}

function Cancelled({ day }: { day: string }): JSX.Element {
  const { words, fill } = useLanguage()
  return (
    <p class="renewal" role="status" tabIndex={-1} ref={useFocusOnMount<HTMLParagraphElement>()}>
      {fill(words.cancelled, { day })}
    </p>
  )
}

function WayOn({ checkout }: { checkout: Checkout }): JSX.Element {
  const { words } = useLanguage()
  const destination = checkout.redirect
  // Browsers are most likely to allow a new tab soon after the click on Pay.
  const delay = destination?.target === '_blank' ? 0 : secondsToRead
  const { leaving, stay } = useLeaving(checkout, destination, delay)
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
