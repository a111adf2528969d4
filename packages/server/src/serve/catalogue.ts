/** The catalogue: a file of products and prices, instead of the createPurchase hook. */
import { z } from 'zod'
import { PurchaseRefused, problemOf } from '../errors.ts'
import { checkDecision } from '../purchase/begin.ts'
import type { CreatePurchase, PurchaseDecision } from '../purchase/purchase.ts'
import { must, object, text } from './configuration.ts'

const params = 'an object of the widget’s parameters, e.g. { "quote": "USD", "quote_amount": "0.99" }'

const product = z.record(z.string(), text('text: amounts too, e.g. "0.99"'), { error: must(params) })

const file = object('an object: { "products": { "gold-100": { "quote": "USD", "quote_amount": "0.99" } } }', {
  $schema: z.string().exactOptional(),
  returnUrl: text('the thank-you page, e.g. "/thanks"').exactOptional(),
  failReturnUrl: text('the page after a decline, e.g. "/basket"').exactOptional(),
  products: z
    .record(z.string(), product, { error: must(`an object of product ids, each with ${params}`) })
    .refine((products) => Object.keys(products).length > 0, { error: 'must have at least one product.' }),
})

/** Relative return addresses are valid wherever the companion is. */
const anyUrl = 'https://shop.example'

/** Reads the file as what decides its sales. */
export const catalogueSchema: z.ZodType<CreatePurchase> = file.transform(
  ({ $schema, products, ...returns }, context) => {
    const decisions = new Map<string, PurchaseDecision>()
    for (const [product_id, params] of Object.entries(products)) {
      const decision = { params: { ...params, product_id }, ...returns }
      decisions.set(product_id, decision)
      const problem = problemOf(() => checkDecision(decision, anyUrl))
      if (problem === null) continue
      const message = `cannot be sold: ${problem}`
      context.addIssue({ code: 'custom', path: ['products', product_id], message })
    }
    return ({ params: { product_id = '' } }) => {
      const decision = decisions.get(product_id)
      if (!decision) throw new PurchaseRefused('We do not sell that.')
      return decision
    }
  },
)
