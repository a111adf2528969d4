/** The demo for the tests of one file: in a browser, and for a shopper without one. */
import { createControl } from '@purchase-widget/sandbox/testing'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach } from 'vitest'
import { startChromium } from '../../../scripts/browsers.ts'
import type { Fulfilled } from '../exchange.ts'
import { type Demo, startDemo } from '../server/startDemo.ts'

interface DemoInBrowser {
  demo: Demo
  /** Creates a separate profile, which is removed after the test. */
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
      // Playwright's timeout of 30 s per step is too short on a busy machine.
      context.setDefaultTimeout(120_000)
      return context
    },
  }
}

/** Opens a page and waits for hydration: before it, a click on Buy submits the form and navigates to the widget in the same tab. */
export async function openWithScripts(page: Page, url: string): Promise<void> {
  const follows = page.waitForRequest('**/api/shop/story')
  await page.goto(url)
  await follows
}

/** The part of the `POST /token` response that these tests need. */
export interface Grant {
  accessToken: string
  /** Every parameter of the widget's address except the token. */
  params: Record<string, string>
}

export interface Visitor {
  /** Creates a purchase, as the loader does. `requested` is the page's untrusted input. */
  begin(productId: string, requested?: Record<string, string>): Promise<Grant>
  fulfilled(): Promise<Fulfilled>
}

/** Starts a session and keeps its cookie. */
export async function visit(shopUrl: string): Promise<Visitor> {
  const cookie = cookieIn(await fetch(`${shopUrl}/`, { headers: { connection: 'close' } }))

  async function ask<Data>(path: string, body?: unknown): Promise<Data> {
    const response = await fetch(shopUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      // The shop may close a keep-alive connection at the moment of its reuse.
      headers: { connection: 'close', cookie, origin: shopUrl, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Data
  }

  return {
    begin: (productId, requested = {}) =>
      ask('/api/purchase-widget/token', { params: { ...requested, product_id: productId } }),
    fulfilled: () => ask('/api/shop/deliveries'),
  }
}

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Pays without the widget's page; resolves to the order's id. */
export const buyAt = async ({ sandbox }: Demo, params: Record<string, string>): Promise<string> =>
  (await createControl(sandbox.urls.controlUrl).buy({ params })).id
