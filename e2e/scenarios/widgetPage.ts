/** What a shopper does on the hosted widget page, and where it is found in each mode. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'

export type Mode = 'iframe' | 'modal' | 'popup' | 'redirect'
export type RedirectPage = 'self' | 'new'

/** Cards that the sandbox knows. */
export const cards = { success: '4242 4242 4242 4242', insufficientBalance: '4000 0000 0000 4004' }

/** The widget, once the shopper has opened it on the page in `host`. */
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

/** What every tab has written on it, but for its scripts. */
export async function wordsOf(shopper: Shopper): Promise<string> {
  const texts: string[] = []
  // One after the other: WebKit's driver is in one window at a time.
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
 * Follows the widget's link back, once the payment has ended, without waiting until the widget goes by itself. Where the shop opens in a
 * new tab it goes at once, and there is a link to follow only if the browser did not let it.
 */
export async function followBack(
  widget: View,
  merchant: Merchant,
  { mode, redirectPage }: { mode: Mode; redirectPage: RedirectPage },
): Promise<void> {
  const isBack = (): boolean => merchant.requests().some(({ url }) => url.startsWith('/companion/return/'))
  const goesAtOnce = redirectPage === 'new' && mode !== 'redirect'
  const patience = goesAtOnce ? 3_000 : 0
  let from = Date.now() + patience
  const go = async (): Promise<boolean> => {
    if (isBack()) return true
    const offersLink = async (): Promise<boolean> => (await widget.text({ link: 'Continue' })) !== null
    if (Date.now() > from && (await (goesAtOnce ? isHeldBack(widget) : offersLink()))) {
      // It may be on its way just now: then there is soon nothing to click.
      await widget.click({ link: 'Continue' }).catch(() => {})
      from = Date.now() + patience
    }
    return isBack()
  }
  await expect.poll(go, { message: 'back at the shop', intervals: [100], timeout: 40_000 }).toBe(true)
}

/** Leaves the widget for the shop once the payment has ended, as a person would. */
export async function leave(
  shopper: Shopper,
  widget: View,
  { declined }: { declined: boolean },
): Promise<void> {
  if (declined) {
    await expect.poll(() => widget.text({ css: '[role=alert]' })).toContain('balance')
    // The widget goes by itself after ten seconds, and a busy machine may take longer for a click: then there is nothing left to click.
    const way = { link: 'Return to shop' }
    const failure = await widget.click(way).catch((error: unknown) => String(error))
    if (failure) await expect.poll(() => widget.text(way), failure).toBeNull()
    return
  }
  // A widget that counts down to the shop is not waited for. A new tab opens at once; where the browser does not let it, the person uses the link.
  let isSeen = false
  let missing = 0
  for (let reading = 0; reading < 40 && !(await atReturnPage(shopper)); reading++) {
    const wayOn = await widget.text({ css: '.way-on' })
    isSeen ||= wayOn !== null
    missing = isSeen && wayOn === null ? missing + 1 : 0
    // A busy page may not answer a single reading in time.
    if (missing === 3 || wayOn?.includes('is open in another tab')) return
    const countsDown = (await widget.text({ css: '.way-on [role=timer]' })) !== null
    if (countsDown || (reading > 12 && (await isHeldBack(widget)))) return followLink(shopper, widget)
    await sleep(250)
  }
}

/**
 * Whether the receipt stays, and no tab has opened from it. The link is there in any case; what tells is the line beside it, which promises
 * a tab for a moment before it opens as well.
 */
async function isHeldBack(widget: View): Promise<boolean> {
  for (let reading = 1; ; reading++) {
    // Link and line in one reading: the page may go between two.
    const wayOn = (await widget.text({ css: '.way-on' })) ?? ''
    if (!wayOn.startsWith('Continue') || wayOn.includes('is open in another tab')) return false
    if (reading === 4) return true
    await sleep(250)
  }
}

/** The widget may leave by itself just now: its window is gone then, and the shop's page is on its way. */
async function followLink(shopper: Shopper, widget: View): Promise<void> {
  const failure = await widget.click({ link: 'Continue' }).catch((error: unknown) => String(error))
  if (failure) await expect.poll(() => atReturnPage(shopper), failure).toBe(true)
}

async function atReturnPage(shopper: Shopper): Promise<boolean> {
  // One after the other: WebKit's driver is in one window at a time, and would answer for the one that was asked for last.
  for (const tab of await shopper.tabs())
    if ((await tab.url().catch(() => '')).includes('/return.html')) return true
  return false
}
