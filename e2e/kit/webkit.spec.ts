// Promise: kit/recipes
/**
 * The test of merchant.spec.ts in WebKit. Playwright can only drive its own WebKit build, so WebDriver drives WebKitGTK here: sandbox,
 * shop and clock come from the kit, and the shopper from the scenarios.
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
      if (!engine) throw new Error('WebKit is not installed.')
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
