// Promises: surface/history, link/one-row
/**
 * Reload, back and forward during and after a purchase: the page is never stuck, the paid order is found, and the store has one row for each
 * purchase.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { full, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { type Combination, product } from '../fixtures/pairwise.ts'
import { keepRows } from '../fixtures/rows.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, leave, type Mode, otherTab, pay, widgetIn } from './widgetPage.ts'

/** Each page reports when it is shown, even from the back/forward cache. */
const tellWhenShown = (page: string): string =>
  `addEventListener('pageshow', () => fetch('/report', { method: 'POST', body: '${page} shown', keepalive: true }))`

test.beforeEach(({ merchant }) => {
  merchant.page('/return.html', returnPage)
  merchant.page('/elsewhere', {
    body: `<title>Elsewhere</title><h1>Elsewhere</h1><script>${tellWhenShown('elsewhere')}</script>`,
  })
})

const factors = {
  mode: ['iframe', 'modal', 'popup'],
  state: ['opening', 'loaded', 'paid'],
  move: ['a reload', 'leaving, back', 'back, forward'],
  opened: ['by the link', 'with a ticket'],
} as const

type Move = (typeof factors)['move'][number]

const moves: Record<Move, (shopper: Shopper, host: Tab, merchant: Merchant) => Promise<void>> = {
  'a reload': (_shopper, host, merchant) => until('shop shown', merchant, host.reload),
  'leaving, back': async (shopper, host, merchant) => {
    await until('elsewhere shown', merchant, () => shopper.visit(`${merchant.url}/elsewhere`))
    await until('shop shown', merchant, host.back)
  },
  'back, forward': async (_shopper, host, merchant) => {
    await until('elsewhere shown', merchant, host.back)
    await until('shop shown', merchant, host.forward)
  },
}

/** Performs an action, and waits for the resulting report. */
async function until(report: string, merchant: Merchant, act: () => Promise<unknown>): Promise<void> {
  const count = (): number => merchant.reports().filter((entry) => entry === report).length
  const before = count()
  await act()
  await expect.poll(count, report).toBeGreaterThan(before)
}

/** A frame and a window with each move, and each state with the moves that can restore it from the back/forward cache. The link is the default. */
const some: readonly Combination<typeof factors>[] = [
  { mode: 'iframe', state: 'paid', move: 'leaving, back', opened: 'by the link' },
  { mode: 'popup', state: 'paid', move: 'back, forward', opened: 'by the link' },
  { mode: 'modal', state: 'paid', move: 'a reload', opened: 'with a ticket' },
  { mode: 'popup', state: 'loaded', move: 'leaving, back', opened: 'by the link' },
  { mode: 'iframe', state: 'opening', move: 'leaving, back', opened: 'with a ticket' },
]

for (const { mode, state, move, opened } of full ? product(factors) : some) {
  test(`${mode}, ${opened}, ${state}: after ${move} the page sells, and the order is found`, {
    // The other engines run the move that can restore the page as it was, in the state with the most to lose.
    tag: state === 'paid' && move === 'leaving, back' ? [] : oneEngine,
  }, async ({ shopper, merchant, service }) => {
    // Two purchases, each of whose steps has its own timeout.
    test.setTimeout(180_000)
    let moved = false
    merchant.intercept(async ({ url }) => {
      if (moved) return false
      if (state === 'opening' && url?.startsWith('/companion/launch')) await sleep(2_000)
      // A finished widget redirects to the return page quickly; this delays the redirect until after the move.
      while (url?.startsWith('/return.html') && !moved) await sleep(50)
      return false
    })
    const rows = keepRows(service)
    const container = mode === 'iframe' ? `container: '#slot',` : ''
    const widgetOrigin = opened === 'by the link' ? `widgetOrigin: '${service.widgetUrl}',` : ''
    merchant.page(
      '/',
      hostPage({
        options: `{ companion: '/companion', mode: '${mode}', ${container} ${widgetOrigin} redirectPage: 'self' }`,
        before: tellWhenShown('shop'),
      }),
    )
    await shopper.visit(`${merchant.url}/elsewhere`)
    const host = await shopper.visit(merchant.url)
    await host.page.click({ button: 'Buy' })
    // A page that is left before its request was sent has begun no purchase.
    const launched = () => merchant.requests().some(({ url }) => url.startsWith('/companion/launch'))
    await expect.poll(launched, 'the launch request').toBe(true)
    if (state !== 'opening') {
      const widget = await widgetIn(shopper, host, mode, 'self')
      await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
      // A popup that closes sooner is indistinguishable from one severed by COOP.
      await expect.poll(() => merchant.reports()).toContain('state loaded')
      if (state === 'paid') await pay(widget, cards.success)
      if (state === 'paid')
        await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
    }
    await moves[move](shopper, host, merchant)
    moved = true
    // A receipt redirects after 3 s, and its return page after 1 s: all effects of the first purchase arrive before the second starts.
    if (state === 'paid') await sleep(6_000)

    // On a busy machine the driver learns of a window only later.
    if (mode === 'popup' && state === 'opening') await otherTab(shopper, host)
    await closeOthers(shopper, host)
    const restored = await stillThere(host, mode)
    const widget = restored ?? (await buyAnew(shopper, host, merchant, mode))
    await pay(widget, cards.success)
    await leave(shopper, widget, { declined: false })
    const expected = state === 'paid' ? 2 : 1
    await expect.poll(async () => (await service.orders()).length).toBe(expected)
    const [order] = await service.orders()
    await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)
    const purchases = restored ? 1 : 2
    await expect.poll(async () => (await rows()).length, 'rows').toBe(purchases)
    const figure = `sells, order found 1 of 1, ${purchases} rows for ${purchases} purchases`
    recordFigure(`${mode}, ${opened}, ${state}, ${move}, ${shopper.engine}`, figure)
  })
}

test('redirect, self: going back before paying brings the shop back, and it sells again', async ({
  shopper,
  merchant,
  service,
}) => {
  const options = `{ companion: '/companion', mode: 'redirect', redirectPage: 'self' }`
  merchant.page('/', hostPage({ options, before: tellWhenShown('shop') }))
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.page.text({ label: 'Email' })).not.toBeNull()
  await until('shop shown', merchant, host.back)
  await host.page.click({ button: 'Buy' })
  await expect.poll(() => host.page.text({ label: 'Email' })).not.toBeNull()
  expect(await service.orders()).toEqual([])
})

/** The widget in the page, if it is still usable. Playwright cannot read a frame restored from Chromium's back/forward cache. */
async function stillThere(host: Tab, mode: Mode): Promise<View | null> {
  const widget = host.frame('iframe')
  return mode !== 'popup' && (await widget.text({ label: 'Email' })) !== null ? widget : null
}

/** Closes what is left of the widget and clicks again in the shop, whichever page the tab shows. */
async function buyAnew(shopper: Shopper, host: Tab, merchant: Merchant, mode: Mode): Promise<View> {
  // A page from the back/forward cache detects shortly afterwards that its popup was closed.
  await expect
    .poll(() => afterPuttingAway(host, mode), 'the page before buying anew')
    .toMatch(/^(idle|settled|elsewhere)$/)
  if (new URL(await host.url()).pathname !== '/') await shopper.visit(merchant.url)
  expect(await host.page.count('iframe')).toBe(0)
  await host.page.click({ button: 'Buy' })
  return widgetIn(shopper, host, mode, 'self')
}

interface HostWindow {
  widget?: { close(): void; getSnapshot(): { status: string } }
  result?: { status: string }
}

/** Closes a frame, and ends a purchase that lost its popup before it was visible; returns the resulting state of the page. */
function afterPuttingAway(host: Tab, mode: Mode): Promise<string> {
  const state = host.page.evaluate((inFrame) => {
    const { widget, result } = window as unknown as HostWindow
    if (location.pathname !== '/') return 'elsewhere'
    if (!widget) return 'loading'
    if (inFrame || widget.getSnapshot().status === 'detached') widget.close()
    return result?.status === 'redirected' ? 'leaving' : widget.getSnapshot().status
  }, mode !== 'popup')
  // A page that is navigating away cannot be read.
  return state.catch(() => 'leaving')
}

async function closeOthers(shopper: Shopper, host: Tab): Promise<void> {
  for (const tab of await shopper.tabs()) if (tab !== host) await tab.close()
}
