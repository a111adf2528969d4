import { type Browser, chromium, type Page } from 'playwright'
import { chromiumLaunch } from '../../../scripts/browsers.ts'

/** @throws Error when this machine has no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const options = chromiumLaunch()
  if (!options)
    throw new Error('There is no Chromium on this machine: run `playwright install chromium` first.')
  return chromium.launch(options)
}

/** A page with its scripts at work: before, a click on Buy is the form's own, and leads on to the widget in the same tab. */
export async function openWithScripts(page: Page, url: string): Promise<void> {
  const follows = page.waitForRequest('**/api/shop/story')
  await page.goto(url)
  await follows
}
