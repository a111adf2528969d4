/**
 * What a shop without a framework adds to the script tag: it keeps the button's attributes in step with the page's
 * choices, and shows the result. A page that sells one thing in one way needs neither.
 */
import type { PurchaseResult } from '@purchase-widget/loader'
import { catalogue, findProduct, type Product, paramsOf, priceOf } from '../../catalogue.ts'
import { readChoices, returnAddresses } from '../purchase/choices.ts'
import { describeResult } from '../purchase/describeResult.ts'
import { htmlSnippet } from '../shop/snippets.ts'
import { tell } from '../story/tell.ts'
import '../theme.ts'
import './plain.css'

function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`plain.html has no ${type.name} with the id "${id}".`)
  return found
}

const query = new URLSearchParams(location.search)
const product = findProduct(query.get('product')) ?? firstProduct()
const form = element('choices', HTMLFormElement)
const button = element('buy', HTMLButtonElement)
const output = element('result', HTMLOutputElement)

function firstProduct(): Product {
  const [first] = catalogue
  if (!first) throw new Error('The catalogue is empty.')
  return first
}

function showProduct(): void {
  element('name', HTMLElement).textContent = product.name
  element('pitch', HTMLElement).textContent = product.pitch
  element('price', HTMLElement).textContent = priceOf(product)
  button.textContent = `Buy ${product.name}`
  for (const [name, value] of Object.entries({ ...paramsOf(product), ...returnAddresses(location.origin) })) {
    button.setAttribute(`data-param-${name}`, value)
  }
}

/** The choices stand in the address, so that a choice can be linked to. */
function applyChoices(): void {
  const { mode, redirectPage } = readChoices(query)
  button.dataset.mode = mode
  button.dataset.redirectPage = redirectPage
  if (mode === 'iframe') button.dataset.container = '#widget'
  else delete button.dataset.container
  document.body.dataset.mode = mode
  for (const radio of form.querySelectorAll('input'))
    radio.checked = [mode, redirectPage].includes(radio.value as never)
  element('markup', HTMLElement).textContent = htmlSnippet({
    mode,
    redirectPage,
    params: paramsOf(product),
    name: product.name,
  })
}

function showResult(result: PurchaseResult): void {
  if (result.status === 'redirected') return
  const { tone, title, detail } = describeResult(result)
  const order = 'order' in result ? result.order : undefined
  const strong = document.createElement('strong')
  strong.className = 'outcome-title'
  strong.dataset.tone = tone
  strong.textContent = title
  const words = document.createElement('span')
  words.textContent = detail
  output.replaceChildren(strong, words)
  output.dataset.testid = 'purchase-result'
  output.dataset.status = result.status
  output.dataset.verified = String('verified' in result && result.verified)
  output.dataset.orderId = order?.id ?? ''
  output.dataset.orderType = order?.type ?? ''
  output.dataset.declineCode = order?.decline?.code ?? ''
  output.hidden = false
}

form.addEventListener('change', () => {
  for (const [name, value] of new FormData(form)) query.set(name, String(value))
  history.replaceState(null, '', `?${query}`)
  applyChoices()
})
button.addEventListener('click', () => {
  output.hidden = true
  tell({ from: 'page', to: 'page', text: 'Buy, by the script tag', begins: true })
  delete output.dataset.testid
})
document.addEventListener('purchasewidget:result', (event) => {
  showResult((event as CustomEvent<PurchaseResult>).detail)
})

showProduct()
applyChoices()
