/** What the widget page sells, and how its query parameters (U10) choose, price and complete an offer. */
import { invalid } from '../refusal.ts'
import type { CheckoutVisit, LimitKind, WidgetParams } from '../state/rows.ts'
import type { Interval, Offer } from '../widget/protocol.ts'
import { convert, isAmount, priceOf } from './money.ts'

const good = (product_id: string, name: string, description: string, quote_amount: string): Offer => ({
  kind: 'digital_good',
  product_id,
  name,
  description,
  quote: 'USD',
  quote_amount,
})

const club = (product_id: string, name: string, quote_amount: string, interval_time: Interval): Offer => ({
  kind: 'subscription',
  product_id,
  name,
  description: 'Members’ items and a monthly surprise. Cancel whenever you like.',
  quote: 'USD',
  quote_amount,
  interval_time,
})

/** Fixed fiat prices of one coin, so that amounts are predictable. */
const coins: Record<string, { name: string; rate: string; address: string }> = {
  BTC: { name: 'Bitcoin', rate: '64000', address: 'bc1qsandbox0000000000000000000000000000000' },
  ETH: { name: 'Ether', rate: '3200', address: '0x5a4d0b0c00000000000000000000000000000001' },
  USDC: { name: 'USD Coin', rate: '1', address: '0x5a4d0b0c00000000000000000000000000000002' },
}

const coin = (product_id: string, base: keyof typeof coins, quote_amount: string): Offer => {
  const { name, rate, address } = knownCoin(base)
  return {
    kind: 'crypto',
    product_id,
    name,
    description: `${name} at ${rate} USD, sent to a wallet.`,
    quote: 'USD',
    quote_amount,
    base,
    base_amount: convert(quote_amount, rate),
    address,
  }
}

function knownCoin(base: string): { name: string; rate: string; address: string } {
  const known = Object.hasOwn(coins, base) ? coins[base] : undefined
  if (!known) throw invalid('base', `must be one of ${Object.keys(coins).join(', ')}`)
  return known
}

const catalog: readonly Offer[] = [
  good('gold-100', '100 gold', 'A small purse for the road.', '0.99'),
  good('gold-550', '550 gold', 'Enough for a proper sword.', '4.99'),
  good('gold-1200', '1,200 gold', 'The merchant knows your name.', '9.99'),
  good('skin-aurora', 'Aurora cloak', 'It shimmers at night.', '6.50'),
  good('season-pass', 'Season pass', 'Everything that this season brings.', '12.00'),
  good('north-keep', 'North Keep', 'A castle, above the limit of who shows no document.', '640.00'),
  club('club-monthly', 'Lantern Club', '4.99', 'monthly'),
  club('club-daily', 'Lantern Club, day by day', '0.29', 'daily'),
  club('club-yearly', 'Lantern Club, a year', '49.00', 'yearly'),
  coin('btc', 'BTC', '50.00'),
  coin('eth', 'ETH', '50.00'),
  coin('usdc', 'USDC', '50.00'),
]

/**
 * Everything on sale for these parameters, the requested offer first.
 *
 * - `product_id` selects the offer; an id that isn't in the catalogue is sold as a digital good of that name.
 * - `base` without a `product_id` selects crypto.
 * - `quote` and `quote_amount` set the price. A merchant must check the amount of an order before delivery: the shopper
 *   can edit the URL.
 * - `base_amount` sets the price of crypto when `quote_amount` doesn't; `address` is the wallet.
 *
 * @throws Refusal naming the invalid parameter.
 */
export function offersFor(params: WidgetParams): Offer[] {
  const asked = askedOffer(params)
  if (!asked) return [...catalog]
  return [priced(asked, params), ...catalog.filter((offer) => offer.product_id !== asked.product_id)]
}

function askedOffer({ product_id, base }: WidgetParams): Offer | undefined {
  if (product_id) {
    if (product_id.length > 100) throw invalid('product_id', 'must have at most 100 characters')
    const known = catalog.find((offer) => offer.product_id === product_id)
    if (known) return known
    return base ? coin(product_id, base, '50.00') : good(product_id, product_id, '', '5.00')
  }
  return base ? coin(base.toLowerCase(), base, '50.00') : undefined
}

function priced(offer: Offer, params: WidgetParams): Offer {
  const quote = params.quote || offer.quote
  if (!/^[A-Z]{3}$/.test(quote)) throw invalid('quote', 'must be a currency code of three capital letters')
  if (offer.kind !== 'crypto') return { ...offer, quote, quote_amount: amount(params, 'quote_amount', offer) }
  return pricedCrypto({ ...offer, quote }, params)
}

function pricedCrypto(offer: Extract<Offer, { kind: 'crypto' }>, params: WidgetParams): Offer {
  const base = params.base || offer.base
  const { rate } = knownCoin(base)
  const address = params.address || offer.address
  if (!/^[\w:.-]{4,120}$/.test(address)) throw invalid('address', 'must be a wallet address')
  if (params.base_amount && !params.quote_amount) {
    const base_amount = amount(params, 'base_amount', offer)
    return { ...offer, base, address, quote_amount: priceOf(base_amount, rate), base_amount }
  }
  const quote_amount = amount(params, 'quote_amount', offer)
  return { ...offer, base, address, quote_amount, base_amount: convert(quote_amount, rate) }
}

function amount(params: WidgetParams, field: 'quote_amount' | 'base_amount', offer: Offer): string {
  const given = params[field]
  if (!given) return offer.quote_amount
  if (!isAmount(given)) throw invalid(field, 'must be a decimal amount above zero, as in "4.99"')
  return given
}

export const limitKindOf = (kind: Offer['kind']): LimitKind =>
  kind === 'crypto' ? 'crypto' : 'digital_goods'

/** The offer that a visit selected, while it is on sale. */
export function offerOf({ params, product_id }: Pick<CheckoutVisit, 'params' | 'product_id'>): Offer {
  return offersFor(params).find((offer) => offer.product_id === product_id) ?? firstOffer(params)
}

/** The offer that is selected until the shopper selects another. */
export function firstOffer(params: WidgetParams): Offer {
  const [first] = offersFor(params)
  if (!first) throw new Error('The catalogue is empty.')
  return first
}
