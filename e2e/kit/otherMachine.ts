/** A shop and a shopper's browser on a machine that reaches the sandbox by name. Prints the text that the shopper finally sees. */
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
  // Browsers send no fetch metadata to named hosts over plain http, so the session identifies this request as a browser's.
  await page.context().addCookies([{ name: 'session', value: 'grace', url: shop }])
  const buyer = createBuyer(page, widgetUrl)
  await page.goto(`${shop}/api/purchase-widget/launch?product_id=gold-100`)
  await buyer.pay('4242 4242 4242 4242', { email: 'grace@example.com' })
  console.log(await page.getByRole('heading', { name: 'Thank you' }).textContent())
  // The same from a page's script, which gets the hosts from an attribute.
  await page.goto(shop)
  await page.getByRole('link', { name: 'Buy gold' }).click()
  await buyer.pay('4242 4242 4242 4242', { email: 'grace@example.com' })
  console.log(await page.getByRole('heading', { name: 'Thank you' }).textContent())
} finally {
  await browser.close()
}
process.exit()
