/** Addresses come from options, parameters and data attributes. Only http(s) ones on the merchant's list are ever opened. */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { type Good, goodAddresses, type Hostile, hostileAddresses } from '../fixtures/addresses.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Json, View } from './driver.ts'

test.beforeEach(({ merchant }) =>
  merchant.page('/', {
    body: `
      <h1>Shop</h1><div id="slot"></div>
      <script src="/loader/purchase-widget.js" data-companion="/companion"></script>`,
  }),
)

test('no hostile address is opened', async ({ shopper, merchant }) => {
  const count = proofRuns(5_000, 800)
  const host = await shopper.visit(merchant.url)
  const hostile = hostileAddresses(count)
  const accepted: string[] = []
  for (let start = 0; start < count; start += 500)
    accepted.push(...(await tryAll(host.page, hostile.slice(start, start + 500))))
  expect(accepted).toEqual([])
  expect(await host.page.evaluate(() => 'pwned' in window)).toBe(false)
  expect(await host.url()).toBe(`${merchant.url}/`)
  expect(await shopper.tabs()).toEqual([host])
  recordFigure(
    `hostile addresses in options and params, ${shopper.engine}`,
    `0 of ${count} executed or opened`,
  )
})

test('good addresses are accepted', async ({ shopper, merchant }) => {
  const count = 200
  const host = await shopper.visit(merchant.url)
  const good = goodAddresses(count, merchant.url)
  expect(await tryAll(host.page, good)).toHaveLength(count)
  recordFigure(`good addresses in options and params, ${shopper.engine}`, `${count} of ${count} accepted`)
})

/** Opens a widget with each address in turn; gives those that were not refused with `invalid_options`. */
const tryAll = (page: View, rows: readonly (Hostile | Good)[]): Promise<string[]> =>
  page.evaluate(
    async (rows) => {
      type Opened = { status: string; error?: { code: string } }
      interface Widget {
        open(): Promise<Opened>
        destroy(): void
      }
      const { PurchaseWidget } = window as unknown as {
        PurchaseWidget: { createPurchaseWidget(options: object): Widget }
      }
      const sourceOf = (place: string, address: string): object => {
        const accessToken = (): Promise<string> => new Promise(() => {})
        if (place === 'widgetUrl') return { widgetUrl: address, accessToken }
        if (place === 'launchUrl') return { widgetUrl: 'https://widget.example', launchUrl: address }
        if (place === 'companion') return { companion: address }
        return { widgetUrl: 'https://widget.example', accessToken, params: { [place]: address } }
      }
      const codeOf = async (place: string, address: string): Promise<string> => {
        try {
          const widget = PurchaseWidget.createPurchaseWidget({
            ...sourceOf(place, address),
            mode: 'iframe',
            container: '#slot',
          })
          const refused = widget.open().then(({ error }) => error?.code ?? 'ended')
          const accepted = new Promise<string>((resolve) => setTimeout(resolve, 5, 'accepted'))
          const code = await Promise.race([refused, accepted])
          widget.destroy()
          return code
        } catch (error) {
          return (error as { code?: string }).code ?? String(error)
        }
      }
      const accepted: string[] = []
      for (const { place, address } of rows) {
        const code = await codeOf(place, address)
        if (code !== 'invalid_options') accepted.push(`${place} ${JSON.stringify(address)}: ${code}`)
      }
      return accepted
    },
    rows as unknown as Json as { place: string; address: string }[],
  )
