/** Shows what an app does. An app writes the address itself and needs no page. */
import { element, productIn, showProduct, startWitness } from '../plain/parts.ts'
import { webviewSnippet } from '../shop/snippets.ts'
import '../theme.ts'
import '../plain/plain.css'

const product = productIn(new URLSearchParams(location.search))
showProduct(product)
element('code', HTMLElement).textContent = webviewSnippet(product.id, location.origin)
startWitness()
