import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Destination, destinationOf, noteDeparture, useLeaving } from '../leaving.ts'
import type { Checkout } from '../protocol.ts'
import { useInteraction } from '../useInteraction.ts'
import { Continue } from './Continue.tsx'
import { Notice } from './Notice.tsx'

interface DeclinedProps {
  checkout: Checkout
  /** Leads to the field that the decline is about. */
  onTryAgain: () => void
}

const secondsToDecide = 10

/** What the issuer said, what to do about it (section 7 of the interface), and the two ways on: try again, or back to the shop. */
export function Declined({ checkout, onTryAgain }: DeclinedProps): JSX.Element {
  const destination = destinationOf(checkout)
  const decline = checkout.order?.decline
  return (
    <div class="declined">
      <Notice title="Payment declined">
        <p>
          {decline
            ? `${decline.reason} ${decline.action}`
            : 'The order was not completed. You can try again.'}
        </p>
        {decline && <p class="code">Code {decline.code}</p>}
      </Notice>
      <div class="ways">
        <button type="button" class="quiet" onClick={onTryAgain}>
          Try again
        </button>
        {destination && <WayBack checkout={checkout} destination={destination} />}
      </div>
    </div>
  )
}

/**
 * Goes back to the shop by itself, unless the person shows that they are still here (WCAG 2.2.1). The line keeps its place
 * then: a page that moves between press and release of a button makes the click miss.
 */
function WayBack({ checkout, destination }: { checkout: Checkout; destination: Destination }): JSX.Element {
  const { leaving, stay } = useLeaving(checkout, destination, secondsToDecide)
  const countdown = useRef<HTMLParagraphElement | null>(null)
  useInteraction(stay, countdown)
  const stayHere = (): void => {
    stay()
    countdown.current?.focus()
  }
  return (
    <>
      <Continue to={destination} onLeave={() => noteDeparture(checkout)}>
        Return to shop
      </Continue>
      <p class="countdown" tabIndex={-1} ref={countdown}>
        {leaving.status === 'waiting' ? (
          <>
            <span role="timer">Back to the shop in {leaving.seconds} s.</span>
            <button type="button" class="plain-button" onClick={stayHere}>
              Stay here
            </button>
          </>
        ) : (
          'Take your time.'
        )}
      </p>
    </>
  )
}
