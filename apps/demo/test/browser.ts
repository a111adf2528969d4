/** The demo in a browser, for the tests of one file. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright'
import { afterAll, afterEach } from 'vitest'
import { chromiumLaunch } from '../../../scripts/browsers.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'

interface DemoInBrowser {
  demo: Demo
  /** A profile of its own, gone after the test. */
  newProfile(options?: BrowserContextOptions): Promise<BrowserContext>
}

export async function openDemo(): Promise<DemoInBrowser> {
  const [demo, browser] = await Promise.all([startDemo({ port: 0 }), launchChromium()])
  const contexts: BrowserContext[] = []
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser.close()
    await demo.close()
  })
  return {
    demo,
    async newProfile(options) {
      const context = await browser.newContext(options)
      contexts.push(context)
      // Playwright's limit of 30 s for each step is too near for a busy machine.
      context.setDefaultTimeout(120_000)
      return context
    },
  }
}

/** @throws Error when this machine has no Chromium. */
async function launchChromium(): Promise<Browser> {
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
