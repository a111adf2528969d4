/** The shop's products and prices. The server sets prices from it, and the pages display it. */

interface ProductBase {
  /** `product_id` on the wire. */
  id: string
  name: string
  /** One-line description. */
  pitch: string
  /** Decimal string in US dollars. */
  price: string
}

export type Product =
  | (ProductBase & { kind: 'item' })
  | (ProductBase & { kind: 'subscription'; interval: 'month' })
  | (ProductBase & { kind: 'crypto'; coin: string; address: string })

export const catalogue: readonly [Product, ...Product[]] = [
  {
    kind: 'item',
    id: 'gold-100',
    name: '100 gold',
    pitch: 'A pocketful, for a first sword.',
    price: '0.99',
  },
  {
    kind: 'item',
    id: 'skin-aurora',
    name: 'Aurora cloak',
    pitch: 'Northern lights, worn lightly.',
    price: '6.50',
  },
  {
    kind: 'subscription',
    id: 'club-monthly',
    name: 'Lantern Club',
    pitch: 'Fifty gold a week, paid by the month.',
    price: '4.99',
    interval: 'month',
  },
  {
    kind: 'crypto',
    id: 'btc',
    name: 'Bitcoin',
    pitch: 'Sent to the wallet of your account.',
    price: '32.00',
    coin: 'BTC',
    address: 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
  },
  {
    kind: 'item',
    id: 'north-keep',
    name: 'North Keep',
    pitch: 'A castle. At this price the widget asks who you are.',
    price: '640.00',
  },
]

export const findProduct = (id: string | null | undefined): Product | undefined =>
  catalogue.find((product) => product.id === id)

/** `4.99 USD`, `4.99 USD a month`: amounts as the widget writes them. */
export const priceOf = (product: Product): string =>
  product.kind === 'subscription' ? `${product.price} USD a ${product.interval}` : `${product.price} USD`
