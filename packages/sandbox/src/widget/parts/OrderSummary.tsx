/** The stub: the shop, the selected offer, and the choice between offers if there are several. */
import type { JSX } from 'preact'
import { intervalOf, priceOf, useLanguage } from '../language.ts'
import type { Shop } from '../launch.ts'
import type { Checkout, Offer } from '../protocol.ts'
import { Rosette } from './Rosette.tsx'

interface OrderSummaryProps {
  shop: Shop
  checkout: Checkout
  busy: boolean
  /** Set while the shopper can still choose another offer. */
  onChoose?: ((productId: string) => void) | undefined
}

export function OrderSummary({ shop, checkout, busy, onChoose }: OrderSummaryProps): JSX.Element {
  const { words } = useLanguage()
  const { offer, offers } = checkout
  return (
    <>
      <ShopName shop={shop} />
      <div class="art">
        <Rosette seed={offer.product_id} />
      </div>
      <section class="summary" aria-label={words.order}>
        <p class="kind">{words[offer.kind]}</p>
        <h1 dir="auto">{offer.name}</h1>
        {offer.description && (
          <p class="description" dir="auto">
            {offer.description}
          </p>
        )}
        <p class="price">
          <bdi dir="ltr">
            <span class="amount">{offer.quote_amount}</span> <span class="currency">{offer.quote}</span>
          </bdi>
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

function ShopName({ shop: { name, logo } }: { shop: Shop }): JSX.Element | null {
  if (!name && !logo) return null
  return (
    <p class="shop">
      {logo && <img src={logo} alt={name ? '' : new URL(logo).host} height={28} />}
      {name && <bdi>{name}</bdi>}
    </p>
  )
}

function Per({ offer }: { offer: Offer }): JSX.Element | null {
  const interval = intervalOf(offer, useLanguage().words)
  return interval ? <span class="per"> {interval}</span> : null
}

function CryptoDetails({ offer }: { offer: Extract<Offer, { kind: 'crypto' }> }): JSX.Element {
  const { words } = useLanguage()
  return (
    <dl class="details">
      <dt>{words.youGet}</dt>
      <dd>
        <bdi dir="ltr">
          {offer.base_amount} {offer.base}
        </bdi>
      </dd>
      {offer.address && (
        <>
          <dt>{words.toWallet}</dt>
          <dd class="address">
            <bdi dir="ltr">{offer.address}</bdi>
          </dd>
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
      <legend>{useLanguage().words.choose}</legend>
      <div class="cards">
        {offers.map((offer) => (
          <label class="card" key={offer.product_id}>
            <input
              type="radio"
              name="product_id"
              value={offer.product_id}
              data-kind={offer.kind}
              checked={offer.product_id === chosen.product_id}
              onChange={() => onChoose(offer.product_id)}
            />
            <span class="card-name" dir="auto">
              {offer.name}
            </span>
            <span class="card-price">
              <bdi dir="ltr">{priceOf(offer)}</bdi>
              <Per offer={offer} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
