/** The app of docs/start-mobile.md: curl asks for the link, and a browser of a phone's size is its webview. */
import type { Browser } from '@playwright/test'
import { createBuyer } from '@purchase-widget/sandbox/playwright'
import type { Followed } from './startPage.ts'

/** Declines, then buys; each time the server has to say so. */
export async function buyFromApp(browser: Browser, { remaining, widgetUrl, type }: Followed): Promise<void> {
  const [askForLink = '', askHowItEnded = ''] = remaining
  for (const expected of ['failed', 'complete']) {
    const { purchaseId, launchUrl } = JSON.parse(await type(askForLink))
    const webview = await browser.newPage({ viewport: { width: 390, height: 844 } })
    // The address where the app would take over is nowhere to be reached.
    const returned = webview.waitForRequest((request) => request.url().includes(`/return/${purchaseId}`))
    await webview.goto(launchUrl)
    const buyer = createBuyer(webview, widgetUrl)
    if (expected === 'complete') await buyer.pay()
    else {
      await buyer.decline('4004')
      await webview.getByRole('link', { name: 'Return to shop' }).click()
    }
    await returned
    await webview.close()
    const answer = await type(askHowItEnded.replace('PURCHASE_ID', purchaseId))
    if (JSON.parse(answer).status !== expected) throw new Error(`Not ${expected}: ${answer}`)
  }
}
