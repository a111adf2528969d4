/** What the issuer said and what to do about it (section 7 of the interface), over the form that takes another try. */
import type { JSX } from 'preact'
import { declineSentences, useLanguage } from '../language.ts'
import { type Destination, noteDeparture, useLeaving } from '../leaving.ts'
import type { Checkout } from '../protocol.ts'
import { Notice } from './focus.tsx'
import { Continue, Countdown } from './WayBack.tsx'

const secondsToDecide = 10

export function Declined({ checkout }: { checkout: Checkout }): JSX.Element {
  const destination = checkout.redirect
  const { words, fill } = useLanguage()
  const code = checkout.order?.decline
  // An order that failed without a code reads as one that could not be charged.
  const { reason, action } = declineSentences[code ?? '4000']
  return (
    <div class="declined">
      <Notice title={words.declined}>
        <p>
          {words[reason]} {words[action]}
        </p>
        {code && <p class="code">{fill(words.code, { code })}</p>}
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
        {useLanguage().words.returnToShop}
      </Continue>
      <Countdown leaving={leaving} stay={stay} />
    </div>
  )
}
