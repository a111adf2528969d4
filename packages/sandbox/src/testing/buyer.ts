/** A simulated shopper for Playwright, which finds the widget page wherever it opens and uses it like a person, in any of its languages. */
import type { BrowserContext, Frame, Page, Response } from '@playwright/test'
import { type Checkout, declines } from '../widget/protocol.ts'

export interface Payment {
  /** Default: the form's current value, else `shopper@example.com`. */
  email?: string
  /** Default `12/49`. */
  expiry?: string
  /** Default `123`. */
  code?: string
}

/** Each step waits for the widget page's response, and rejects when the response is not the expected one. */
export interface Buyer {
  /** Pays; rejects when the card is declined or the page requires full KYC. Default card: the one that succeeds. */
  pay(card?: string, payment?: Payment): Promise<void>
  /** Pays with a card that is declined with this code, and stays on the page. Default: `4004`, insufficient balance. */
  decline(code?: string, payment?: Payment): Promise<void>
  /** Fills in the e-mail address; with the first payment, an unknown address becomes a user in the low-KYC state. */
  signUp(email: string): Promise<void>
  /** Makes a payment above the low-KYC limit, then passes full KYC; the payment continues automatically. */
  confirmIdentity(card?: string, payment?: Payment): Promise<void>
  /** Pays for a subscription, after selecting one where the page offers a choice. */
  subscribe(card?: string, payment?: Payment): Promise<void>
  /**
   * Leaves without another payment: closes a popup, a tab or the frame's dialog, or goes back. Does nothing when the widget of the
   * payment has already left by itself and no other is open.
   */
  leave(): Promise<void>
}

export interface BuyerOptions {
  /** Milliseconds that each step waits for the widget page. Default 30,000. */
  timeout?: number
}

const workingCard = '4242 4242 4242 4242'

/**
 * @param page The merchant's page, or the widget page itself.
 * @param widgetUrl As in `sandbox.urls.widgetUrl`.
 */
export function createBuyer(page: Page, widgetUrl: string, { timeout = 30_000 }: BuyerOptions = {}): Buyer {
  const widget = (): Promise<Frame> => findWidget(page.context(), widgetUrl, timeout)
  const isGone = (frame: Frame): boolean => frame.isDetached() || !frame.url().startsWith(widgetUrl)
  /** The frame of the last step; the widget may have left it by itself since. */
  let last: Frame | undefined

  /** Clicks a payment button, and reads the result from the widget's server, because the page may navigate away before it can be read. */
  async function payWith(frame: Frame, form: '.pay' | '.identity', wanted: Checkout['step']): Promise<void> {
    const [response] = await Promise.all([
      frame.page().waitForResponse(isPayment(widgetUrl), { timeout }),
      frame.locator(`${form} button[type=submit]`).click({ timeout }),
    ])
    const answer: Answer = response.ok()
      ? await page.request.get(response.url().replace(paymentPath, '')).then((state) => state.json())
      : await response.json()
    if (answer.step !== wanted) throw new Error(`The buyer expected "${wanted}". ${whatHappened(answer)}`)
  }

  async function pay(card: string, payment: Payment, wanted: Checkout['step']): Promise<Frame> {
    const frame = await widget()
    last = frame
    await fill(frame, card, payment, timeout)
    await payWith(frame, '.pay', wanted)
    return frame
  }

  return {
    pay: async (card = workingCard, payment = {}) => void (await pay(card, payment, 'complete')),
    async decline(code = '4004', payment = {}) {
      const frame = await pay(`4000 0000 0000 ${code}`, payment, 'declined')
      // Interaction stops the automatic redirect. Not a click, which waits for frames to be painted, and Firefox may never paint them.
      await frame
        .locator('.declined .code', { hasText: code })
        .dispatchEvent('pointerdown', {}, { timeout })
        .catch(unless(() => isGone(frame)))
    },
    signUp: async (email) => (await widget()).locator('[name=email]').fill(email, { timeout }),
    async confirmIdentity(card = workingCard, payment = {}) {
      const frame = await pay(card, payment, 'identity')
      await frame.locator('.camera button').click({ timeout })
      await payWith(frame, '.identity', 'complete')
    },
    async subscribe(card = workingCard, payment = {}) {
      const frame = await widget()
      await frame.locator('.pay').waitFor({ timeout })
      const offer = frame.locator('input[data-kind=subscription]').first()
      if ((await offer.count()) > 0) await offer.check({ timeout })
      await pay(card, payment, 'complete')
    },
    async leave() {
      const timeoutMs = last && isGone(last) ? 0 : timeout
      const frame = await findWidget(page.context(), widgetUrl, timeoutMs).catch(
        unless(() => timeoutMs === 0),
      )
      if (!frame) return
      if (frame.parentFrame()) await leaveFrame(frame, timeout).catch(unless(() => isGone(frame)))
      else if (frame.page() === page) await page.goBack()
      else await frame.page().close()
    },
  }
}

/** For a step that fails when its page goes away: rethrows the error unless the page is gone. */
const unless =
  (isGone: () => boolean) =>
  (error: unknown): void => {
    if (!isGone()) throw error
  }

async function fill(frame: Frame, card: string, payment: Payment, timeout: number): Promise<void> {
  const { email, expiry = '12/49', code = '123' } = payment
  const address = frame.locator('[name=email]')
  await address.waitFor({ timeout })
  if (email || !(await address.inputValue())) await address.fill(email ?? 'shopper@example.com')
  await frame.locator('[name=card_number]').fill(card)
  await frame.locator('[name=expiry_date]').fill(expiry)
  await frame.locator('[name=security_code]').fill(code)
}

/** Uses the widget's own link back where it shows one, else the button that closes the loader's dialog or the merchant's own. */
async function leaveFrame(frame: Frame, timeout: number): Promise<void> {
  const page = frame.page()
  // The loader's button has its name in the shop's language.
  for (const button of [frame.getByRole('link'), page.locator('[part~=close]')])
    if ((await button.count()) > 0) return button.click({ timeout })
  await page.getByRole('button', { name: 'Close', exact: true }).click({ timeout })
}

const paymentPath = /\/(pay|identity)$/

const isPayment =
  (widgetUrl: string) =>
  (response: Response): boolean =>
    response.url().startsWith(`${widgetUrl}/widget/api/checkouts/`) && paymentPath.test(response.url())

/** A response of the widget page's own API. */
type Answer = Partial<Checkout> & { message?: string }

function whatHappened({ step, order, message }: Answer): string {
  if (order?.decline) return `The card was declined with ${order.decline}: ${declines[order.decline].reason}`
  return message ? `The widget refused: ${message}` : `The widget is at "${step}".`
}

const everyMs = 50

/**
 * Waits for a frame that shows the widget page; returns the newest when there are several.
 *
 * @param timeoutMs 0 to look once.
 * @throws Error listing the pages that are open instead.
 */
async function findWidget(context: BrowserContext, widgetUrl: string, timeoutMs: number): Promise<Frame> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const frames = context.pages().flatMap((page) => page.frames())
    const found = frames.findLast((frame) => frame.url().startsWith(`${widgetUrl}/widget/`))
    if (found) return found
    if (Date.now() > until) throw new Error(nothingFound(widgetUrl, frames))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Lists URLs without their queries, which may contain a token. */
function nothingFound(widgetUrl: string, frames: readonly Frame[]): string {
  const open = frames.map((frame) => frame.url().replace(/[?#].*/s, '')).join(', ')
  return `The widget page ${widgetUrl}/widget/ is not open. Open are: ${open || 'none'}.`
}
