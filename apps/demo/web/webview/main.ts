/** Fills in the product and the launch address. An app writes that address itself and needs no page. */
import { catalogue, findProduct, priceOf } from '../../catalogue.ts'
import { returnAddresses } from '../purchase/choices.ts'
import '../theme.ts'
import './webview.css'

const product = findProduct(new URLSearchParams(location.search).get('product')) ?? catalogue[0]
const write = (id: string, text: string): void => {
  const element = document.getElementById(id)
  if (element) element.textContent = text
}

if (product) {
  write('name', product.name)
  write('price', priceOf(product))
  write('pitch', product.pitch)
  write('buy', `Buy ${product.name}`)
  const params = new URLSearchParams({
    product_id: product.id,
    ...returnAddresses(location.origin, 'launch'),
    redirect_page: 'self',
  })
  document.getElementById('buy')?.setAttribute('href', `/api/purchase-widget/launch?${params}`)
}
