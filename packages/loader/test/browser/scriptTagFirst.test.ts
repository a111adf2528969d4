// Promise: script/pages
/** The script tag's first file by itself: when it loads the second, and what it opens during the click. */
import { afterEach, expect, test } from 'vitest'
import { KEY, storedPurchaseId } from '../../src/outcome/kept.ts'
import { addPage, isFollowed, link, popupLink, scriptIn, scriptThatWaits, windowsOf } from './merchantPage.ts'
import { createCompanion } from './page.ts'

afterEach(() => sessionStorage.clear())

/** The addresses from which a page has requested the second file. */
const requested = ({ document }: Window): string[] =>
  [...document.scripts].map(({ src }) => src).filter((src) => src.includes('__rest__'))

/** A page that is never idle, and records what it would do then. */
const neverIdle =
  '<script>var idle = []; requestIdleCallback = (act, options) => idle.push([act, options])</script>'
const idleOf = (view: Window): [() => void, unknown][] =>
  (view as unknown as { idle: [() => void, unknown][] }).idle

test('the second file loads once the page is idle, or after two seconds', async () => {
  const { view } = await addPage(`${neverIdle}${scriptIn('hang')}${link}`)
  expect(requested(view)).toEqual([])
  const [[load, options] = []] = idleOf(view)
  expect(options).toEqual({ timeout: 2_000 })
  load?.()
  expect(requested(view)).toHaveLength(1)
})

test('without requestIdleCallback the second file loads at once', async () => {
  const { view } = await addPage(
    `<script>window.requestIdleCallback = undefined</script>${scriptIn('hang')}${link}`,
  )
  await expect.poll(() => requested(view)).toHaveLength(1)
})

test('ready() does not load the second file before the page is idle', async () => {
  const { view } = await addPage(
    `${neverIdle}${scriptIn('hang')}<script>PurchaseWidget.ready(() => {})</script>${link}`,
  )
  expect(requested(view)).toEqual([])
})

test('clicks request the second file once', async () => {
  const { view, link: buy } = await addPage(`${neverIdle}${scriptIn('hang')}${link}`)
  buy.click()
  buy.click()
  expect(requested(view)).toHaveLength(1)
})

test('a second file that fails is requested again four times, after longer and longer pauses', async () => {
  const recorder = '<script>var timers = []; setTimeout = (act, ms) => timers.push([act, ms])</script>'
  const failures =
    "<script>var failures = 0; addEventListener('error', () => { failures++ }, { capture: true })</script>"
  const { view } = await addPage(`${failures}${recorder}${neverIdle}${scriptIn('missing')}${link}`)
  const seen = view as unknown as { failures: number; timers: [() => void, number][] }
  idleOf(view)[0]?.[0]()
  const retries = (): [() => void, number][] => seen.timers.filter(([, wait]) => wait !== 15_000)
  for (const count of [1, 2, 3, 4, 5]) {
    await expect.poll(() => seen.failures).toBe(count)
    await new Promise((resolve) => setTimeout(resolve))
    retries()[count - 1]?.[0]()
  }
  expect(retries().map(([, wait]) => wait)).toEqual([1_000, 4_000, 9_000, 16_000])
  expect(new Set(requested(view)).size).toBe(5)
})

test('a second file that hangs is requested again after fifteen seconds, without a click', async () => {
  const recorder = '<script>var timers = []; setTimeout = (act, ms) => timers.push([act, ms])</script>'
  const { view } = await addPage(`${recorder}${neverIdle}${scriptIn('hang')}${link}`)
  const { timers } = view as unknown as { timers: [() => void, number][] }
  idleOf(view)[0]?.[0]()
  timers.find(([, wait]) => wait === 15_000)?.[0]()
  timers.find(([, wait]) => wait === 1_000)?.[0]()
  expect(new Set(requested(view)).size).toBe(2)
})

test('a shopper who leaves the page without a click causes no error', async () => {
  const errors = "<script>var errors = 0; addEventListener('error', () => { errors++ })</script>"
  const { view } = await addPage(`${errors}${neverIdle}${scriptIn('hang')}${link}`)
  view.dispatchEvent(new PageTransitionEvent('pagehide'))
  expect((view as unknown as { errors: number }).errors).toBe(0)
})

test('a link in mode redirect leads this tab to the widget at once, and the tab knows the purchase', async () => {
  const { view, link: buy } = await addPage(
    `${neverIdle}${scriptIn('hang')}<a href="/launch?product_id=gold-100" data-purchase-widget data-mode="redirect">Buy</a>`,
  )
  buy.click()
  expect(buy.ariaBusy).toBe(null)
  await expect.poll(() => view.location.pathname).toBe('/launch')
  const query = Object.fromEntries(new URLSearchParams(view.location.search))
  expect(query).toEqual({ product_id: 'gold-100', surface: 'redirect', purchase: expect.any(String) })
  expect(storedPurchaseId()).toBe(query.purchase)
})

test('a page with Trusted Types loads the second file, and requests it again, by one policy', async () => {
  const policy =
    '<meta http-equiv="Content-Security-Policy" content="require-trusted-types-for \'script\'; trusted-types purchase-widget">'
  const { view, link: buy } = await addPage(`${policy}${neverIdle}${scriptIn('missing')}${link}`)
  const failed = new Promise((resolve) => {
    view.addEventListener('error', () => setTimeout(resolve), { capture: true })
  })
  idleOf(view)[0]?.[0]()
  await failed
  buy.click()
  expect(new Set(requested(view)).size).toBe(2)
})

test('a window that the click has opened keeps waiting when the shopper leaves the page', async () => {
  const { view, link: buy } = await addPage(`${scriptThatWaits}${popupLink}`)
  const opened = windowsOf(view)
  buy.click()
  view.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(buy.ariaBusy).toBe('true')
  await expect.poll(() => isFollowed(opened[0] as Window)).toBe(true)
})

test('a second click brings the window of the first to the front', async () => {
  const { view, link: buy } = await addPage(`${scriptIn('hang')}${popupLink}`)
  const opened = windowsOf(view)
  buy.click()
  let focused = 0
  if (opened[0]) opened[0].focus = () => void focused++
  buy.click()
  expect([opened.length, focused]).toEqual([1, 1])
})

/** The arguments with which a page opens windows, none of which opens. */
function featuresOf(view: Window): unknown[] {
  const features: unknown[] = []
  view.open = (_url, _name, given) => {
    features.push(given)
    return null
  }
  return features
}

const popup = 'width=480,height=720'
const newTab = link.replace('?followed', '?redirect_page=new&followed')

test.each([
  ['a popup by its own mode', popupLink, 'modal', [popup]],
  ['a popup by the mode of the script tag', link, 'popup', [popup]],
  ['no window for a dialog', link, 'modal', []],
  ['no window for a redirect in the same tab', link.replace('<a', '<a data-mode="redirect"'), 'modal', []],
  [
    'a tab by its attributes',
    link.replace('<a', '<a data-mode="redirect" data-redirect-page="new"'),
    'modal',
    [''],
  ],
  ['a tab by its query', newTab, 'redirect', ['']],
  ['no tab for a dialog that returns in one', newTab, 'modal', []],
])('during the click a link opens %s', async (_, html, mode, expected) => {
  const script = scriptIn('hang').replace('<script', `<script data-mode="${mode}"`)
  const { view, link: buy } = await addPage(`${neverIdle}${script}${html}`)
  const features = featuresOf(view)
  view.addEventListener('click', (event) => event.preventDefault())
  buy.click()
  expect(features).toEqual(expected)
})

test('while a button waits for the second file, a click on a link opens that one', async () => {
  const button = '<button data-purchase-widget>Buy</button>'
  const { view, link: buy } = await addPage(`${neverIdle}${scriptIn('hang')}${button}${link}`)
  const waits = view.document.querySelector('button')
  waits?.click()
  expect(waits?.ariaBusy).toBe('true')
  buy.click()
  expect([waits?.ariaBusy, buy.ariaBusy]).toEqual([null, 'true'])
})

test('while an earlier purchase may be under way, a link in mode redirect waits for the second file', async () => {
  sessionStorage.setItem(KEY, `AbCdEfGhIjKlMnOpQrSt_- ${Date.now()}`)
  const { link: buy } = await addPage(
    `${neverIdle}${scriptIn('hang')}${link.replace('<a', '<a data-mode="redirect"')}`,
  )
  buy.click()
  expect(buy.ariaBusy).toBe('true')
})

test.each([
  ['de', ''],
  ['de-DE', ''],
  ['pt-BR', ''],
  ['en', 'data-locale="pt-BR"'],
])('the page speaks the language of its language files (lang="%s" %s)', async (lang, attribute) => {
  const html = `<script>document.documentElement.lang = '${lang}'
    window.PurchaseWidget = { strings: { de: { connecting: 'Moment' }, 'pt-br': { connecting: 'Moment' } } }</script>`
  const button = link.replace('<a', `<button ${attribute}`).replace('</a', '</button')
  const { view } = await addPage(`${html}${scriptThatWaits}${button}<a></a>`)
  view.document.querySelector('button')?.click()
  await expect.poll(() => view.document.querySelector('p[role=alert]')?.textContent).toBe('Moment')
})

test('the second file takes over the window that the click has opened, and opens no other', async () => {
  const companion = await createCompanion()
  const script = `${neverIdle}<script src="${companion.url}/purchase-widget.js"></script>`
  const buyHere = popupLink.replace(
    '/script/scriptTag?followed',
    `${companion.url}/launch?product_id=gold-100`,
  )
  const { view, link: buy } = await addPage(`${script}${buyHere}`)
  const opened = windowsOf(view)
  const states: string[] = []
  buy.addEventListener('purchase-widget-statechange', ({ detail }) => states.push(detail.status))
  buy.click()
  await expect.poll(() => states.at(-1)).toBe('loaded')
  expect(opened).toHaveLength(1)
  expect(opened[0]?.closed).toBe(false)
  expect((await companion.state()).asked).toHaveLength(1)
})

test('the second file closes the window of a link that it must not open, and follows the link', async () => {
  const companion = await createCompanion()
  const quiet = "<script>addEventListener('error', (event) => event.preventDefault())</script>"
  const script = `${quiet}${neverIdle}<script src="${companion.url}/purchase-widget.js"></script>`
  const { view, link: buy } = await addPage(`${script}${popupLink}`)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(() => isFollowed(view)).toBe(true)
  await expect.poll(() => opened[0]?.closed).toBe(true)
})
