/** A declined payment, and the way back to the shop. */
import type { JSX } from 'preact'
import { type Destination, destinationOf, noteDeparture, useLeaving } from '../leaving.ts'
import type { Checkout } from '../protocol.ts'
import { Continue } from './Continue.tsx'
import { Countdown } from './Countdown.tsx'
import { Notice } from './Notice.tsx'

const secondsToDecide = 10

/** What the issuer said and what to do about it (section 7 of the interface), over the form that takes another try. */
export function Declined({ checkout }: { checkout: Checkout }): JSX.Element {
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
      {destination && <WayBack checkout={checkout} destination={destination} />}
    </div>
  )
}

function WayBack({ checkout, destination }: { checkout: Checkout; destination: Destination }): JSX.Element {
  const { leaving, stay } = useLeaving(checkout, destination, secondsToDecide)
  return (
    <div class="ways">
      <Continue to={destination} onLeave={() => noteDeparture(checkout)}>
        Return to shop
      </Continue>
      <Countdown leaving={leaving} stay={stay} />
    </div>
  )
}
