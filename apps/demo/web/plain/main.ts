/**
 * What a shop without a framework adds to the script tag: it keeps the link's attributes in step with the page's choices, and shows the
 * result. A page that sells one thing in one way needs neither.
 */
import type { getPendingResult, PurchaseResult } from '@purchase-widget/loader'
import { languages } from '../../languages.ts'
import { readChoices } from '../purchase/choices.ts'
import { describeResult, type ShownResult } from '../purchase/describeResult.ts'
import { htmlSnippet } from '../shop/snippets.ts'
import { stepOfResult } from '../story/steps.ts'
import { tell } from '../story/tell.ts'
import '../theme.ts'
import { element, productIn, showProduct, startWitness } from './parts.ts'
import './plain.css'

declare global {
  interface Window {
    /** Of the script tag, once it is here. */
    PurchaseWidget?: { getPendingResult: typeof getPendingResult }
  }
}

const query = new URLSearchParams(location.search)
const product = productIn(query)
const form = element('choices', HTMLFormElement)
const link = showProduct(product)
const script = document.querySelector('script[src$="/purchase-widget.js"]')
const locale = element('locale', HTMLSelectElement)
const output = element('result', HTMLOutputElement)

/** The choices stand in the address, so that a choice can be linked to. */
function applyChoices(): void {
  const choices = readChoices(query)
  const { mode, redirectPage, token } = choices
  link.dataset.mode = mode
  link.dataset.redirectPage = redirectPage
  if (mode === 'iframe') link.dataset.container = '#widget'
  else delete link.dataset.container
  script?.toggleAttribute('data-page-token', token === 'page')
  if (choices.locale === 'en') delete link.dataset.locale
  else link.dataset.locale = choices.locale
  element('desk', HTMLElement).dataset.mode = mode
  for (const radio of form.querySelectorAll('input'))
    radio.checked = radio.value === choices[radio.name as keyof typeof choices]
  element('code', HTMLElement).textContent = htmlSnippet({
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
  link.textContent = `Buy ${product.name}`
}

/** A page that was reloaded while its shopper paid: the script says so beneath it, and tells the result. Meanwhile the link is busy. */
async function awaitEarlier(): Promise<void> {
  const onPending = (): void => {
    const words = document.createElement('span')
    words.className = 'busy'
    words.textContent = 'Asking the shop how it ended…'
    output.replaceChildren(words)
    link.ariaBusy = 'true'
  }
  const result = await window.PurchaseWidget?.getPendingResult({
    companion: '/api/purchase-widget',
    onPending,
  })
  link.ariaBusy = null
  if (!result) clearResult()
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
  if (order) output.append(orderLine(order.id))
  if (result.status === 'failure') link.textContent = 'Try again'
  output.dataset.testid = 'purchase-result'
  output.dataset.status = result.status
  output.dataset.verified = String('verified' in result && result.verified)
  output.dataset.orderId = order?.id ?? ''
  output.dataset.orderType = order?.type ?? ''
  output.dataset.declineCode = order?.decline?.code ?? ''
}

function orderLine(id: string): HTMLElement {
  const line = document.createElement('span')
  line.className = 'outcome-order'
  const code = document.createElement('code')
  code.textContent = id
  line.append('Order ', code)
  return line
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
document.addEventListener('purchase-widget-result', (event) => {
  const result: PurchaseResult = event.detail
  tell(stepOfResult(result))
  if (result.status !== 'redirected') showResult(result)
})

// The page comes with the script of its language: another language is another page.
locale.replaceChildren(...Object.entries(languages).map(([tag, { name }]) => new Option(name, tag)))
locale.value = readChoices(query).locale
locale.addEventListener('change', () => {
  query.set('locale', locale.value)
  location.search = `${query}`
})

applyChoices()
startWitness()
if (window.PurchaseWidget) void awaitEarlier()
else script?.addEventListener('load', awaitEarlier)
