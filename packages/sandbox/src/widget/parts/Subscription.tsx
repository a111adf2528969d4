/** When a subscription renews, and how to cancel it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { dayOf } from '../offers.ts'
import type { Checkout } from '../protocol.ts'
import { useFocusOnMount } from '../useFocusOnMount.ts'

interface SubscriptionProps {
  subscription: NonNullable<Checkout['subscription']>
  busy: boolean
  onCancel: () => void
}

/** When the subscription renews, and how to end it. */
export function Subscription({ subscription, busy, onCancel }: SubscriptionProps): JSX.Element {
  const [asking, setAsking] = useState(false)
  const day = dayOf(subscription.next_paid_date)
  if (subscription.status === 'canceled') return <Cancelled day={day} />
  return (
    <div class="renewal">
      <p>
        Renews {subscription.interval_time}, next on {day}.
      </p>
      {asking ? (
        <Question busy={busy} onYes={onCancel} onNo={() => setAsking(false)} />
      ) : (
        <button type="button" class="quiet" onClick={() => setAsking(true)}>
          Cancel subscription
        </button>
      )}
    </div>
  )
}

function Question({
  busy,
  onYes,
  onNo,
}: {
  busy: boolean
  onYes: () => void
  onNo: () => void
}): JSX.Element {
  return (
    <fieldset class="ways">
      <legend>Cancel the subscription?</legend>
      <button
        type="button"
        class="quiet"
        ref={useFocusOnMount<HTMLButtonElement>()}
        aria-disabled={busy}
        onClick={onYes}
      >
        Yes, cancel it
      </button>
      <button type="button" class="quiet" onClick={onNo}>
        Keep it
      </button>
    </fieldset>
  )
}

function Cancelled({ day }: { day: string }): JSX.Element {
  return (
    <p class="renewal" role="status" tabIndex={-1} ref={useFocusOnMount<HTMLParagraphElement>()}>
      Subscription cancelled. It stays yours until {day}, and nothing more is charged.
    </p>
  )
}
