/** The file of products and prices that `createPurchase.catalogue` names. */
import { z } from 'zod'
import { PurchaseRefused } from '../errors.ts'
import type { CreatePurchase } from '../purchase/purchase.ts'
import { must, object, text } from './configuration.ts'

export interface Catalogue {
  $schema?: string
  /** Where shoppers go afterwards, as in `createPurchase`'s answer. */
  returnUrl?: string
  failReturnUrl?: string
  /** By product id, the widget's parameters: `quote` and `quote_amount`, or `base` and `base_amount`. */
  products: Record<string, Record<string, string>>
}

const params = 'an object of the widget’s parameters, e.g. { "quote": "USD", "quote_amount": "0.99" }'

const product = z.record(z.string(), text('text: amounts too, e.g. "0.99"'), { error: must(params) })

export const catalogueSchema: z.ZodType<Catalogue> = object(
  'an object: { "products": { "gold-100": { "quote": "USD", "quote_amount": "0.99" } } }',
  {
    $schema: z.string().exactOptional(),
    returnUrl: text('the page that says thank you, e.g. "/thanks"').exactOptional(),
    failReturnUrl: text('the page after a decline, e.g. "/basket"').exactOptional(),
    products: z
      .record(z.string(), product, { error: must(`an object of product ids, each with ${params}`) })
      .refine((products) => Object.keys(products).length > 0, { error: 'must have at least one product.' }),
  },
)

export function createPurchaseByCatalogue({ $schema, products, ...returns }: Catalogue): CreatePurchase {
  return ({ params: { product_id = '' } }) => {
    // Own names alone: a link may ask for "constructor".
    const product = Object.hasOwn(products, product_id) ? products[product_id] : undefined
    if (!product) throw new PurchaseRefused('We do not sell that.')
    return { params: { ...product, product_id }, ...returns }
  }
}
