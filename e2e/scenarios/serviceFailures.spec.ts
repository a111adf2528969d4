// Promise: surface/service-failures
/** The service is down before, during or after payment, in every mode: the shopper gets a sentence, a recovery action and no unverified result. */
import { full } from '../../scripts/proof.ts'
import { hostPage, returnPage, tellPending } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import {
  developerErrors,
  inWords,
  noticesOn,
  noticeWith,
  recordFailure,
  reportErrors,
  smallWindow,
} from './failureReport.ts'
import { cards, type Mode, otherTab, pay, widgetIn } from './widgetPage.ts'

interface Scene {
  shopper: Shopper
  merchant: Merchant
  service: Service
  mode: Mode
  host: Tab
}

const modes: readonly Mode[] = full ? ['iframe', 'modal', 'popup', 'redirect'] : ['modal']

const failures: Record<string, (scene: Scene) => Promise<void>> = {
  async 'the service is gone before the payment'({ shopper, merchant, service, mode, host }) {
    await service.vanish()
    await host.page.click({ button: 'Buy' })
    const place = mode === 'popup' ? await otherTab(shopper, host) : host
    await expect.poll(() => noticeWith(place.page, 'Try again'), 'a way on').not.toBeNull()
    await expect.poll(() => developerErrors(merchant)[0]).toContain('token_failed')
    const notice = await noticeWith(place.page, 'Try again')
    recordFailure(shopper, {
      failure: 'the service is gone before the payment',
      mode,
      shopper: notice ? inWords(notice) : '',
      developer: developerErrors(merchant)[0],
      when: 'at once',
    })
    await service.comeBack()
    // The merchant's server caches the service's failure for a few seconds.
    const sells = async (): Promise<boolean> => {
      const again = await noticeWith(place.page, 'Try again')
      if (again) await place.page.click({ button: 'Try again' })
      const widget = mode === 'popup' || mode === 'redirect' ? place.page : host.frame('iframe')
      return (await widget.text({ label: 'Email' })) !== null
    }
    await expect.poll(sells, 'it sells again').toBe(true)
  },

  async 'the service is gone during the payment'({ shopper, merchant, service, mode, host }) {
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, 'self')
    await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
    await service.vanish()
    await pay(widget, cards.success)
    // The widget's own page shows the error and keeps the typed input: nothing of ours may cover it.
    await expect.poll(() => widget.text({ css: '[role=alert]' }), 'the widget’s sentence').not.toBeNull()
    const sentence = await widget.text({ css: '[role=alert] > :last-child' })
    recordFailure(shopper, {
      failure: 'the service is gone during the payment',
      mode,
      shopper: `the widget’s own: “${sentence}” [Pay]`,
      when: 'at once',
    })
    expect(merchant.reports().filter((entry) => /^(result (?!redirected)|error)/.test(entry))).toEqual([])
    await service.comeBack()
    await widget.click({ button: 'Pay' })
    await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  },

  async 'the service is gone after the payment'({ shopper, merchant, service, mode, host }) {
    // Keeps the widget open until the shopper leaves.
    await service.switch({ redirectTarget: 'none' })
    await host.page.click({ button: 'Buy' })
    const widget = await widgetIn(shopper, host, mode, 'self')
    await pay(widget, cards.success)
    await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
    if (mode !== 'redirect') await expect.poll(() => merchant.reports()).toContain('state loaded')
    await service.vanish()
    await leaveShop({ shopper, merchant, service, mode, host })
    // If the server read the order while the window was open, there is nothing to wait for.
    const shown = async (): Promise<string> =>
      (await noticesOn(host.page))[0]?.sentence ??
      merchant.reports().find((entry) => entry.startsWith('result')) ??
      ''
    if (mode !== 'redirect')
      await expect
        .poll(shown, 'a sentence, or the result')
        .toMatch(/Checking your purchase|result success verified/)
    const [notice] = await noticesOn(host.page)
    recordFailure(shopper, {
      failure: 'the service is gone after the payment',
      mode,
      shopper: notice ? inWords(notice) : insteadOfNotice[mode === 'redirect' ? 'shop' : 'result'],
      when: 'at once',
    })
    await service.comeBack()
    const [order] = await service.orders()
    await expect
      .poll(() => merchant.reports(), { timeout: 45_000 })
      .toContain(`${mode === 'redirect' ? 'pending' : 'result'} success verified ${order?.id}`)
  },
}

/** What the shopper gets where the loader shows nothing. */
const insteadOfNotice = {
  shop: 'the shop, which learns the result later by `getPendingResult()`',
  result: 'the result, which the server knew already',
} as const

async function leaveShop({ shopper, merchant, mode, host }: Scene): Promise<void> {
  if (mode === 'redirect') return void (await shopper.visit(merchant.url))
  if (mode === 'modal') return host.page.click({ button: 'Close' })
  if (mode === 'iframe')
    return host.page.evaluate(() => (window as unknown as { widget: { close(): void } }).widget.close())
  await (await otherTab(shopper, host)).close()
}

test.use({ shopperOptions: smallWindow })

for (const [name, goThrough] of Object.entries(failures)) {
  for (const mode of modes) {
    test(`${mode}: when ${name}, the shopper can continue`, {
      tag: oneEngine,
    }, async ({ shopper, merchant, service }) => {
      test.setTimeout(180_000)
      const container = mode === 'iframe' ? `container: '#slot',` : ''
      const options = `{ companion: '/companion', mode: '${mode}', ${container} loadTimeout: 15000 }`
      merchant.page('/', hostPage({ options, before: tellPending + reportErrors }))
      merchant.page('/return.html', returnPage)
      const host = await shopper.visit(merchant.url)
      await expect.poll(() => merchant.reports()).toContain('page ready')
      await goThrough({ shopper, merchant, service, mode, host })
    })
  }
}
