/** The shopper's actions on the hosted widget page, and its location in each mode. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'

export type Mode = 'iframe' | 'modal' | 'popup' | 'redirect'
export type RedirectPage = 'self' | 'new'

/** Test cards of the sandbox. */
export const cards = { success: '4242 4242 4242 4242', insufficientBalance: '4000 0000 0000 4004' }

/** Returns the widget after the shopper has opened it on the page in `host`. */
export async function widgetIn(
  shopper: Shopper,
  host: Tab,
  mode: Mode,
  redirectPage: RedirectPage,
): Promise<View> {
  if (mode === 'iframe' || mode === 'modal') return host.frame('iframe')
  if (mode === 'redirect' && redirectPage === 'self') return host.page
  return (await otherTab(shopper, host)).page
}

/** Waits for the one tab besides `host`. */
export async function otherTab(shopper: Shopper, host: Tab): Promise<Tab> {
  await expect.poll(async () => (await shopper.tabs()).length, 'tabs').toBe(2)
  const other = (await shopper.tabs()).find((tab) => tab !== host)
  if (!other) throw new Error('The host tab is gone.')
  return other
}

/** The visible text of every tab, without scripts. */
export async function wordsOf(shopper: Shopper): Promise<string> {
  const texts: string[] = []
  // Sequential, because WebKit's driver can be in only one window at a time.
  for (const { page } of await shopper.tabs())
    texts.push(
      await page.evaluate(() => {
        const body = document.body.cloneNode(true) as HTMLElement
        for (const script of body.querySelectorAll('script, noscript')) script.remove()
        return body.textContent ?? ''
      }),
    )
  return texts.join('\n')
}

/** Fills in the form and pays. */
export async function pay(widget: View, card: string): Promise<void> {
  await widget.fill({ label: 'Email' }, 'shopper@example.com')
  await widget.fill({ label: 'Card number' }, card)
  await widget.fill({ label: 'Expiry date' }, '12/34')
  await widget.fill({ label: 'Security code' }, '123')
  await widget.click({ button: 'Pay' })
}

/**
 * Follows the widget's link back after the payment, without waiting for the automatic redirect. Where the shop opens in a new tab,
 * the redirect is immediate, and there is a link to follow only if the browser blocked it.
 */
export async function followBack(
  widget: View,
  merchant: Merchant,
  { mode, redirectPage }: { mode: Mode; redirectPage: RedirectPage },
): Promise<void> {
  const isBack = (): boolean => merchant.requests().some(({ url }) => url.startsWith('/companion/return/'))
  const goesAtOnce = redirectPage === 'new' && mode !== 'redirect'
  const waitMs = goesAtOnce ? 3_000 : 0
  let from = Date.now() + waitMs
  const go = async (): Promise<boolean> => {
    if (isBack()) return true
    const offersLink = async (): Promise<boolean> => (await widget.text({ link: 'Continue' })) !== null
    if (Date.now() > from && (await (goesAtOnce ? isHeldBack(widget) : offersLink()))) {
      // The widget may be redirecting at this moment, and the link may disappear.
      await widget.click({ link: 'Continue' }).catch(() => {})
      from = Date.now() + waitMs
    }
    return isBack()
  }
  await expect.poll(go, { message: 'back at the shop', intervals: [100], timeout: 40_000 }).toBe(true)
}

/** Leaves the widget for the shop after the payment, as a person would. */
export async function leave(
  shopper: Shopper,
  widget: View,
  { declined }: { declined: boolean },
): Promise<void> {
  if (declined) {
    await expect.poll(() => widget.text({ css: '[role=alert]' })).toContain('balance')
    // The widget redirects after ten seconds, and a click may take longer on a busy machine: then the link is gone.
    const way = { link: 'Return to shop' }
    const failure = await widget.click(way).catch((error: unknown) => String(error))
    if (failure) await expect.poll(() => widget.text(way), failure).toBeNull()
    return
  }
  // Does not wait for the widget's countdown. A new tab opens immediately; if the browser blocks it, the person uses the link.
  let isSeen = false
  let missing = 0
  for (let reading = 0; reading < 40 && !(await atReturnPage(shopper)); reading++) {
    const wayOn = await widget.text({ css: '.way-on' })
    isSeen ||= wayOn !== null
    missing = isSeen && wayOn === null ? missing + 1 : 0
    // A busy page may miss a single read.
    if (missing === 3 || wayOn?.includes('is open in another tab')) return
    const countsDown = (await widget.text({ css: '.way-on [role=timer]' })) !== null
    if (countsDown || (reading > 12 && (await isHeldBack(widget)))) return followLink(shopper, widget)
    await sleep(250)
  }
}

/**
 * Whether the receipt stays and has opened no tab. The link is always there; the line next to it decides, but it also promises a tab
 * for a moment before the tab opens.
 */
async function isHeldBack(widget: View): Promise<boolean> {
  for (let reading = 1; ; reading++) {
    // Reads link and line together, because the page may navigate away between two reads.
    const wayOn = (await widget.text({ css: '.way-on' })) ?? ''
    if (!wayOn.startsWith('Continue') || wayOn.includes('is open in another tab')) return false
    if (reading === 4) return true
    await sleep(250)
  }
}

/** The widget may redirect at the same moment: its window is then gone, and the shop's page is loading. */
async function followLink(shopper: Shopper, widget: View): Promise<void> {
  const failure = await widget.click({ link: 'Continue' }).catch((error: unknown) => String(error))
  if (failure) await expect.poll(() => atReturnPage(shopper), failure).toBe(true)
}

async function atReturnPage(shopper: Shopper): Promise<boolean> {
  // Sequential, because WebKit's driver can be in only one window at a time, and would respond for the last requested one.
  for (const tab of await shopper.tabs())
    if ((await tab.url().catch(() => '')).includes('/return.html')) return true
  return false
}
