/**
 * The tests of merchant.spec.ts in WebKit. Playwright drives a WebKit of its own alone, so here WebDriver drives WebKitGTK: sandbox, shop and
 * clock are the kit's, and the shopper is that of the scenarios.
 */
import { test as kit } from '@purchase-widget/sandbox/playwright'
import { expect } from '../fixtures/test.ts'
import type { Engine, Shopper, Tab } from '../scenarios/driver.ts'
import { cards, pay } from '../scenarios/widgetPage.ts'
import { startWebKit } from '../webdriver/engine.ts'

const test = kit.extend<{ shopper: Shopper }, { engine: Engine }>({
  engine: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern which fixtures are needed.
    async ({}, use) => {
      const engine = await startWebKit()
      if (!engine) throw new Error('WebKit is not on this machine.')
      await use(engine)
      await engine.close()
    },
    { scope: 'worker' },
  ],
  shopper: async ({ engine }, use) => {
    const shopper = await engine.newShopper()
    await use(shopper)
    await shopper.close()
  },
})

test.use({
  shop: { command: 'node shop.ts', cwd: import.meta.dirname, webhook: '/api/purchase-widget/webhook' },
})

const heading = (tab: Tab) => () => tab.page.text({ css: 'h1' })

/** The widget leaves by itself after ten seconds. */
const leave = (tab: Tab): Promise<void> =>
  tab
    .frame('iframe')
    .click({ link: 'Return to shop' })
    .catch(async (error: unknown) => {
      if ((await heading(tab)()) === 'Shop') throw error
    })

test('gold is delivered when it is paid', async ({ shopper, sandbox, baseURL }) => {
  const tab = await shopper.visit(`${baseURL}/`)
  await tab.page.click({ link: 'Buy gold' })
  await pay(tab.frame('iframe'), cards.success)
  await expect.poll(heading(tab)).toBe('Thank you')
  const [order] = await sandbox.orders()
  await expect
    .poll(async () => (await fetch(`${baseURL}/delivered`)).text())
    .toContain(`matched ${order?.id}`)
})

test('a card without balance buys nothing', async ({ shopper, sandbox, baseURL }) => {
  const tab = await shopper.visit(`${baseURL}/`)
  await tab.page.click({ link: 'Buy gold' })
  await pay(tab.frame('iframe'), cards.insufficientBalance)
  await leave(tab)
  await expect.poll(heading(tab)).toBe('Nothing was bought')
  expect(await sandbox.orders()).toMatchObject([{ type: 'order_failed', fail_reason: '4004' }])
})

test('a membership renews after a month', async ({ shopper, sandbox, baseURL }) => {
  const tab = await shopper.visit(`${baseURL}/`)
  await tab.page.click({ link: 'Join the club' })
  await pay(tab.frame('iframe'), cards.success)
  await expect.poll(heading(tab)).toBe('Thank you')
  await sandbox.clock.advance('31 days')
  const [renewal] = await sandbox.orders()
  await expect
    .poll(async () => (await fetch(`${baseURL}/delivered`)).text())
    .toContain(`renewal ${renewal?.id}`)
})
