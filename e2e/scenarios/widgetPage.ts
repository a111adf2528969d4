/** What a shopper does on the hosted widget page, and where it is found in each mode. */
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Fills in the form and pays. */
export async function pay(widget: View, card: string): Promise<void> {
  await widget.fill({ label: 'Email' }, 'shopper@example.com')
  await widget.fill({ label: 'Card number' }, card)
  await widget.fill({ label: 'Expiry date' }, '12/34')
  await widget.fill({ label: 'Security code' }, '123')
  await widget.click({ button: 'Pay' })
}

/** Leaves the widget for the shop once the payment has ended, as a person would. */
export async function leave(
  shopper: Shopper,
  widget: View,
  { declined }: { declined: boolean },
): Promise<void> {
  if (declined) {
    await expect.poll(() => widget.text({ css: '[role=alert]' })).toContain('balance')
    return widget.click({ link: 'Return to shop' })
  }
  // The widget goes to the shop by itself. Where that takes a new tab, the browser may not let it, and the person uses the link.
  const blocked = async (): Promise<boolean> => (await widget.text({ link: 'Continue' })) !== null
  for (let patience = 0; patience < 40 && !(await atReturnPage(shopper)); patience++) {
    await sleep(250)
    if (patience > 12 && (await blocked())) return followLink(shopper, widget)
  }
}

/** The widget may leave by itself just now: its window is gone then, and the shop's page is on its way. */
async function followLink(shopper: Shopper, widget: View): Promise<void> {
  const failure = await widget.click({ link: 'Continue' }).catch((error: unknown) => String(error))
  if (failure) await expect.poll(() => atReturnPage(shopper), failure).toBe(true)
}

async function atReturnPage(shopper: Shopper): Promise<boolean> {
  const urls = await Promise.all((await shopper.tabs()).map((tab) => tab.url().catch(() => '')))
  return urls.some((url) => url.includes('/return.html'))
}
