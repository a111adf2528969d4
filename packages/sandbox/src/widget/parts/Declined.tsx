/** A declined payment, and the way back to the shop. */
import type { JSX } from 'preact'
import { useLanguage, type Words } from '../language.ts'
import { type Destination, destinationOf, noteDeparture, useLeaving } from '../leaving.ts'
import type { Checkout } from '../protocol.ts'
import { Continue } from './Continue.tsx'
import { Countdown } from './Countdown.tsx'
import { Notice } from './Notice.tsx'

const secondsToDecide = 10

/** What the issuer said and what to do about it (section 7 of the interface), over the form that takes another try. */
export function Declined({ checkout }: { checkout: Checkout }): JSX.Element {
  const destination = destinationOf(checkout)
  const { words, fill } = useLanguage()
  const code = checkout.order?.decline?.code
  const { reason, action } = declineOf(words, code)
  return (
    <div class="declined">
      <Notice title={words.declined}>
        <p>
          {reason} {action}
        </p>
        {code && <p class="code">{fill(words.code, { code })}</p>}
      </Notice>
      {destination && <WayBack checkout={checkout} destination={destination} />}
    </div>
  )
}

/** An order that failed without a known code reads as one that could not be charged. */
function declineOf({ declines }: Words, code = '4000'): { reason: string; action: string } {
  const known: Record<string, { reason: string; action: string }> = declines
  return known[code] ?? declines[4000]
}

function WayBack({ checkout, destination }: { checkout: Checkout; destination: Destination }): JSX.Element {
  const { leaving, stay } = useLeaving(checkout, destination, secondsToDecide)
  return (
    <div class="ways">
      <Continue to={destination} onLeave={() => noteDeparture(checkout)}>
        {useLanguage().words.returnToShop}
      </Continue>
      <Countdown leaving={leaving} stay={stay} />
    </div>
  )
}
