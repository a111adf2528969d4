/** What the pages without a framework have in common. */
import { catalogue, findProduct, type Product, priceOf } from '../../catalogue.ts'
import { copyText } from '../copyText.ts'
import { showStory } from '../story/storyView.ts'

/** @throws Error where the page has no such element. */
export function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} with the id "${id}".`)
  return found
}

/** The product that the address names, or the first. */
export function productIn(query: URLSearchParams): Product {
  const [first] = catalogue
  const product = findProduct(query.get('product')) ?? first
  if (!product) throw new Error('The catalogue is empty.')
  return product
}

export function showProduct(product: Product): HTMLAnchorElement {
  const link = element('buy', HTMLAnchorElement)
  element('name', HTMLElement).textContent = product.name
  element('price', HTMLElement).textContent = priceOf(product)
  link.textContent = `Buy ${product.name}`
  link.href = `/api/purchase-widget/launch?product_id=${encodeURIComponent(product.id)}`
  return link
}

/** Draws the story, and lets the code be copied. */
export function startWitness(): void {
  showStory(element('story', HTMLElement))
  const button = element('copy', HTMLButtonElement)
  const words = button.firstElementChild
  button.addEventListener('click', async () => {
    const said = await copyText(element('code', HTMLElement).textContent)
    if (!words) return
    words.textContent = said
    setTimeout(() => {
      words.textContent = 'Copy'
    }, 2_000)
  })
}
