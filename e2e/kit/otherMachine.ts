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
  await page.goto(`http://shop.test:${process.env.PORT}/api/purchase-widget/launch?product_id=gold-100`)
  await createBuyer(page, widgetUrl).pay('4242 4242 4242 4242', { email: 'grace@example.com' })
  console.log(await page.getByRole('heading', { name: 'Thank you' }).textContent())
} finally {
  await browser.close()
}
process.exit()
