/** The demo in a browser, for the tests of one file. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach } from 'vitest'
import { startChromium } from '../../../scripts/browsers.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'

interface DemoInBrowser {
  demo: Demo
  /** A profile of its own, gone after the test. */
  newProfile(options?: BrowserContextOptions): Promise<BrowserContext>
}

export async function openDemo(): Promise<DemoInBrowser> {
  const [demo, browser] = await Promise.all([startDemo({ port: 0 }), startChromium()])
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

/** A page with its scripts at work: before, a click on Buy is the form's own, and leads on to the widget in the same tab. */
export async function openWithScripts(page: Page, url: string): Promise<void> {
  const follows = page.waitForRequest('**/api/shop/story')
  await page.goto(url)
  await follows
}
