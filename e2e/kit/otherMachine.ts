/** A shop, and a shopper's browser, on a machine that finds the sandbox by name. Prints what the shopper reads at the end. */
import { chromium } from '@playwright/test'
import { createBuyer } from '@purchase-widget/sandbox/playwright'
import { clientFromEnv } from '@purchase-widget/server'
import { chromiumLaunch } from '../../scripts/browsers.ts'

const { widgetUrl } = clientFromEnv(process.env)
await import('./shop.ts')
const browser = await chromium.launch(chromiumLaunch() ?? {})
try {
  const page = await browser.newPage()
  const shop = `http://shop.test:${process.env.PORT}`
  // A browser sends no fetch metadata to plain http by name: that it is one is known by its session.
  await page.context().addCookies([{ name: 'session', value: 'grace', url: shop }])
  const buyer = createBuyer(page, widgetUrl)
  await page.goto(`${shop}/api/purchase-widget/launch?product_id=gold-100`)
  await buyer.pay('4242 4242 4242 4242', { email: 'grace@example.com' })
  console.log(await page.getByRole('heading', { name: 'Thank you' }).textContent())
  // The same from a page's script, which is told of the hosts by an attribute.
  await page.goto(shop)
  await page.getByRole('link', { name: 'Buy gold' }).click()
  await buyer.pay('4242 4242 4242 4242', { email: 'grace@example.com' })
  console.log(await page.getByRole('heading', { name: 'Thank you' }).textContent())
} finally {
  await browser.close()
}
process.exit()
