/** Fills in the product. An app writes the address itself and needs no page. */
import { findProduct, priceOf } from '../../catalogue.ts'
import '../theme.ts'
import './webview.css'

const product = findProduct(new URLSearchParams(location.search).get('product'))
const write = (id: string, text: string): void => {
  const element = document.getElementById(id)
  if (element) element.textContent = text
}

if (product) {
  write('name', product.name)
  write('price', priceOf(product))
  write('pitch', product.pitch)
  write('buy', `Buy ${product.name}`)
  document
    .getElementById('buy')
    ?.setAttribute('href', `/api/purchase-widget/launch?product_id=${encodeURIComponent(product.id)}`)
}
