// Promise: script/pages
/** A link that the script tag's first file has followed without the second: one purchase, which this tab knows, and whose button is free again. */
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
import {
  comeBack,
  comeBackElsewhere,
  complete,
  createCompanion,
  keptId,
  paid,
  pending,
  type TestCompanion,
} from './page.ts'
import { advanceClock, isElsewhere, withOwn } from './windows.ts'

// A purchase stored in this tab would keep a click from following the link.
afterEach(() => sessionStorage.clear())

const tabLink = link.replace('<a', '<a data-mode="redirect" data-redirect-page="new"')

const linkTo = ({ url }: TestCompanion, html = popupLink): string =>
  html.replace('/script/scriptTag?followed', `${url}/launch?product_id=gold-100`)

const alertOf = ({ document }: Window): string | null | undefined =>
  document.querySelector('p[role=alert]')?.textContent

test('a link to the companion that is followed without the second file has a purchase that this tab knows', async () => {
  const companion = await createCompanion()
  const { view, link: buy } = await addPage(`${scriptThatWaits}${linkTo(companion)}`)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(async () => (await companion.state()).links).toHaveLength(1)
  const [link] = (await companion.state()).links
  expect(link).toMatchObject({ product_id: 'gold-100', surface: 'popup' })
  expect(keptId()).toBe(link?.purchase)
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  buy.click()
  const said = () => view.document.querySelector('p[role=alert]')?.textContent
  await expect
    .poll(said)
    .toBe('The purchase could not be started. It is not known yet whether your purchase went through.')
})

// Promise: surface/popup-opener
test.each([
  ['a popup', 'another site', null, popupLink, 'https://other.example/launch'],
  ['a popup', 'this site', undefined, popupLink, '/script/scriptTag?followed'],
  ['a tab', 'this site', null, tabLink, '/script/scriptTag?followed'],
])(
  'when %s has followed a link to %s without the second file, the opener of its window is set to %s',
  async (_, __, opener, html, href) => {
    const { view, link: buy } = await addPage(`${scriptThatWaits}${html}`)
    buy.href = href
    const opened = { location: { href: '' }, opener: undefined, focus() {} }
    view.open = () => opened as unknown as Window
    buy.click()
    await expect.poll(() => opened).toMatchObject({ location: { href: buy.href }, opener })
  },
)

// Promise: script/pages
test('while the window that a link has followed is elsewhere, no click opens another; then one does', async () => {
  const companion = await createCompanion()
  const { view, link: buy } = await addPage(`${scriptThatWaits}${linkTo(companion)}${popupLink}`)
  let focused = 0
  const opened = windowsOf(view, (each) => withOwn(each, { focus: () => void focused++ }))
  buy.click()
  const first = opened[0] as Window
  await expect.poll(() => isElsewhere(first)).toBe(true)
  for (const each of view.document.links) each.click()
  expect([opened.length, focused, buy.ariaBusy]).toEqual([1, 2, null])
  // The shop's own page has come up in it.
  await comeBack(companion, first)
  await expect.poll(() => isElsewhere(first)).toBe(false)
  buy.click()
  expect(opened).toHaveLength(2)
})

test('once the shopper has closed the window that a link has followed, a click opens another', async () => {
  const companion = await createCompanion()
  const { view, link: buy } = await addPage(`${scriptThatWaits}${linkTo(companion)}`)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  opened[0]?.close()
  await expect.poll(() => opened[0]?.closed).toBe(true)
  buy.click()
  expect(opened).toHaveLength(2)
})

const redirectLink = link.replace('<a', '<a data-mode="redirect"')

test.each([
  ['before the second file', scriptThatWaits],
  ['after it', undefined],
])(
  'a second click on a link in mode redirect repeats the first after five seconds, %s has loaded',
  async (_, html) => {
    // With this status the browser stays on the page, as while the address loads.
    const companion = await createCompanion({ launchStatus: 204 })
    const script = html ?? `${holdsBack}<script src="${companion.url}/purchase-widget.js"></script>`
    const { view, link: buy } = await addPage(`${script}${linkTo(companion, redirectLink)}`)
    buy.click()
    await expect.poll(async () => (await companion.state()).launches).toBe(1)
    if (!html) await release(view)
    // As a double click does: the answer to the first request may bring the cookie of a new guest.
    buy.click()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await companion.state()).launches).toBe(1)
    advanceClock(view, 5_001)
    // Chromium ignores a navigation to an address that it is still loading.
    const repeated = async (): Promise<number> => {
      buy.click()
      return (await companion.state()).launches
    }
    await expect.poll(repeated).toBeGreaterThan(1)
    // The three seconds after which a waiting click gives up.
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect((await companion.state()).ids).toHaveLength(1)
    expect([alertOf(view), buy.ariaBusy]).toEqual([undefined, null])
    // The shopper has left the page and comes back: that purchase is now an earlier one.
    view.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    buy.click()
    expect(buy.ariaBusy).toBe('true')
  },
)

test.each([
  ['a popup', popupLink],
  ['a tab', tabLink],
])(
  'a second file that is late continues with %s that a link has followed, and the page gets its result once',
  async (_, html) => {
    const companion = await createCompanion()
    const script = `${hearsResults}${holdsBack}<script src="${companion.url}/purchase-widget.js"></script>`
    const { view, link: buy } = await addPage(`${script}${linkTo(companion, html)}`)
    const opened = windowsOf(view)
    buy.click()
    await expect.poll(() => isElsewhere(opened[0])).toBe(true)
    expect(buy.ariaBusy).toBeNull()
    await release(view)
    await expect.poll(() => buy.ariaBusy).toBe('true')
    buy.click()
    expect(opened).toHaveLength(1)
    await companion.set({ purchase: complete })
    // This page can't navigate a tab: the return page comes up elsewhere.
    if (html === popupLink) await comeBack(companion, opened[0])
    else await comeBackElsewhere(companion, keptId())
    const results = resultsOf(view)
    await expect.poll(() => results).toEqual([{ status: 'success', verified: true, order: paid }])
    await expect.poll(() => buy.ariaBusy).toBeNull()
    // Other copies of the result would follow within this time.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(results).toHaveLength(1)
    expect((await companion.state()).links).toHaveLength(1)
  },
)

test('a second file that is late leaves alone the window of a link that it must not open', async () => {
  const companion = await createCompanion()
  const quiet = "<script>addEventListener('error', (event) => event.preventDefault())</script>"
  const script = `${quiet}${hearsResults}${holdsBack}<script src="${companion.url}/purchase-widget.js"></script>`
  const html = linkTo(companion).replace('<a', '<a data-load-timeout="soon"')
  const { view, link: buy } = await addPage(`${script}${html}`)
  const opened = windowsOf(view)
  buy.click()
  await expect.poll(() => isElsewhere(opened[0])).toBe(true)
  await release(view)
  await expect.poll(() => resultsOf(view)).toMatchObject([{ status: 'error' }])
  expect(opened[0]?.closed).toBe(false)
  expect((await companion.state()).links).toHaveLength(1)
})

test('a purchase that the second file may ask about is not forgotten with the notice that came before that file', async () => {
  const id = 'AbCdEfGhIjKlMnOpQrSt_-'
  const companion = await createCompanion({ ids: [id], purchase: pending })
  sessionStorage.setItem(KEY, `${id} ${Date.now()}`)
  const late = `<script>{
    const { setTimeout } = window
    window.setTimeout = (act, milliseconds) => {
      if (milliseconds === 10000) window.hideNotice = act
      else return setTimeout(act, milliseconds)
    }
  }</script>`
  const script = `${late}${holdsBack}<script src="${companion.url}/purchase-widget.js"></script>`
  const { view, link: buy } = await addPage(`${script}${linkTo(companion, link)}`)
  buy.click()
  await expect.poll(() => alertOf(view)).toMatch(/not known yet/)
  await release(view)
  ;(view as unknown as { hideNotice(): void }).hideNotice()
  expect([alertOf(view), keptId()]).toEqual([undefined, id])
})
