/** A shopper for Playwright, who finds the widget page wherever it is and uses it as a person would, in any of its languages. */
import type { BrowserContext, Frame, Page, Response } from '@playwright/test'
import { type Checkout, declines } from '../widget/protocol.ts'

export interface Payment {
  /** Default: what the form has, else `shopper@example.com`. */
  email?: string
  /** Default `12/49`. */
  expiry?: string
  /** Default `123`. */
  code?: string
}

/** Each step waits until the widget page has answered, and rejects when the answer is another than the step's. */
export interface Buyer {
  /** Pays; rejects when the card is declined or the page asks who the shopper is. Default card: the one that succeeds. */
  pay(card?: string, payment?: Payment): Promise<void>
  /** Pays with a card that is declined with this code, and stays on the page. Default `4004`, insufficient balance. */
  decline(code?: string, payment?: Payment): Promise<void>
  /** Fills the e-mail address: who is not known yet becomes a user, in the low-KYC state, with the first payment. */
  signUp(email: string): Promise<void>
  /** Pays for more than the low-KYC limit, then shows a document: the payment goes on by itself. */
  confirmIdentity(card?: string, payment?: Payment): Promise<void>
  /** Pays for a subscription, which is chosen first where the page offers a choice. */
  subscribe(card?: string, payment?: Payment): Promise<void>
  /**
   * Goes away without paying more: closes a popup or a tab, or the frame's dialog, or goes back. Nothing when the widget that was paid in has
   * left by itself, and no other is open.
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
  /** Where the last step was: the widget may have left by itself since. */
  let last: Frame | undefined

  /** Presses a button that pays, and asks the widget's server what came of it: the page may have left before that can be read from it. */
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
      // Whoever touches the page is not sent away by it. No click: that waits for frames to be drawn, which Firefox may leave undone.
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
      const patience = last && isGone(last) ? 0 : timeout
      const frame = await findWidget(page.context(), widgetUrl, patience).catch(unless(() => patience === 0))
      if (!frame) return
      if (frame.parentFrame()) await leaveFrame(frame, timeout).catch(unless(() => isGone(frame)))
      else if (frame.page() === page) await page.goBack()
      else await frame.page().close()
    },
  }
}

/** For a step that a page cannot finish once it has gone: rethrows unless it has. */
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

/** By the widget's own way back where it shows one, else by the button that closes the merchant's dialog. */
async function leaveFrame(frame: Frame, timeout: number): Promise<void> {
  const wayBack = frame.getByRole('link')
  const dialogButton = frame.page().getByRole('button', { name: 'Close', exact: true })
  await ((await wayBack.count()) > 0 ? wayBack : dialogButton).click({ timeout })
}

const paymentPath = /\/(pay|identity)$/

const isPayment =
  (widgetUrl: string) =>
  (response: Response): boolean =>
    response.url().startsWith(`${widgetUrl}/widget/api/checkouts/`) && paymentPath.test(response.url())

/** Of the widget page's own API. */
type Answer = Partial<Checkout> & { message?: string }

function whatHappened({ step, order, message }: Answer): string {
  if (order?.decline) return `The card was declined with ${order.decline}: ${declines[order.decline].reason}`
  return message ? `The widget refused: ${message}` : `The widget is at "${step}".`
}

const everyMs = 50

/**
 * The frame that shows the widget page, the newest when there are several. Waits for one.
 *
 * @param patience Milliseconds.
 * @throws Error naming the pages that are open instead.
 */
async function findWidget(context: BrowserContext, widgetUrl: string, patience: number): Promise<Frame> {
  const until = Date.now() + patience
  for (;;) {
    const frames = context.pages().flatMap((page) => page.frames())
    const found = frames.findLast((frame) => frame.url().startsWith(`${widgetUrl}/widget/`))
    if (found) return found
    if (Date.now() > until) throw new Error(nothingFound(widgetUrl, frames))
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** Addresses without their queries, which may hold a token. */
function nothingFound(widgetUrl: string, frames: readonly Frame[]): string {
  const open = frames.map((frame) => frame.url().replace(/[?#].*/s, '')).join(', ')
  return `The widget page ${widgetUrl}/widget/ is not open. Open are: ${open || 'none'}.`
}
