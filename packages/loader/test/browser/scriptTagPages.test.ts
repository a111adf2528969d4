// Promise: script/pages
/** Whole merchant pages: where the script tag comes from, where a purchase ends, and what happens without the script. */
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { PurchaseResult } from '../../src/index.ts'
import { languages } from '../../src/languages.ts'
import { KEY } from '../../src/outcome/kept.ts'
import type { CompanionState } from './merchant.ts'
import { addPage, isFollowed, link, popupLink, scriptIn, scriptThatWaits, windowsOf } from './merchantPage.ts'
import { complete, createCompanion, keptId, paid, shells } from './page.ts'

const purchaseId = 'AbCdEfGhIjKlMnOpQrSt_-'

// A purchase stored in this tab would keep a click from following the link.
afterEach(() => sessionStorage.clear())

const arrivals: Record<string, (href: string) => void> = {
  'a return page': (href) =>
    history.replaceState(null, '', `${href}${href.includes('?') ? '&' : '?'}purchase=${purchaseId}`),
  // By then its address is clean.
  'a reloaded return page': (href) => history.replaceState({ [KEY]: purchaseId }, '', href),
}

test.for(Object.entries(arrivals))(
  'the companion that serves the script provides the result on %s',
  async ([, arrive]) => {
    const companion = await createCompanion({ ids: [purchaseId], purchase: complete })
    const { href } = location
    arrive(href)
    onTestFinished(() => {
      history.replaceState(null, '', href)
      // The next test simulates another page.
      Reflect.deleteProperty(window, 'PurchaseWidget')
    })
    const result = new Promise<PurchaseResult>((resolve) =>
      document.addEventListener('purchase-widget-result', ({ detail }) => resolve(detail), { once: true }),
    )
    const script = document.createElement('script')
    script.src = `${companion.url}/purchase-widget.js`
    document.head.append(script)
    expect(await result).toEqual({ status: 'success', verified: true, order: paid, returnUrl: href })
    expect(location.href).toBe(href)
  },
)

const sentence = 'Your payment is being processed. Do not pay again.'

/** Loads the script tag as a reloaded page does: the tab has stored a purchase, for which the companion answers `purchase`. */
async function reloadWith(purchase: CompanionState['purchase'], more: Partial<CompanionState> = {}) {
  sessionStorage.setItem(KEY, `${purchaseId} ${Date.now()}`)
  onTestFinished(() => {
    sessionStorage.clear()
    Reflect.deleteProperty(window, 'PurchaseWidget')
  })
  const companion = await createCompanion({ ids: [purchaseId], purchase, ...more })
  const results: PurchaseResult[] = []
  const hear = ({ detail }: CustomEvent<PurchaseResult>): void => void results.push(detail)
  document.addEventListener('purchase-widget-result', hear)
  onTestFinished(() => document.removeEventListener('purchase-widget-result', hear))
  const script = document.createElement('script')
  script.src = `${companion.url}/purchase-widget.js`
  document.head.append(script)
  const texts = (): (string | null)[] =>
    shells().flatMap((root) => [...root.querySelectorAll('p')].map(({ textContent }) => textContent))
  return { companion, results, texts }
}

test('on a page reloaded during a payment, the script alone says so and reports the result', async () => {
  const { companion, results, texts } = await reloadWith({ status: 'pending', order: null })
  await expect.poll(texts).toEqual([sentence])
  await companion.set({ purchase: complete })
  await expect.poll(() => results).toEqual([{ status: 'success', verified: true, order: paid }])
  expect(texts()).toEqual([])
})

test('a page that the history restores after a payment reports the result once', async () => {
  const companion = await createCompanion({ ids: [purchaseId], purchase: complete })
  const hears = `<script>var results = []
    addEventListener('purchase-widget-result', ({ detail }) => results.push(detail.status))</script>`
  const { view } = await addPage(`${hears}<script src="${companion.url}/purchase-widget.js"></script><a></a>`)
  const { results, PurchaseWidget } = view as unknown as { results: string[]; PurchaseWidget: object }
  await expect.poll(() => Object.keys(PurchaseWidget)).toContain('getPendingResult')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const show = (persisted: boolean) => view.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
  // The page was left for the payment.
  sessionStorage.setItem(KEY, `${purchaseId} ${Date.now()}`)
  show(false)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(results).toEqual([])
  show(true)
  show(true)
  await expect.poll(() => results).toEqual(['success'])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(results).toEqual(['success'])
})

test('a click on a page reloaded during a payment continues with that purchase, whose result is reported once', async () => {
  sessionStorage.setItem(KEY, `${purchaseId} ${Date.now()}`)
  const companion = await createCompanion({ ids: [purchaseId], purchase: { status: 'pending', order: null } })
  const hears = `<script>var results = []
    addEventListener('purchase-widget-result', ({ detail }) => results.push(detail.status))</script>`
  const script = `<script src="${companion.url}/purchase-widget.js"></script>`
  const { view } = await addPage(`${hears}${script}<button data-purchase-widget></button><a></a>`)
  const { results } = view as unknown as { results: string[] }
  const says = (): boolean =>
    [...view.document.querySelectorAll('div')].some(({ shadowRoot }) =>
      shadowRoot?.textContent?.includes(sentence),
    )
  await expect.poll(says).toBe(true)
  view.document.querySelector('button')?.click()
  await companion.set({ purchase: complete })
  await expect.poll(() => results).not.toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(results).toEqual(['success'])
  expect((await companion.state()).asked).toEqual([])
})

test('a page reloaded during a payment says so in the language of its language files', async () => {
  document.documentElement.lang = 'de'
  const global = window as unknown as { PurchaseWidget?: object }
  global.PurchaseWidget = { strings: { de: languages.de } }
  onTestFinished(() => document.documentElement.removeAttribute('lang'))
  const { companion, texts } = await reloadWith({ status: 'pending', order: null })
  await expect.poll(texts).toEqual([languages.de.processing])
  await companion.set({ purchase: complete })
  await expect.poll(texts).toEqual([])
})

test('a page reloaded before any payment shows no message, and queries the server once', async () => {
  const { companion, results, texts } = await reloadWith({ status: 'none' })
  await expect.poll(async () => (await companion.state()).reads).toBe(1)
  await companion.state()
  expect([results, texts()]).toEqual([[], []])
})

test('the page requests the token from the companion that serves the script', async () => {
  const companion = await createCompanion()
  const { link } = await addPage(
    `<script src="${companion.url}/purchase-widget.js"></script><a href="${companion.url}/launch?product_id=gold-100" data-purchase-widget>Buy</a>`,
  )
  link.click()
  await expect.poll(async () => (await companion.state()).asked).toHaveLength(1)
  expect((await companion.state()).asked[0]).toMatchObject({ params: { product_id: 'gold-100' } })
})

test.each(['a', 'button'])(
  'after the events of an opening with invalid options, the browser follows a link, but has nothing to follow for a button (%s)',
  async (name) => {
    const companion = await createCompanion()
    const { view } = await addPage(
      `<script src="${companion.url}/purchase-widget.js"></script><a></a>
      <${name} href="${companion.url}/launch?product_id=gold-100" data-container="#nope" data-purchase-widget>Buy</${name}>`,
    )
    const heard: string[] = []
    for (const type of ['error', 'result'])
      view.document.addEventListener(`purchase-widget-${type}`, () => heard.push(type))
    view.document.querySelector<HTMLElement>('[data-purchase-widget]')?.click()
    await expect.poll(() => heard).toEqual(['error', 'result'])
    if (name === 'a') await expect.poll(async () => (await companion.state()).launches).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { launches, links } = await companion.state()
    expect(launches).toBe(name === 'a' ? 1 : 0)
    // The tab can ask about the purchase of a link.
    expect(links.map(({ purchase }) => purchase)).toEqual(name === 'a' ? [keptId()] : [])
  },
)

test('while an earlier purchase may be under way, a link with invalid options is not followed', async () => {
  sessionStorage.setItem(KEY, `${purchaseId} ${Date.now()}`)
  const companion = await createCompanion()
  const { view, link: buy } = await addPage(
    `<script src="${companion.url}/purchase-widget.js"></script>
    <a href="${companion.url}/launch?product_id=gold-100" data-load-timeout="soon" data-purchase-widget>Buy</a>`,
  )
  view.addEventListener('error', (event) => event.preventDefault())
  buy.click()
  const said = () => view.document.querySelector('p[role=alert]')?.textContent
  await expect
    .poll(said)
    .toBe('The purchase could not be started. It is not known yet whether your purchase went through.')
  expect((await companion.state()).launches).toBe(0)
})

test('a click follows the link when the second file fails after the click, or has failed before it', async () => {
  // The timer of three seconds would follow the link too.
  const noTimer = '<script>window.setTimeout = () => 0</script>'
  const before = await addPage(`${noTimer}${scriptIn('missing')}${link}`)
  before.link.click()
  await expect.poll(() => isFollowed(before.view)).toBe(true)

  const hears = "<script>addEventListener('error', () => { window.hasFailed = true }, true)</script>"
  const after = await addPage(`${noTimer}${hears}${scriptIn('missing')}${link}`)
  await expect.poll(() => 'hasFailed' in after.view).toBe(true)
  after.link.click()
  const asked = [...after.view.document.scripts]
    .map(({ src }) => src)
    .filter((src) => src.includes('__rest__'))
  expect(new Set(asked).size).toBe(2)
  await expect.poll(() => isFollowed(after.view)).toBe(true)
})

test.each([
  ['a button', link.replace('<a', '<button').replace('</a', '</button'), true],
  ['a link without a network', link, false],
])('without the second file %s opens nothing, and the page says so', async (_, pressed, onLine) => {
  const { view } = await addPage(`${pressed}<a></a>`)
  const { document } = view
  vi.spyOn(view.navigator, 'onLine', 'get').mockReturnValue(onLine)
  await new Promise((resolve) => {
    const script = document.createElement('script')
    Object.assign(script, { src: '/script/missing/scriptTag', onload: resolve })
    document.head.append(script)
  })
  document.querySelector<HTMLElement>('[data-purchase-widget]')?.click()
  const said = () => document.querySelector('p[role=alert]')?.textContent
  await expect.poll(said).toBe('The purchase could not be started. You have not been charged.')
  expect(isFollowed(view)).toBe(false)
})

test('a click follows the link when the second file has not arrived after three seconds', async () => {
  const { view, link: buy } = await addPage(`${scriptThatWaits}${link}`)
  buy.click()
  expect(buy.ariaBusy).toBe('true')
  expect(isFollowed(view)).toBe(false)
  await expect.poll(() => isFollowed(view)).toBe(true)
})

test('a button waits for a late second file, and the page says so meanwhile', async () => {
  const button = link.replace('<a', '<button').replace('</a', '</button')
  const { view } = await addPage(`${scriptThatWaits}${button}<a></a>`)
  const { document } = view
  const buy = document.querySelector('button')
  buy?.click()
  const said = () => document.querySelector('p[role=alert]')?.textContent
  await expect.poll(said).toBe('Still connecting...')
  expect(buy?.ariaBusy).toBe('true')
  view.dispatchEvent(new Event('pagehide'))
  expect(said()).toBeUndefined()
})

test('a click that is given up within three seconds shows no message afterwards', async () => {
  const button = link.replace('<a', '<button').replace('</a', '</button')
  const noted =
    '<script>var acts = []; setTimeout = (act, ms) => void (ms === 3000 && acts.push(act))</script>'
  const { view } = await addPage(`${noted}${scriptIn('hang')}${button}<a></a>`)
  view.document.querySelector('button')?.click()
  view.dispatchEvent(new Event('pagehide'))
  const { acts } = view as unknown as { acts: (() => void)[] }
  expect(acts).toHaveLength(1)
  acts[0]?.()
  expect(view.document.querySelector('p[role=alert]')).toBeNull()
})

test('a popup opens during the click, and follows the link when the second file does not arrive', async () => {
  const { view, link: buy } = await addPage(`${scriptThatWaits}${popupLink}`)
  const opened = windowsOf(view)
  buy.click()
  expect(opened).toHaveLength(1)
  expect(buy.ariaBusy).toBe('true')
  await expect.poll(() => isFollowed(opened[0] as Window)).toBe(true)
  expect(isFollowed(view)).toBe(false)
  expect(buy.ariaBusy).toBeNull()
})

test('the blank window of a button says that it is still connecting, and is closed when the second file hangs', async () => {
  const button = popupLink.replace('<a', '<button').replace('</a', '</button')
  const { view } = await addPage(`${scriptThatWaits}${button}<a></a>`)
  const opened = windowsOf(view)
  const buy = view.document.querySelector('button')
  const said = (page = view): string | null | undefined =>
    page.document.querySelector('p[role=alert]')?.textContent
  const requested = (): number =>
    new Set([...view.document.scripts].map(({ src }) => src).filter((src) => src.includes('__rest__'))).size
  buy?.click()
  await expect.poll(() => said(opened[0])).toBe('Still connecting...')
  expect(said()).toBeUndefined()
  expect(requested()).toBe(1)
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(said()).toBe('The purchase could not be started. You have not been charged.')
  expect(buy?.ariaBusy).toBeNull()
  buy?.click()
  expect(requested()).toBe(2)
})

test('offline, a popup closes when the second file does not arrive', async () => {
  const offline = "<script>Object.defineProperty(navigator, 'onLine', { value: false })</script>"
  const { view, link: buy } = await addPage(`${offline}${scriptThatWaits}${popupLink}`)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  expect(buy.ariaBusy).toBeNull()
})

test('a link in mode redirect leads to the widget without the second file', async () => {
  const { view, link: buy } = await addPage(
    `${scriptIn('hang')}${link.replace('<a', '<a data-mode="redirect"')}`,
  )
  buy.click()
  await expect.poll(() => isFollowed(view)).toBe(true)
})

test('before the second file arrives, clicks with a modifier are left to the browser', async () => {
  const { view, link: buy } = await addPage(`${scriptIn('hang')}${link}`)
  const prevented: boolean[] = []
  view.addEventListener('click', (event) => {
    prevented.push(event.defaultPrevented)
    event.preventDefault()
  })
  for (const ctrlKey of [false, true])
    buy.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey }))
  expect(prevented).toEqual([true, false])
})

test('all clicks before the second file arrives start one purchase', async () => {
  const { view } = await addPage(`${scriptIn('hang')}${popupLink}${popupLink}`)
  const opened = windowsOf(view)
  const links = [...view.document.links]
  for (const each of [...links, ...links]) each.click()
  expect(opened).toHaveLength(1)
  // A window that the shopper has closed no longer counts; a busy browser may close one late.
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  links[1]?.click()
  expect(opened).toHaveLength(2)
  expect(links.map(({ ariaBusy }) => ariaBusy)).toEqual([null, 'true'])
})

test('a page whose open() throws waits for the second file without a window', async () => {
  const { view, link: buy } = await addPage(`${scriptIn('missing')}${popupLink}`)
  view.open = () => {
    throw new Error('not here')
  }
  buy.click()
  await expect.poll(() => isFollowed(view)).toBe(true)
})

test('while an earlier purchase may be under way, a click without the second file starts no other', async () => {
  sessionStorage.setItem(KEY, `${purchaseId} ${Date.now()}`)
  const { view, link: buy } = await addPage(`${scriptIn('missing')}${link}`)
  buy.click()
  const said = () => view.document.querySelector('p[role=alert]')?.textContent
  await expect
    .poll(said)
    .toBe('The purchase could not be started. It is not known yet whether your purchase went through.')
  buy.click()
  await expect.poll(() => buy.ariaBusy).toBe(null)
  expect(view.document.querySelectorAll('p[role=alert]')).toHaveLength(1)
  expect(isFollowed(view)).toBe(false)
})

test('a call of ready() after the second file has failed requests it again', async () => {
  const hears = "<script>addEventListener('error', () => { window.hasFailed = true }, true)</script>"
  const { view } = await addPage(`${hears}${scriptIn('missing')}<a></a>`)
  await expect.poll(() => 'hasFailed' in view).toBe(true)
  const { PurchaseWidget } = view as unknown as { PurchaseWidget: { ready(call: () => void): void } }
  PurchaseWidget.ready(() => {})
  expect([...view.document.scripts].filter(({ src }) => src.includes('__rest__'))).toHaveLength(2)
})

test('a link is no longer busy after the shopper leaves the page before the second file arrives, and comes back', async () => {
  const { view, link: buy } = await addPage(`${scriptIn('hang')}${link}`)
  buy.click()
  view.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(buy.ariaBusy).toBeNull()
})
