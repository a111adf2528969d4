import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright'
import { chromiumLaunch } from '../../../scripts/browsers.ts'

/** @throws Error when this machine has no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const options = chromiumLaunch()
  if (!options)
    throw new Error('There is no Chromium on this machine: run `playwright install chromium` first.')
  return chromium.launch(options)
}

/** A profile of its own. Playwright's limit of 30 s for each step is too near for a busy machine. */
export async function newProfile(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(120_000)
  return context
}

/** A page with its scripts at work: before, a click on Buy is the form's own, and leads on to the widget in the same tab. */
export async function openWithScripts(page: Page, url: string): Promise<void> {
  const follows = page.waitForRequest('**/api/shop/story')
  await page.goto(url)
  await follows
}
