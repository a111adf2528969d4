// Promise: loader/foreign-names
/** Named elements and properties of `Object.prototype` that other code adds to the page do not affect the script tag. */
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { ReturnInfo } from '../../src/index.ts'
import { createCompanion } from './page.ts'

/** What the shopper and the server see of one purchase. */
interface Seen {
  /** How many tokens were fetched before the click, and by the time the widget has loaded. */
  tokens: number[]
  address: string
  windows: unknown[][]
  drawn: string
  /** The page's address as the script tag reads it. */
  returned: unknown[]
}

type Page = Window & {
  /** Asks the widget for its address on behalf of the page. */
  ask(widget: Window): void
  PurchaseWidget: { announceReturn(): ReturnInfo; ready(callback: () => void): void }
}

/** HTML before the script tag, and what happens once the script has loaded. */
interface Foreign {
  before?: string
  /** Clicks the button before the second file has loaded. */
  early?: boolean
  after?: (page: Page) => void
}

/** Waits up to five seconds for a value from `get`. */
async function soon<Value>(get: () => Value | undefined): Promise<Value> {
  for (let tries = 0; tries < 250; tries++) {
    const value = get()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('Nothing came.')
}

/** A merchant's page in a frame: the script tag with its companion, and a button. */
async function load({ before = '', early = false, after }: Foreign, companion: string): Promise<Page> {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  frame.srcdoc = `<!doctype html><body>${before}
    <script>ask = (widget) => widget.postMessage({ where: true }, '*')</script>
    <script src="/script/scriptTag" data-companion="${companion}"></script>
    <button data-purchase-widget data-mode="popup" data-param-product_id="gold-100">Buy</button>`
  await loaded
  const page = frame.contentWindow as Page
  if (!early) await new Promise((resolve) => page.PurchaseWidget.ready(() => resolve(null)))
  after?.(page)
  return page
}

/** Hovers over the button and clicks it, with the popup blocked, so that the dialog opens instead. */
async function buy(foreign: Foreign): Promise<Seen> {
  const companion = await createCompanion()
  const page = await load(foreign, companion.url)
  const windows: unknown[][] = []
  page.open = (...parameters) => {
    // Each window has its own name.
    windows.push([parameters[0], /^0\.\d/.test(`${parameters[1]}`), parameters[2]])
    return null
  }
  let address = ''
  page.addEventListener('purchase-widget-message', (event) => {
    address = (event as CustomEvent<{ data: string }>).detail.data
  })
  const button = page.document.querySelector('button')
  button?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  // Whatever the pointer triggers has started by the page's next task.
  if (!foreign.early) await new Promise((resolve) => page.setTimeout(resolve))
  const preloaded = (await companion.state()).tokens
  button?.click()
  const root = await soon(() =>
    [...page.document.querySelectorAll('div')].map(({ shadowRoot }) => shadowRoot).find((each) => !!each),
  )
  await soon(() => {
    const widget = root.querySelector('iframe')?.contentWindow
    if (widget) page.ask(widget)
    return root.querySelector('p') ? '' : address
  })
  const { status, url, orderId, declineCode } = page.PurchaseWidget.announceReturn()
  return {
    tokens: [preloaded, (await companion.state()).tokens],
    address,
    windows,
    // Each page has its own companion and ticket.
    drawn: ((root.host.cloneNode() as Element).outerHTML + root.innerHTML)
      .replace(companion.url, '/companion')
      .replace(/ticket=[\w-]+/, 'ticket'),
    returned: [status, url, orderId, declineCode],
  }
}

let untouched: Seen

beforeAll(async () => {
  untouched = await buy({})
})

afterEach(() => {
  for (const frame of document.querySelectorAll('iframe')) frame.remove()
})

test('a page without foreign names buys the product that its button names', () => {
  const { tokens, address, windows, returned } = untouched
  expect(tokens).toEqual([0, 1])
  expect(address).toMatch(/\/widget\/\?accessToken=canary-token&product_id=gold-100&custom_id=shopper-1$/)
  expect(windows).toEqual([['', true, 'width=480,height=720']])
  expect(returned).toEqual(['unknown', 'about:srcdoc', undefined, undefined])
})

const evil = 'data-companion="https://evil.example" data-mode="modal" data-preload="intent" data-title="evil"'

/** With full counts each page has one foreign name; otherwise a page has many, and any one that has an effect fails the test. */
const isFull = import.meta.env.EVIDENCE === 'full'

/** Ways in which HTML adds a named property to the document or the window. */
const carriers: readonly ((name: string) => string)[] = [
  (name) => `<img name="${name}" ${evil}>`,
  (name) => `<form name="${name}" ${evil}></form>`,
  (name) => `<form name="${name}" ${evil}></form><form name="${name}"></form>`,
  (name) => `<embed name="${name}" ${evil}>`,
  (name) => `<object name="${name}" id="${name}" ${evil}></object>`,
  (name) => `<iframe name="${name}" ${evil}></iframe>`,
  (name) => `<iframe name="${name}" ${evil} sandbox src="data:text/html,"></iframe>`,
]
const names = ['currentScript', 'baseURI', 'PurchaseWidget']

const form = (inputs: readonly string[]): string =>
  `<form id="PurchaseWidget">${inputs.map((name) => `<input name="${name}">`).join('')}</form>`
const inputs = ['q', 'ready', 'createPurchaseWidget', 'announceReturn']

const elements = isFull
  ? [
      ...carriers.flatMap((carrier) => names.map(carrier)),
      '<a id="PurchaseWidget"></a>',
      '<a id="PurchaseWidget"></a><a id="PurchaseWidget" name="q"></a>',
      ...inputs.map((name) => form([name])),
    ]
  : // An element, a collection, a window of another origin, and members of the shared global.
    [carriers.at(0), carriers.at(2), carriers.at(-1)]
      .map((carrier) => names.map((name) => carrier?.(name)).join(''))
      .concat(form(inputs))

test.each(elements)('%s has no effect, before or after the second file has loaded', async (before) => {
  const seen = await Promise.all([buy({ before }), buy({ before, early: true })])
  expect(seen).toEqual([untouched, untouched])
})

/** Keys that the loader reads, each with a value whose effect would be visible. */
const polluted: Record<string, unknown> = {
  companion: 'https://evil.example',
  accessToken: 'evil',
  launchUrl: 'https://evil.example/launch',
  widgetUrl: 'https://evil.example',
  confirm: () => null,
  mode: 'redirect',
  container: 'body',
  redirectPage: 'new',
  whenBlocked: 'none',
  pageToken: true,
  headers: { authorization: 'evil' },
  permissions: ['evil'],
  frameSandbox: '',
  purchaseId: 'evil',
  outcome: 'success',
  params: { email: 'evil' },
  preload: 'intent',
  loadTimeout: 1,
  popup: { width: 1, height: 1 },
  title: 'evil',
  locale: 'ar',
  strings: { title: 'evil', close: 'evil' },
  theme: 'dark',
  allowedReturnOrigins: ['https://evil.example'],
  interpretMessage: () => ({ type: 'close' }),
  origins: ['https://evil.example'],
  width: 1,
  height: 1,
  redirectUrl: 'https://evil.example',
  failRedirectUrl: 'https://evil.example',
  order_id: 'evil',
  type: 'order_complete',
  fail_reason: '4000',
  q: [() => 0],
  createPurchaseWidget: () => 0,
  PurchaseWidget: { createPurchaseWidget: () => 0 },
  expiresAt: '2000-01-01T00:00:00Z',
  widgetOrigin: 'https://evil.example',
  lang: 'ar',
  busy: true,
  ...Object.fromEntries(
    [
      ...['custom_id', 'user_id', 'product_id', 'base', 'base_amount', 'quote', 'quote_amount', 'address'],
      ...['email', 'utm_source', 'clickID', 'campaignID', 'redirect_url', 'fail_redirect_url'],
      ...['loading', 'close', 'inOtherWindow', 'bringToFront', 'finished', 'failed', 'retry'],
    ].map((name) => [name, 'evil']),
  ),
  redirect_page: 'new',
}

/** Lets the framed page take the value from this page, functions included. */
const pollute = (page: Window, key: string): void => {
  ;(page as unknown as { Object: ObjectConstructor }).Object.prototype[key as 'valueOf'] = polluted[
    key
  ] as () => object
}

Object.assign(window, { pollute })

const keys = Object.keys(polluted)
const pages = isFull ? keys.map((key) => [key]) : [keys]

test.each(pages.map((page) => page.join(', ')))(
  'the loader ignores %s on Object.prototype, set before or after the script loads',
  async (listed) => {
    const before = `<script>for (const key of '${listed}'.split(', ')) parent.pollute(window, key)</script>`
    const after = (page: Page): void => {
      for (const key of listed.split(', ')) pollute(page, key)
    }
    const seen = await Promise.all([buy({ before }), buy({ after, early: true })])
    expect(seen).toEqual([untouched, untouched])
  },
)
