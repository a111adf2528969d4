/** Reload, back and forward, in the middle of a purchase and after it: the page is never stuck, and the paid order is found. */
import { setTimeout as sleep } from 'node:timers/promises'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, leave, type Mode, pay, widgetIn } from './widgetPage.ts'

test.beforeEach(({ merchant }) => {
  merchant.page('/return.html', returnPage)
  merchant.page('/elsewhere', { body: '<title>Elsewhere</title><h1>Elsewhere</h1>' })
})

const moves: Record<string, (shopper: Shopper, host: Tab, merchant: Merchant) => Promise<void>> = {
  'a reload': (_shopper, host) => host.reload(),
  'leaving, back': async (shopper, host, merchant) => {
    await shopper.visit(`${merchant.url}/elsewhere`)
    await host.back()
  },
  'back, forward': async (_shopper, host) => {
    await host.back()
    await host.forward()
  },
}

const states = ['opening', 'loaded', 'paid'] as const
const modes: readonly Mode[] = ['iframe', 'modal', 'popup']

for (const mode of modes) {
  for (const state of states) {
    for (const [move, make] of Object.entries(moves)) {
      test(`${mode}, ${state}: after ${move} the page sells, and the order is found`, async ({
        shopper,
        merchant,
        service,
      }) => {
        const slowly = { now: state === 'opening' }
        merchant.intercept(async ({ url }) => {
          if (slowly.now && url === '/companion/token') await sleep(2_000)
          return false
        })
        const container = mode === 'iframe' ? `container: '#slot',` : ''
        merchant.page(
          '/',
          hostPage({
            options: `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'self' }`,
          }),
        )
        await shopper.visit(`${merchant.url}/elsewhere`)
        const host = await shopper.visit(merchant.url)
        await host.page.click({ button: 'Buy' })
        if (state !== 'opening') {
          const widget = await widgetIn(shopper, host, mode, 'self')
          await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
          // Nobody is faster; a popup that goes sooner cannot be told from one that COOP cut off.
          await sleep(1_000)
          if (state === 'paid') await pay(widget, cards.success)
          if (state === 'paid')
            await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
        }
        await make(shopper, host, merchant)
        slowly.now = false
        // A widget that is done takes the shopper to the return page within moments.
        if (state === 'paid') await sleep(3_000)

        await closeOthers(shopper, host)
        if (new URL(await host.url()).pathname !== '/') await shopper.visit(merchant.url)
        const widget = await usable(shopper, host, mode)
        await pay(widget, cards.success)
        await leave(shopper, widget, { declined: false })
        const expected = state === 'paid' ? 2 : 1
        await expect.poll(async () => (await service.orders()).length).toBe(expected)
        const [order] = await service.orders()
        await expect
          .poll(() => merchant.reports())
          .toContain(`return page says success verified ${order?.id}`)
        recordFigure(`${mode}, ${state}, ${move}, ${shopper.engine}`, 'sells, order found 1 of 1')
      })
    }
  }
}

/** The widget that is still there, or the one that opens when the shopper clicks again. */
async function usable(shopper: Shopper, host: Tab, mode: Mode): Promise<View> {
  await sleep(500)
  const frame = host.frame('iframe')
  const there = mode !== 'popup' && (await host.page.count('iframe')) > 0
  if (there && (await frame.text({ label: 'Email' })) !== null) return frame
  // Playwright cannot look into a frame that came out of Chromium's back/forward cache: the shopper closes it and buys anew.
  if (there) await closeWidget(host)
  // A page from the back/forward cache notices in a moment that its popup was closed.
  await expect.poll(() => status(host), 'the state before buying anew').toMatch(/^(idle|closed)$/)
  await host.page.click({ button: 'Buy' })
  return widgetIn(shopper, host, mode, 'self')
}

const status = (host: Tab): Promise<string> =>
  host.page.evaluate(
    () =>
      (window as unknown as { widget: { getSnapshot(): { status: string } } }).widget.getSnapshot().status,
  )

async function closeWidget(host: Tab): Promise<void> {
  await host.page.evaluate(() => (window as unknown as { widget: { close(): void } }).widget.close())
  await expect.poll(() => host.page.count('iframe')).toBe(0)
}

async function closeOthers(shopper: Shopper, host: Tab): Promise<void> {
  for (const tab of await shopper.tabs()) if (tab !== host) await tab.close()
}
