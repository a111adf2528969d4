/**
 * What a shop without a framework adds to the script tag: it keeps the link's attributes in step with the page's choices, and shows the
 * result. A page that sells one thing in one way needs neither.
 */
import type { PurchaseResult } from '@purchase-widget/loader'
import { catalogue, findProduct, type Product, priceOf } from '../../catalogue.ts'
import { readChoices } from '../purchase/choices.ts'
import { describeResult, type ShownResult } from '../purchase/describeResult.ts'
import { htmlSnippet } from '../shop/snippets.ts'
import { stepOfResult } from '../story/steps.ts'
import { showStory } from '../story/storyView.ts'
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
const link = element('buy', HTMLAnchorElement)
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
  link.textContent = `Buy ${product.name}`
  link.href = `/api/purchase-widget/launch?product_id=${encodeURIComponent(product.id)}`
}

/** The choices stand in the address, so that a choice can be linked to. */
function applyChoices(): void {
  const choices = readChoices(query)
  const { mode, redirectPage, token } = choices
  link.dataset.mode = mode
  link.dataset.redirectPage = redirectPage
  if (mode === 'iframe') link.dataset.container = '#widget'
  else delete link.dataset.container
  if (token === 'server') link.dataset.launch = ''
  else delete link.dataset.launch
  document.body.dataset.mode = mode
  for (const radio of form.querySelectorAll('input'))
    radio.checked = radio.value === choices[radio.name as keyof typeof choices]
  element('markup', HTMLElement).textContent = htmlSnippet({
    ...choices,
    productId: product.id,
    name: product.name,
  })
}

/** What the output says while there is no result. */
const atRest = [...output.childNodes]

function clearResult(): void {
  output.replaceChildren(...atRest)
  for (const name of Object.keys(output.dataset)) delete output.dataset[name]
}

function showResult(result: ShownResult): void {
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
}

form.addEventListener('change', () => {
  for (const [name, value] of new FormData(form)) query.set(name, String(value))
  history.replaceState(null, '', `?${query}`)
  applyChoices()
})
link.addEventListener('click', () => {
  clearResult()
  tell({ from: 'page', to: 'page', text: 'Click on Buy', call: 'script tag', begins: true })
})
document.addEventListener('purchasewidget:result', (event) => {
  const result: PurchaseResult = event.detail
  tell(stepOfResult(result))
  if (result.status !== 'redirected') showResult(result)
})

showProduct()
applyChoices()
showStory(element('story', HTMLElement))
