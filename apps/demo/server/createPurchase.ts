/** What is sold, and at which price: the catalogue says so, whatever the page has asked for. */
import { type CreatePurchase, PurchaseRefused } from '@purchase-widget/server'
import { findProduct } from '../catalogue.ts'

/** One page for both: it reads the result. */
const returns = { returnUrl: '/return.html', failReturnUrl: '/return.html' }

export const createPurchase: CreatePurchase = ({ params: wished }) => {
  const product = findProduct(wished.product_id)
  if (!product) throw new PurchaseRefused('The shop does not sell that.')
  if (product.soldOut) throw new PurchaseRefused(`${product.name} is sold out.`)

  const params = { product_id: product.id, quote: product.currency, quote_amount: product.price }
  if (product.kind !== 'crypto') return { params, ...returns }
  return {
    params: { ...params, base: product.coin, address: product.address },
    // The money is decided; how many coins it buys is known when it is paid.
    open: ['base_amount'],
    ...returns,
  }
}
