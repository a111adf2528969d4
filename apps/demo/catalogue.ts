/** What the shop sells, and at which price. The server decides with it, and the pages show it. */

export type ProductKind = 'item' | 'subscription' | 'crypto'

interface ProductBase {
  /** `product_id` on the wire. */
  id: string
  name: string
  /** One line for the shelf. */
  pitch: string
  /** Decimal string in `currency`. */
  price: string
  currency: 'USD'
  soldOut?: true
}

export type Product =
  | (ProductBase & { kind: 'item' })
  | (ProductBase & { kind: 'subscription'; interval: 'month' | 'year' })
  | (ProductBase & { kind: 'crypto'; coin: string; address: string })

export const catalogue: readonly Product[] = [
  item('gold-100', '100 gold', 'A pocketful, for a first sword.', '0.99'),
  item('gold-550', '550 gold', 'Enough for a horse, or two mules.', '4.99'),
  item('gold-1200', '1,200 gold', 'A chest. Bring somebody to carry it.', '9.99'),
  item('skin-aurora', 'Aurora cloak', 'Northern lights, worn lightly.', '6.50'),
  item('season-pass', 'Season pass', 'Twelve weeks, forty rewards, no homework.', '12.00'),
  item('north-keep', 'North Keep', 'A castle. At this price the widget asks who you are.', '640.00'),
  { ...item('first-crown', 'First crown', 'One was made, and one was sold.', '99.00'), soldOut: true },
  subscription('club-monthly', 'Lantern Club', 'Fifty gold each week, paid by the month.', '4.99', 'month'),
  subscription('club-yearly', 'Lantern Club, a year', 'The same, for ten months’ money.', '49.00', 'year'),
  crypto('btc', 'Bitcoin', '32.00', 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh'),
  crypto('eth', 'Ether', '32.00', '0x52908400098527886E0F7030069857D2E4169EE7'),
  crypto('usdc', 'USD Coin', '20.00', '0x52908400098527886E0F7030069857D2E4169EE7'),
]

export function findProduct(id: string | null | undefined): Product | undefined {
  return catalogue.find((product) => product.id === id)
}

/** `4.99 USD`, `4.99 USD a month`: amounts as the widget writes them. */
export function priceOf(product: Product): string {
  const amount = `${product.price} ${product.currency}`
  return product.kind === 'subscription' ? `${amount} a ${product.interval}` : amount
}

function item(id: string, name: string, pitch: string, price: string): Product {
  return { kind: 'item', id, name, pitch, price, currency: 'USD' }
}

function subscription(
  id: string,
  name: string,
  pitch: string,
  price: string,
  interval: 'month' | 'year',
): Product {
  return { kind: 'subscription', id, name, pitch, price, currency: 'USD', interval }
}

function crypto(id: string, name: string, price: string, address: string): Product {
  const coin = id.toUpperCase()
  const pitch = `${coin}, sent to the wallet of your account.`
  return { kind: 'crypto', id, name, pitch, price, currency: 'USD', coin, address }
}
