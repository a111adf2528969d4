/** One purchase in a real browser, made as a shopper would. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { createBuyer } from '@purchase-widget/sandbox/playwright'

/** The element that the shopper clicks. */
export interface Sale {
  click: 'link' | 'button'
}

interface Visit {
  name: string
  url: string
  sale: Sale
  /** The output of the shop's server. */
  output: () => string
}

export type Buy = (visit: Visit) => Promise<void>

/** Timeout of a shopper's step, even on a busy machine. */
const timeoutMs = 120_000

/** Rejects unless the shopper is thanked, the server has delivered, and no page logged an error. */
export const buyWith =
  (browser: Browser, widgetUrl: string): Buy =>
  (visit) =>
    visitShop(browser, visit, async (page) => {
      await createBuyer(page, widgetUrl, { timeout: timeoutMs }).pay()
      await page.getByText(/Thank you|Order \w+ is complete/).waitFor()
      await delivered(visit.output)
    })

/** Rejects unless a shopper whose card is declined in the shop's dialog sees that back at the shop, and no thanks. */
export const declineWith =
  (browser: Browser, widgetUrl: string): Buy =>
  (visit) =>
    visitShop(browser, visit, async (page, context) => {
      await createBuyer(page, widgetUrl, { timeout: timeoutMs }).decline('4004')
      await page.frameLocator('dialog iframe').getByRole('link', { name: 'Return to shop' }).click()
      await page.getByText('Not paid').waitFor()
      for (const each of context.pages())
        if (await each.getByText('Thank you').count()) throw new Error('A page says thanks after a decline.')
    })

/** Clicks on Buy, and rejects when a page logs an error meanwhile. */
async function visitShop(
  browser: Browser,
  { url, sale }: Visit,
  purchase: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext()
  context.setDefaultTimeout(timeoutMs)
  const complaints: string[] = []
  context.on('console', (message) => {
    // The shops of the start pages have no favicon.
    if (message.location().url.endsWith('/favicon.ico')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'load' })
    await page.getByRole(sale.click, { name: /^Buy/ }).click()
    await purchase(page, context)
    if (complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('; ')}`)
  } catch (error) {
    throw new Error(`${messageOf(error)} (${await describePages(context.pages())}; ${complaints.join('; ')})`)
  } finally {
    await context.close()
  }
}

async function delivered(output: () => string): Promise<void> {
  const until = Date.now() + timeoutMs
  while (!/Deliver(ed)? gold-100 for (order )?\w+|order_complete matched/.test(output())) {
    if (Date.now() > until) throw new Error('The server has not delivered.')
    await sleep(100)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function describePages(pages: readonly Page[]): Promise<string> {
  const texts = pages.map(async (page) => {
    const text = await page
      .locator('body')
      .textContent({ timeout: 1_000 })
      .catch(() => '')
    return `${page.url().split('?')[0]}: ${text?.slice(0, 200)}`
  })
  return (await Promise.all(texts)).join(', ')
}
