/** What the shop sells. Prices are the shop's own; the server checks them again before it delivers anything. */

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
}

export type Product =
  | (ProductBase & { kind: 'item' })
  | (ProductBase & { kind: 'subscription'; interval: 'month' | 'year' })
  | (ProductBase & { kind: 'crypto'; coin: string; amount: string; address: string })

export const catalogue: readonly Product[] = [
  item('gold-100', '100 gold', 'A pocketful, for a first sword.', '0.99'),
  item('gold-550', '550 gold', 'Enough for a horse, or two mules.', '4.99'),
  item('gold-1200', '1,200 gold', 'A chest. Bring somebody to carry it.', '9.99'),
  item('skin-aurora', 'Aurora cloak', 'Northern lights, worn lightly.', '6.50'),
  item('season-pass', 'Season pass', 'Twelve weeks, forty rewards, no homework.', '12.00'),
  subscription('club-monthly', 'Lantern Club', 'Fifty gold each week, paid by the month.', '4.99', 'month'),
  subscription('club-yearly', 'Lantern Club, a year', 'The same, for ten months’ money.', '49.00', 'year'),
  crypto('btc', 'Bitcoin', '0.0005', '32.00', 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh'),
  crypto('eth', 'Ether', '0.01', '32.00', '0x52908400098527886E0F7030069857D2E4169EE7'),
  crypto('usdc', 'USD Coin', '20', '20.00', '0x52908400098527886E0F7030069857D2E4169EE7'),
]

export function findProduct(id: string | null | undefined): Product | undefined {
  return catalogue.find((product) => product.id === id)
}

/** `$4.99`, `$4.99 a month`. */
export function priceOf(product: Product): string {
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: product.currency }).format(
    Number(product.price),
  )
  return product.kind === 'subscription' ? `${amount} a ${product.interval}` : amount
}

/** The widget's parameters for a product: order fields of section 2.2 of the interface. */
export function paramsOf(product: Product): Record<string, string> {
  const params = { product_id: product.id, quote: product.currency, quote_amount: product.price }
  return product.kind === 'crypto'
    ? { ...params, base: product.coin, base_amount: product.amount, address: product.address }
    : params
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

function crypto(id: string, name: string, amount: string, price: string, address: string): Product {
  const coin = id.toUpperCase()
  const pitch = `${amount} ${coin}, sent to your wallet.`
  return { kind: 'crypto', id, name, pitch, price, currency: 'USD', coin, amount, address }
}
