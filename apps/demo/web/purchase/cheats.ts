/** What a shopper with developer tools can do: change what the server has given to the page, before the widget is opened with it. */
import { findProduct, type Product } from '../../catalogue.ts'
import { type Choice, pick } from './choices.ts'

type Params = Readonly<Record<string, string>>

export type Cheat = 'none' | 'price' | 'product' | 'wallet' | 'return'

/** How each changes the widget's parameters. */
const change: Record<Cheat, (params: Params) => Params> = {
  none: (params) => params,
  price: (params) => ({ ...params, quote_amount: '0.01' }),
  product: (params) => ({ ...params, product_id: dearerThan(params.product_id) }),
  wallet: (params) => ({ ...params, address: '0x000000000000000000000000000000000000dEaD' }),
  return: ({ redirect_url: _success, fail_redirect_url: _failure, ...params }) => params,
}

const dearerThan = (productId: string | undefined): string =>
  productId === 'north-keep' ? 'season-pass' : 'north-keep'

/** Those that mean something for a product, the honest way first. */
export function cheatsFor(product: Product): Choice<Cheat>[] {
  const dearer = findProduct(dearerThan(product.id))?.name ?? ''
  return [
    { value: 'none', label: 'Nothing', hint: 'The purchase is what the shop sold.' },
    { value: 'price', label: 'A lower price', hint: 'One cent, and no more.' },
    { value: 'product', label: 'Another product', hint: `${dearer}, at this one’s price.` },
    ...(product.kind === 'crypto'
      ? [{ value: 'wallet' as const, label: 'Another wallet', hint: 'The coins would go elsewhere.' }]
      : []),
    { value: 'return', label: 'No return address', hint: 'The order then names no purchase of the shop’s.' },
  ]
}

/** `?cheat=price`. */
export const cheatIn = (query: URLSearchParams, product: Product): Cheat =>
  pick(cheatsFor(product), query.get('cheat')) ?? 'none'

/**
 * Changes every token answer that this page gets from now on; gives back the undo.
 *
 * @param onChange is told the names of the parameters that were changed.
 */
export function tamper(cheat: Cheat, onChange: (names: string[]) => void): () => void {
  if (cheat === 'none') return () => {}
  const honest = window.fetch
  window.fetch = async (input, init) => {
    const response = await honest(input, init)
    if (!response.ok || new URL(response.url).pathname !== '/api/purchase-widget/token') return response
    const grant: { params: Params } = await response.json()
    const params = change[cheat](grant.params)
    onChange(Object.keys(grant.params).filter((name) => params[name] !== grant.params[name]))
    return Response.json({ ...grant, params })
  }
  return () => {
    window.fetch = honest
  }
}
