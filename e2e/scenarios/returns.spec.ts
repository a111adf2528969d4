/**
 * A purchase ends by its own return alone: one that comes from the widget's own window and names this purchase. Whatever else arrives on the
 * merchant's origin ends, closes and moves nothing, and nothing reads as bought.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant } from '../fixtures/merchant.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost } from '../fixtures/widgetHost.ts'
import type { Shopper, Tab } from './driver.ts'
import { type Mode, widgetIn } from './widgetPage.ts'

const foreignId = 'AAAAAAAAAAAAAAAAAAAAAA'

/** What somebody might make the shopper's browser do while the widget is open. `id` is this purchase's. */
const attempts: Record<string, (page: { shop: string; id: string }) => string> = {
  "another purchase's return page": ({ shop }) => `${shop}/companion/return/${foreignId}`,
  'a failed one': ({ shop }) => `${shop}/companion/return/${foreignId}/failed`,
  'an address that claims an order': ({ shop }) =>
    `${shop}/return.html?purchase=${foreignId}&type=order_complete&order_id=forged`,
  "this purchase's return page, in a tab of its own": ({ shop, id }) => `${shop}/companion/return/${id}`,
  "this purchase's return address, replayed": ({ shop, id }) =>
    `${shop}/return.html?purchase=${id}&type=order_complete`,
}

const modes: readonly Mode[] = ['iframe', 'popup']
for (const mode of modes) {
  for (const [name, address] of Object.entries(attempts)) {
    test(`${mode}: ${name} ends nothing while the widget is open`, async ({ shopper, merchant, service }) => {
      const stranger = await startWidgetHost((request, response) => {
        const target = new URL(request.url ?? '/', 'http://localhost').searchParams.get('to')
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(
          `<!doctype html><html lang="en"><title>Elsewhere</title><body><script>location.replace(${JSON.stringify(target)})</script>`,
        )
      })
      try {
        const { host, id } = await openWidget(shopper, merchant, mode)
        const visits = proofRuns(5, 1)
        for (let visit = 0; visit < visits; visit++) {
          const to = address({ shop: merchant.url, id })
          await host.page.evaluate(
            (url) => {
              // As a link of another site would: without a tie to this page.
              const link = Object.assign(document.createElement('a'), {
                href: url,
                target: '_blank',
                rel: 'noopener',
              })
              document.body.append(link)
              link.click()
              link.remove()
            },
            `${stranger.url}/?to=${encodeURIComponent(to)}`,
          )
        }
        await sleep(3_000)
        expectUntouched(merchant)
        expect(new URL(await host.url()).pathname).toBe('/')

        if (mode === 'iframe')
          expect(await host.frame('iframe').text({ label: 'Email' }), 'the widget').not.toBeNull()
        expect(await service.orders()).toEqual([])
        recordFigure(`${mode}: ${name}, ${shopper.engine}`, `ended, closed or moved 0 of ${visits}`)
      } finally {
        await stranger.close()
      }
    })
  }
}

test('messages and channels of the page itself end nothing', async ({ shopper, merchant }) => {
  const { host, id } = await openWidget(shopper, merchant, 'iframe')
  const sent = await host.page.evaluate((id) => {
    const say = (purchaseId: unknown): object => ({
      source: 'purchase-widget',
      type: 'returned',
      purchaseId,
      outcome: 'success',
      returnUrl: `${location.origin}/elsewhere`,
    })
    const words = [say(id), say('other'), say(null), say({}), { ...say(id), type: 'return' }, say(['a'])]
    for (const word of words) postMessage(word, '*')
    const channel = new BroadcastChannel(`purchase-widget:${id}`)
    for (const word of words) channel.postMessage(word)
    channel.close()
    return 2 * words.length
  }, id)
  await sleep(2_000)
  expectUntouched(merchant)
  expect(new URL(await host.url()).pathname).toBe('/')
  expect(await host.page.count('iframe')).toBe(1)
  recordFigure(`forged returns of the page itself, ${shopper.engine}`, `ended 0 of ${sent}`)
})

test('a return address that is visited again shows what the server knows, and nothing else', async ({
  shopper,
  merchant,
  service,
}) => {
  const { host, id } = await openWidget(shopper, merchant, 'iframe')
  await shopper.visit(`${merchant.url}/return.html?purchase=${id}&type=order_complete&order_id=forged`)
  await expect
    .poll(() => merchant.reports().filter((entry) => entry.startsWith('return page says')), {
      timeout: 45_000,
    })
    .not.toEqual([])
  expect(merchant.reports().join()).not.toContain('verified')
  expect(await service.orders()).toEqual([])
  expect(host).toBeDefined()
})

async function openWidget(
  shopper: Shopper,
  merchant: Merchant,
  mode: Mode,
): Promise<{ host: Tab; id: string }> {
  const container = mode === 'iframe' ? `container: '#slot',` : ''
  merchant.page(
    '/',
    hostPage({ options: `{ companion: '/companion', mode: '${mode}', ${container} redirectPage: 'new' }` }),
  )
  merchant.page('/return.html', returnPage)
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  await host.page.click({ button: 'Buy' })
  const widget = await widgetIn(shopper, host, mode, 'new')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  const grant = merchant.answers().find((body) => body.includes('purchaseId'))
  const { purchaseId } = JSON.parse(`${grant}`) as { purchaseId: string }
  return { host, id: purchaseId }
}

function expectUntouched(merchant: Merchant): void {
  const ended = merchant
    .reports()
    .filter((entry) => /^(result|return$|state (confirming|settled))/.test(entry))
  expect(ended).toEqual([])
}
