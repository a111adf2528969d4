// Promise: loader/two-stages
/** Clicks that need no second file: the script tag's first file opens their window, or leads this tab, to the purchase's link. */
import { afterEach, expect, test } from 'vitest'
import { KEY } from '../../src/outcome/kept.ts'
import {
  addPage,
  hearsResults,
  holdsBack,
  link,
  popupLink,
  release,
  resultsOf,
  scriptThatWaits,
  windowsOf,
} from './merchantPage.ts'
import { comeBack, comeBackElsewhere, complete, createCompanion, keptId, paid } from './page.ts'
import { advanceClock, isElsewhere } from './windows.ts'

// A purchase stored in this tab would keep a click from opening another.
afterEach(() => sessionStorage.clear())

const tabLink = link.replace('<a', '<a data-mode="redirect" data-redirect-page="new"')
const redirectLink = link.replace('<a', '<a data-mode="redirect"')

const asButton = (html: string): string =>
  `${html.replace('<a', '<button data-param-product_id="gold-100"').replace('</a', '</button')}<a></a>`

/** A page with the first file as the companion serves it; nothing but a click's own task opens anything. */
async function addShop(html: string, { tag = '', path = 'purchase-widget.js?served', more = '' } = {}) {
  const companion = await createCompanion()
  const linked = html.replace('/script/scriptTag?followed', `${companion.url}/launch?product_id=gold-100`)
  const { view } = await addPage(
    `${hearsResults}${more}${holdsBack}<script src="${companion.url}/${path}" ${tag}></script>${linked}`,
  )
  const buy = view.document.querySelector<HTMLElement>('[data-purchase-widget]') as HTMLElement
  return { companion, view, buy }
}

/** The addresses with which the page opens windows, and what it sees of each. */
function openedBy(view: Window, seen: object | null = { focus() {} }): URL[] {
  const urls: URL[] = []
  view.open = (url) => {
    urls.push(new URL(`${url}` || 'about:blank', location.href))
    return seen as Window
  }
  return urls
}

const queryOf = (url: URL | undefined): object => Object.fromEntries(url?.searchParams ?? [])

const noTimer = '<script>window.setTimeout = () => 0</script>'

test.each([
  ['a link in mode popup', popupLink, { surface: 'popup' }],
  ['a button in mode popup', asButton(popupLink), { surface: 'popup' }],
  ['a link in a tab of its own', tabLink, { surface: 'redirect', redirect_page: 'new' }],
  ['a button in a tab of its own', asButton(tabLink), { surface: 'redirect', redirect_page: 'new' }],
])('the window of %s opens at the purchase’s link, without the second file', async (_, html, more) => {
  const { companion, view, buy } = await addShop(html, { more: noTimer })
  const opened = windowsOf(view)
  const urls: unknown[] = []
  const { open } = view
  view.open = (...given) => {
    urls.push(given[0])
    return open(...given)
  }
  buy.click()
  const purchase = keptId()
  expect(purchase).toMatch(/^[\w-]{22}$/)
  expect(queryOf(new URL(`${urls[0]}`))).toEqual({ product_id: 'gold-100', purchase, ...more })
  await expect.poll(async () => (await companion.state()).ids).toEqual([purchase])
  expect([opened.length, buy.ariaBusy]).toEqual([1, null])
})

test('a link in mode redirect leads this tab to the purchase’s link, without the second file', async () => {
  const { companion, view, buy } = await addShop(redirectLink, { more: noTimer })
  buy.click()
  await expect.poll(() => isElsewhere(view)).toBe(true)
  const { links } = await companion.state()
  expect(links).toMatchObject([{ product_id: 'gold-100', surface: 'redirect', purchase: keptId() }])
})

test('a link leads this tab to its address where the first file stands in the page itself', async () => {
  const { url } = await createCompanion()
  const first = await (await fetch(`${url}/purchase-widget.js?served`)).text()
  const html = redirectLink.replace('/script/scriptTag?followed', `${url}/launch?product_id=gold-100`)
  const { view } = await addPage(`<script>${first}</script>${html}`)
  view.document.querySelector<HTMLElement>('[data-purchase-widget]')?.click()
  await expect.poll(() => isElsewhere(view)).toBe(true)
})

test.each([
  ['data:', (code: string) => `data:text/javascript,${encodeURIComponent(code)}`],
  ['blob:', (code: string) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))],
])(
  'a link leads its window to its address where the first file has been moved to a %s address',
  async (_, move) => {
    const { url } = await createCompanion()
    const first = await (await fetch(`${url}/purchase-widget.js?served`)).text()
    const html = popupLink.replace('/script/scriptTag?followed', `${url}/launch?product_id=gold-100`)
    const { view, link: buy } = await addPage(`<script src="${move(first)}"></script>${html}`)
    const seen = { location: { href: '' }, focus() {} }
    openedBy(view, seen)
    buy.click()
    await expect.poll(() => seen.location.href).toMatch(/launch\?product_id=gold-100/)
  },
)

test.each([
  ['redirect', redirectLink],
  ['modal', link],
])('a button in mode %s waits for the second file, which may have to ask first', async (_, html) => {
  const { companion, view, buy } = await addShop(asButton(html), { more: noTimer })
  buy.click()
  expect([buy.ariaBusy, sessionStorage.getItem(KEY), isElsewhere(view)]).toEqual(['true', null, false])
  await release(view)
  await expect.poll(async () => (await companion.state()).links).toMatchObject([{ product_id: 'gold-100' }])
})

test('a link in mode redirect with another parameter waits for the second file, since no link can carry it', async () => {
  const html = redirectLink.replace('<a', '<a data-param-quote="USD"')
  const { view, buy } = await addShop(html, { more: noTimer })
  buy.click()
  expect([buy.ariaBusy, sessionStorage.getItem(KEY), isElsewhere(view)]).toEqual(['true', null, false])
})

const insecure = "<script>Object.defineProperty(window, 'isSecureContext', { value: false })</script>"

test.each([
  ['the companion that has served the script', '/script/hang/launch?locale=de', '&product_id=gold-500'],
  ['another site, whose address may be signed,', 'https://partner.example/launch?locale=a%20b', ''],
])(
  'a link to %s is followed with the attributes that a link can carry, or as it is',
  async (_, href, more) => {
    const html = popupLink.replace('<a', '<a data-param-product_id="gold-500"')
    const { view, link: buy } = await addPage(`${insecure}${scriptThatWaits}${html}`)
    buy.href = href
    const seen = { location: { href: '' }, focus() {} }
    openedBy(view, seen)
    buy.click()
    await expect.poll(() => seen.location.href).toBe(new URL(href + more, location.href).href)
  },
)

test('a waiting window that the shopper has closed begins no purchase', async () => {
  const { view, buy } = await addShop(popupLink.replace('<a', '<a data-param-quote="USD"'))
  openedBy(view, { closed: true, location: { href: '' }, focus() {} })
  buy.click()
  await expect.poll(() => buy.ariaBusy).toBeNull()
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test.each([
  ['product', 'data-param-product_id="gold-500"'],
  ['amount, which no link can carry', 'data-param-quote_amount="50"'],
])(
  'while this tab leaves, a second link to the same purchase repeats the first; one to another %s does not',
  async (_, attribute) => {
    const companion = await createCompanion({ launchStatus: 204 })
    const linked = `${redirectLink}${redirectLink}${redirectLink.replace('<a', `<a ${attribute}`)}`
    const { view } = await addPage(
      `${noTimer}${holdsBack}<script src="${companion.url}/purchase-widget.js?served"></script>${linked.replaceAll(
        '/script/scriptTag?followed',
        `${companion.url}/launch?product_id=gold-100`,
      )}`,
    )
    const [one, twin, another] = [...view.document.links]
    one?.click()
    await expect.poll(async () => (await companion.state()).launches).toBe(1)
    advanceClock(view, 5_001)
    const repeated = async (): Promise<number> => {
      twin?.click()
      return (await companion.state()).launches
    }
    await expect.poll(repeated).toBeGreaterThan(1)
    expect([twin?.ariaBusy, (await companion.state()).ids.length]).toEqual([null, 1])
    another?.click()
    expect(another?.ariaBusy).toBe('true')
  },
)

test('attributes take precedence over the query of a link, and those of the link over the script tag’s', async () => {
  const html = popupLink.replace('<a', '<a data-param-product_id="gold-500" data-redirect-page="new"')
  const { view, buy } = await addShop(html, { tag: 'data-locale="de" data-redirect-page="self"' })
  const urls = openedBy(view)
  buy.click()
  expect(queryOf(urls[0])).toMatchObject({ product_id: 'gold-500', redirect_page: 'new', locale: 'de' })
})

test('an empty attribute takes precedence too, as in the second file', async () => {
  const { view, buy } = await addShop(popupLink.replace('<a', '<a data-param-product_id=""'))
  const urls = openedBy(view)
  buy.click()
  expect(queryOf(urls[0])).toMatchObject({ product_id: '' })
})

test('the page itself gets no token: data-page-token="false" changes nothing', async () => {
  const { view, buy } = await addShop(popupLink, { tag: 'data-page-token="false"' })
  const urls = openedBy(view)
  buy.click()
  expect(urls[0]?.pathname).toMatch(/launch$/)
})

const offline = "<script>Object.defineProperty(navigator, 'onLine', { value: false })</script>"
const elsewhere = popupLink.replace('/script/scriptTag', 'https://other.example/launch')
const inPath = popupLink.replace('"/script/scriptTag?followed', '"/launch?product_id=gold-100')
const withoutToken = popupLink.replace('<a', '<a data-page-token="false"')
const withQuote = popupLink.replace('?followed', '?followed&quote=USD')

// Promise: script/hostile-attributes
test.each<[string, string, Parameters<typeof addShop>[1]]>([
  ['the page fetches the token itself', popupLink, { tag: 'data-page-token' }],
  ['the page fetches the token itself, and a link says otherwise', withoutToken, { tag: 'data-page-token' }],
  ['the script tag names another companion', popupLink, { tag: 'data-companion="/c"' }],
  ['the script tag names the widget', popupLink, { tag: 'data-widget-url="https://widget.example"' }],
  ['the link has another parameter', withQuote, {}],
  ['the button has another parameter', asButton(popupLink).replace('_id', '_id="x" data-param-quote'), {}],
  ['the script tag has another parameter', popupLink, { tag: 'data-param-quote="USD"' }],
  ['the link leads to another site', elsewhere, {}],
  ['the link leads to another companion', inPath, {}],
  ['no companion has served the script', popupLink, { path: 'purchase-widget.js' }],
  ['the page is not secure', popupLink, { more: insecure }],
  ['there is no network', popupLink, { more: offline }],
])('a window is blank until the second file decides, if %s', async (_, html, options) => {
  const { view, buy } = await addShop(html, options)
  const urls = openedBy(view)
  buy.click()
  expect(urls.map(({ href }) => href)).toEqual(['about:blank'])
  expect(buy.ariaBusy).toBe('true')
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test('while an earlier purchase may be under way, a window is blank until the second file has asked about it', async () => {
  const stored = `AbCdEfGhIjKlMnOpQrSt_- ${Date.now()}`
  sessionStorage.setItem(KEY, stored)
  const { view, buy } = await addShop(popupLink)
  const urls = openedBy(view)
  buy.click()
  expect(urls.map(({ href }) => href)).toEqual(['about:blank'])
  expect(sessionStorage.getItem(KEY)).toBe(stored)
})

test('a blocked window is no purchase: the click waits for the second file, which opens a dialog', async () => {
  const { companion, view, buy } = await addShop(popupLink)
  openedBy(view, null)
  buy.click()
  expect([buy.ariaBusy, sessionStorage.getItem(KEY)]).toEqual(['true', null])
  await release(view)
  await expect.poll(async () => (await companion.state()).links).toMatchObject([{ surface: 'modal' }])
})

// Promise: surface/popup-opener
test.each([
  ['a popup keeps its opener', popupLink, undefined],
  ['a tab has no opener', tabLink, null],
])('%s when it opens at the purchase’s link', async (_, html, opener) => {
  const { view, buy } = await addShop(html)
  const seen = { opener: undefined, focus() {} }
  openedBy(view, seen)
  buy.click()
  expect(seen.opener).toBe(opener)
})

// Promise: script/pages
test.each([
  ['a popup', popupLink],
  ['the popup of a button', asButton(popupLink)],
  ['a tab', tabLink],
])(
  'the second file continues with %s that has opened at its link, and the page gets its result once',
  async (_, html) => {
    const { companion, view, buy } = await addShop(html)
    const opened = windowsOf(view)
    buy.click()
    await release(view)
    await expect.poll(() => buy.ariaBusy).toBe('true')
    await expect.poll(() => isElsewhere(opened[0])).toBe(true)
    buy.click()
    expect(opened).toHaveLength(1)
    await companion.set({ purchase: complete })
    // This page can't navigate a tab: the return page comes up elsewhere.
    if (html === tabLink) await comeBackElsewhere(companion, keptId())
    else await comeBack(companion, opened[0])
    await expect.poll(() => resultsOf(view)).toEqual([{ status: 'success', verified: true, order: paid }])
    await expect.poll(() => buy.ariaBusy).toBeNull()
    // Other copies of the result would follow within this time.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(resultsOf(view)).toHaveLength(1)
    expect((await companion.state()).links).toHaveLength(1)
  },
)

// Promise: surface/coop
test('a window that seems closed once it has left, as with COOP, is not forgotten', async () => {
  const { view, buy } = await addShop(popupLink)
  openedBy(view, { closed: true, focus() {}, close() {} })
  buy.click()
  const purchase = keptId()
  await release(view)
  await expect.poll(() => buy.ariaBusy).toBe('true')
  expect(keptId()).toBe(purchase)
})

// Promise: link/refused
test('a second file that comes after the companion’s refusal still tells the page', async () => {
  const { companion, view, buy } = await addShop(popupLink)
  const refused = { code: 'purchase_refused', message: 'Sold out.' }
  await companion.set({ refusesTickets: true, purchase: { status: 'none', refused } })
  const opened = windowsOf(view)
  const errors: unknown[] = []
  buy.addEventListener('purchase-widget-error', ({ detail }) => errors.push(detail.companion))
  buy.click()
  await expect.poll(() => opened[0]?.document.title).toBe('Refused')
  await release(view)
  await expect.poll(() => errors).toEqual([refused])
  expect(opened).toHaveLength(1)
})

// Promise: script/buttons
test('a window that has opened at its link goes on if the second file finds the options invalid', async () => {
  const quiet = "<script>addEventListener('error', (event) => event.preventDefault())</script>"
  const html = popupLink.replace('<a', '<a data-load-timeout="soon"')
  const { companion, view, buy } = await addShop(html, { more: quiet })
  const opened = windowsOf(view)
  buy.click()
  await release(view)
  await expect.poll(() => resultsOf(view)).toMatchObject([{ status: 'error' }])
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  expect((await companion.state()).links).toHaveLength(1)
})

// Promise: script/pages
test('the window counts until the shopper has closed it; the page then asks about its purchase, and tells the result once', async () => {
  const { companion, view, buy } = await addShop(popupLink)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  buy.click()
  expect(opened).toHaveLength(1)
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  buy.click()
  expect(opened).toHaveLength(2)
  expect((await companion.state()).links).toHaveLength(1)
  const purchase = keptId()
  await companion.set({ purchase: complete })
  await release(view)
  await expect.poll(() => resultsOf(view)[0]).toMatchObject({ status: 'success', order: paid })
  expect((await companion.state()).ids).toEqual([purchase])
  // Another copy of the result would follow within this time.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(resultsOf(view)).toHaveLength(1)
})
