// Promise: script/sanitised
/** A shop that shows untrusted HTML, sanitised of scripts but not of `data-*`, `name` and `id`, opens only its own widget. */
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { pageOf } from '../../src/names.ts'
import { createCompanion, type TestCompanion, watchNavigations } from './page.ts'

// A purchase stored in this tab would keep a link from being followed.
afterEach(() => sessionStorage.clear())

/** Members of the document, the window and elements, and names that the loader itself uses. */
const names = [
  ...['body', 'createElement', 'addEventListener', 'dispatchEvent', 'documentElement', 'querySelector'],
  ...['defaultView', 'ownerDocument', 'currentScript', 'baseURI', 'readyState', 'visibilityState'],
  ...['open', 'history', 'location', 'parent', 'closest', 'attributes', 'PurchaseWidget', 'CSSStyleSheet'],
]

const carriers: readonly ((name: string) => string)[] = [
  (name) => `<img name="${name}" id="${name}">`,
  (name) => `<form name="${name}"><input name="${name}"></form>`,
  (name) => `<a id="${name}" name="${name}"></a><a id="${name}"></a><embed name="${name}">`,
]

/** Attributes that would lead to the attacker's server, or allow it more. */
const attributes: readonly ((evil: string) => string)[] = [
  (evil) => `data-companion="${evil}"`,
  (evil) => `data-companion="${evil}" data-preload="intent"`,
  (evil) => `data-companion="${evil}" data-preload="eager" data-mode="popup"`,
  (evil) => `data-widget-url="${evil}" data-launch-url="${evil}/launch" data-preload="intent"`,
  (evil) => `data-launch-url="${evil}/launch" data-access-token="evil" data-confirm="evil"`,
  () =>
    `data-permissions="geolocation" data-frame-sandbox="" data-allowed-return-origins="https://evil.example"`,
]

const pressed: readonly ((all: string, evil: string, good: string) => string)[] = [
  (all, evil) => `<a ${all} href="${evil}/launch?product_id=evil">Prize</a>`,
  (all) => `<a ${all}>Prize</a>`,
  (all, _evil, good) => `<a ${all} href="${good}/launch">Prize</a>`,
  (all) => `<button ${all}>Prize</button>`,
  (all) => `<div ${all}>Prize</div>`,
]

/** Hostile HTML with these names in one kind of carrier, and with one set of attributes on everything that can be clicked. */
const pageWith = (names: readonly string[], index: number) => {
  const carrier = carriers[index % carriers.length] ?? String
  const attribute = attributes[index % attributes.length] ?? String
  return {
    title: `${index + 1}: ${carrier(names.join())} ${attribute('evil')}`,
    html: (evil: string, good: string): string =>
      names.map(carrier).join('') +
      pressed.map((press) => press(`data-purchase-widget ${attribute(evil)}`, evil, good)).join(''),
  }
}

/** With full counts each page has one name; otherwise a page has all of them, and any one that has an effect fails the test. */
const tested =
  import.meta.env.EVIDENCE === 'full'
    ? names.flatMap((name, row) =>
        carriers.map((_, column) => pageWith([name], row * carriers.length + column)),
      )
    : attributes.map((_, index) => pageWith(names, index))

test.for(tested)('untrusted HTML opens only the shop’s own widget ($title)', async ({ html }) => {
  // The same service, so that the attacker's answers would be accepted if they were requested.
  const evil = await createCompanion({ params: { custom_id: 'evil' } })
  const good = await createCompanion()
  const shop = await openShop(html(location.origin + evil.url, good.url), good)
  for (const each of shop.all('[data-purchase-widget]:not(#buy)')) {
    const follows = shop.press(each)
    if (!follows) expect(await shop.shown()).toContain('custom_id=shopper-1')
    await shop.close()
  }
  expect(shop.press(shop.find('#buy'))).toBe(false)
  expect(await shop.shown()).toContain('product_id=gold-100&custom_id=shopper-1')
  expect((await evil.state()).tokens).toBe(0)
  expect(shop.addresses.filter((address) => !address.includes('custom_id=shopper-1'))).toEqual([])
})

interface Shop {
  all(css: string): Element[]
  find(css: string): Element
  /** Hovers over it, focuses it and clicks it. True if a link would be followed, by the browser or by the loader. */
  press(element: Element): boolean
  /** Waits until the dialog is visible, and returns the address of the page in it. */
  shown(): Promise<string>
  close(): Promise<void>
  /** The address of every page that was in the dialog. */
  addresses: string[]
}

async function openShop(html: string, { url }: TestCompanion): Promise<Shop> {
  const frame = Object.assign(document.createElement('iframe'), { width: '600', height: '800' })
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  frame.srcdoc = `<!doctype html><body>${html}
    <script src="/script/scriptTag" data-companion="${url}"></script>
    <script>function ask(widget) { widget.postMessage({ where: true }, '*') }</script>
    <button id="buy" data-purchase-widget data-param-product_id="gold-100">Buy</button>`
  document.body.append(frame)
  onTestFinished(() => frame.remove())
  await loaded
  const view = frame.contentWindow as Window & {
    ask(widget: Window): void
    PurchaseWidget: { ready(callback: () => void): void }
  }
  await new Promise((resolve) => view.PurchaseWidget.ready(() => resolve(null)))
  const page = pageOf(view.document)
  view.open = () => null
  const addresses: string[] = []
  const navigations = watchNavigations(view)
  let followed = false
  view.addEventListener('click', (event) => {
    followed ||= !event.defaultPrevented
    event.preventDefault()
  })
  view.addEventListener('error', (event) => event.preventDefault())
  const all = (css: string): Element[] => [...page.querySelectorAll(css)]
  const dialog = (): HTMLDialogElement | null | undefined =>
    all('div')
      .map(({ shadowRoot }) => shadowRoot?.querySelector('dialog'))
      .find((each) => each)
  // The answer of a dialog closed meanwhile may still arrive.
  view.addEventListener('message', ({ data, source }) => {
    if (typeof data === 'string' && source === dialog()?.querySelector('iframe')?.contentWindow)
      addresses.push(data)
  })
  return {
    addresses,
    all,
    find(css) {
      const [found] = all(css)
      if (!found) throw new Error(`Nothing on the page matches ${css}.`)
      return found
    },
    press(element) {
      followed = false
      navigations.length = 0
      for (const type of ['pointerover', 'focusin', 'click'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
      return followed || navigations.length > 0
    },
    async shown() {
      addresses.length = 0
      await expect
        .poll(
          () => {
            const widget = dialog()?.querySelector('iframe')
            if (widget?.contentWindow) view.ask(widget.contentWindow)
            return addresses.length > 0 && (widget?.getBoundingClientRect().height ?? 0) > 100
          },
          { message: 'the dialog' },
        )
        .toBe(true)
      return addresses.at(-1) ?? ''
    },
    async close() {
      dialog()?.close()
      await expect.poll(dialog, { message: 'closed' }).toBeUndefined()
    },
  }
}
