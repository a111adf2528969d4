// Promise: known/reload
/** A page that is reloaded, evicted or killed in the middle of a purchase: `getPendingResult()` says what the service knows. */
import { full, proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage, tellPending } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import type { Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab } from './driver.ts'
import { cards, otherTab, pay, widgetIn } from './widgetPage.ts'

const modes = ['iframe', 'popup', 'redirect'] as const
const outcomes = ['open', 'paid', 'declined'] as const

interface Scene {
  shopper: Shopper
  merchant: Merchant
  service: Service
  mode: (typeof modes)[number]
  outcome: (typeof outcomes)[number]
  make: (shopper: Shopper, host: Tab, merchant: Merchant) => Promise<unknown>
}

const ways: Record<string, Scene['make']> = {
  'a reload': (_shopper, host) => host.reload(),
  // Nothing is left of the page but what the tab has stored.
  'an eviction': async (shopper, _host, merchant) => {
    await shopper.visit(`${merchant.url}/elsewhere`)
    await shopper.visit(merchant.url)
  },
  'a kill': async (_shopper, host) => expect(await host.kill()).toBe(true),
}

for (const [way, make] of Object.entries(ways)) {
  for (const mode of modes) {
    // There the shop comes back by its address alone.
    if (mode === 'redirect' && way !== 'an eviction') continue
    for (const outcome of outcomes) {
      // Every outcome after a reload; what the others add is another way for the page to go.
      if (!full && outcome !== 'paid' && (mode !== 'iframe' || way !== 'a reload')) continue
      const everywhere = way !== 'a kill' && mode === 'iframe' && outcome === 'paid'
      test(`${mode}, ${outcome}: after ${way}, the page learns what became of the purchase`, {
        tag: way === 'a kill' ? '@chromium' : everywhere ? [] : oneEngine,
      }, async ({ shopper, merchant, service }) => {
        const rounds = proofRuns(2, 1)
        test.setTimeout(120_000 * rounds)
        // A widget that is done stays where it is.
        await service.switch({ redirectTarget: 'none' })
        merchant.page('/elsewhere', { body: '<title>Elsewhere</title><h1>Elsewhere</h1>' })
        merchant.page('/return.html', returnPage)
        for (let round = 0; round < rounds; round++)
          await expectKnown({ shopper, merchant, service, mode, outcome, make })
        recordFigure(`after ${way}, ${mode}, ${outcome}, ${shopper.engine}`, `right ${rounds} of ${rounds}`)
      })
    }
  }
}

async function expectKnown({ shopper, merchant, service, mode, outcome, make }: Scene): Promise<void> {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  const options = `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'self' }`
  merchant.page('/', hostPage({ options, before: tellPending }))
  const pending = (): string[] => merchant.reports().filter((entry) => entry.startsWith('pending'))
  const earlier = pending().length
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => pending().length, 'the first visit').toBe(earlier + 1)
  const orders = (await service.orders()).length
  await host.page.click({ button: 'Buy' })
  const widget = await widgetIn(shopper, host, mode, 'self')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  if (outcome !== 'open') {
    await pay(widget, outcome === 'paid' ? cards.success : cards.insufficientBalance)
    const type = outcome === 'paid' ? 'order_complete' : 'order_failed'
    await expect.poll(async () => (await service.orders()).length).toBe(orders + 1)
    await expect.poll(async () => (await service.orders())[0]?.type).toBe(type)
  }
  await make(shopper, host, merchant)
  const [order] = await service.orders()
  const said = {
    open: 'nothing',
    paid: `success verified ${order?.id}`,
    declined: `failure verified ${order?.id}`,
  }
  await expect.poll(() => pending().at(earlier + 1)).toBe(`pending ${said[outcome]}`)
  if (mode === 'popup') await (await otherTab(shopper, host)).close()
}
