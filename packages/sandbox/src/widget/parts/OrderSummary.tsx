/** What is being bought, and the choice where there is one. */
import type { JSX } from 'preact'
import { kindLabels, priceOf } from '../offers.ts'
import type { Checkout, Offer } from '../protocol.ts'
import { Rosette } from './Rosette.tsx'

interface OrderSummaryProps {
  checkout: Checkout
  busy: boolean
  /** Given while another offer can still be chosen. */
  onChoose?: ((productId: string) => void) | undefined
}

/** What is being bought, and the choice where there is one. */
export function OrderSummary({ checkout, busy, onChoose }: OrderSummaryProps): JSX.Element {
  const { offer, offers } = checkout
  return (
    <>
      <div class="art">
        <Rosette seed={offer.product_id} />
      </div>
      <section class="summary" aria-label="Order summary">
        <p class="kind">{kindLabels[offer.kind]}</p>
        <h1>{offer.name}</h1>
        {offer.description && <p class="description">{offer.description}</p>}
        <p class="price">
          <span class="amount">{offer.quote_amount}</span> <span class="currency">{offer.quote}</span>
          <Per offer={offer} />
        </p>
        {offer.kind === 'crypto' && <CryptoDetails offer={offer} />}
      </section>
      {onChoose && offers.length > 1 && (
        <Choice offers={offers} chosen={offer} busy={busy} onChoose={onChoose} />
      )}
    </>
  )
}

function Per({ offer }: { offer: Offer }): JSX.Element | null {
  return offer.kind === 'subscription' ? <span class="per"> {offer.interval_time}</span> : null
}

function CryptoDetails({ offer }: { offer: Extract<Offer, { kind: 'crypto' }> }): JSX.Element {
  return (
    <dl class="details">
      <dt>You get</dt>
      <dd>
        {offer.base_amount} {offer.base}
      </dd>
      {offer.address && (
        <>
          <dt>To wallet</dt>
          <dd class="address">{offer.address}</dd>
        </>
      )}
    </dl>
  )
}

interface ChoiceProps {
  offers: Offer[]
  chosen: Offer
  busy: boolean
  onChoose: (productId: string) => void
}

function Choice({ offers, chosen, busy, onChoose }: ChoiceProps): JSX.Element {
  return (
    <fieldset class="choice" disabled={busy}>
      <legend>Choose what to buy</legend>
      <div class="cards">
        {offers.map((offer) => (
          <label class="card" key={offer.product_id}>
            <input
              type="radio"
              name="product_id"
              value={offer.product_id}
              checked={offer.product_id === chosen.product_id}
              onChange={() => onChoose(offer.product_id)}
            />
            <span class="card-name">{offer.name}</span>
            <span class="card-price">
              {priceOf(offer)}
              <Per offer={offer} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
