/** When a subscription renews, and how to cancel it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useLanguage } from '../language.ts'
import type { Checkout } from '../protocol.ts'
import { useFocusOnMount } from './focus.tsx'

interface SubscriptionProps {
  subscription: NonNullable<Checkout['subscription']>
  busy: boolean
  onCancel: () => void
}

export function Subscription({ subscription, busy, onCancel }: SubscriptionProps): JSX.Element {
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

function Question({
  busy,
  onYes,
  onNo,
}: {
  busy: boolean
  onYes: () => void
  onNo: () => void
}): JSX.Element {
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
