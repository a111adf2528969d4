// Promise: loader/service-outcomes
/** The demo sells: the result that the page shows is the one that the service holds. Every combination is in `matrix.spec.ts`. */
import { recordFigure } from '../../scripts/proof.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Tab } from './driver.ts'
import { cards, leave, type Mode, otherTab, pay, type RedirectPage, widgetIn } from './widgetPage.ts'

const ways: readonly {
  mode: Mode
  redirectPage: RedirectPage
  outcome: keyof typeof outcomes
}[] = [
  { mode: 'iframe', redirectPage: 'self', outcome: 'declined' },
  { mode: 'popup', redirectPage: 'new', outcome: 'paid' },
]
const outcomes = {
  paid: { card: cards.success, status: 'success', type: 'order_complete', declineCode: null },
  declined: { card: cards.insufficientBalance, status: 'failure', type: 'order_failed', declineCode: '4004' },
} as const

const result = { css: '[data-testid=purchase-result]' }

for (const { mode, redirectPage, outcome } of ways) {
  const { card, ...expected } = outcomes[outcome]
  test(`the demo, ${mode}, ${redirectPage}: a purchase that is ${outcome} is shown as the service holds it`, {
    tag: oneEngine,
  }, async ({ shopper, demo }) => {
    const earlier = await demo.orders()
    const tab = await shopper.visit(`${demo.url}/?mode=${mode}&redirectPage=${redirectPage}`)
    await tab.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, tab, mode, redirectPage)
    await pay(widget, card)
    await leave(shopper, widget, { declined: outcome === 'declined' })

    const shown = (name: string) => tab.page.attribute(result, `data-${name}`)
    await expect.poll(() => shown('verified'), 'a verified result').toBe('true')

    const [order, ...others] = (await demo.orders()).slice(0, -earlier.length || undefined)
    expect(others).toEqual([])
    expect(order).toMatchObject({ type: expected.type })
    // A busy page may not answer a single reading in time.
    const purchase = async () => ({
      status: await shown('status'),
      orderId: await shown('order-id'),
      declineCode: (await shown('decline-code')) || null,
    })
    await expect
      .poll(purchase)
      .toEqual({ status: expected.status, orderId: order?.id, declineCode: expected.declineCode })

    const stays = redirectPage === 'new'
    const pathOf = async (each: Tab): Promise<string> => new URL(await each.url()).pathname
    await expect.poll(() => pathOf(tab), 'the shop').toBe(stays ? '/' : '/return')
    await expect.poll(() => tab.page.count('iframe'), 'frames left').toBe(0)
    // A page of the companion comes before the merchant's own, in a window of its own.
    if (!stays) await expect.poll(() => shopper.tabs()).toEqual([tab])
    else await expect.poll(async () => pathOf(await otherTab(shopper, tab))).toBe('/return')
    recordFigure(
      `purchase, ${mode}, ${redirectPage}, ${outcome}, ${shopper.engine}`,
      'right result, right tab, right address',
    )
  })
}
