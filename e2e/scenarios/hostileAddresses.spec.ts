// Promise: loader/hostile-addresses
/** Each engine reads addresses by its own parser: only http(s) ones on the merchant's list are opened. The loader's unit tests have the full list. */
import { recordFigure } from '../../scripts/proof.ts'
import { goodAddresses, hostileAddresses, type Placed } from '../fixtures/addresses.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Json, View } from './driver.ts'

test('hostile addresses are refused, and good ones are accepted', async ({ shopper, merchant }) => {
  merchant.page('/', {
    body: `
      <h1>Shop</h1><div id="slot"></div>
      <script type="module">
        import { createPurchaseWidget } from '/loader/sync.js'
        Object.assign(window, { createPurchaseWidget })
        await fetch('/report', { method: 'POST', body: 'page ready' })
      </script>`,
  })
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')
  expect(await acceptedOf(host.page, hostileAddresses)).toEqual([])
  expect(await host.page.evaluate(() => 'pwned' in window)).toBe(false)
  expect(await host.url()).toBe(`${merchant.url}/`)
  expect(await shopper.tabs()).toEqual([host])
  const good = goodAddresses(merchant.url)
  expect(await acceptedOf(host.page, good)).toHaveLength(good.length)
  recordFigure(
    `hostile addresses in options and params, ${shopper.engine}`,
    `0 of ${hostileAddresses.length} executed or opened`,
  )
})

/** Opens a widget with each address in turn; gives those that were not refused with `invalid_options`. */
const acceptedOf = (page: View, rows: readonly Placed[]): Promise<string[]> =>
  page.evaluate(
    async (rows) => {
      type Ended = { error?: { code: string } }
      interface Widget {
        open(): Promise<Ended>
        destroy(): void
      }
      const { createPurchaseWidget } = window as unknown as { createPurchaseWidget(options: object): Widget }
      const codeOf = (result: Ended): string => result.error?.code ?? 'ended'
      const optionsOf = (place: string, address: string): object => {
        const accessToken = (): Promise<string> => new Promise(() => {})
        if (place === 'widgetUrl') return { widgetUrl: address, accessToken }
        if (place === 'launchUrl') return { widgetUrl: 'https://widget.example', launchUrl: address }
        if (place === 'companion') return { companion: address }
        return { widgetUrl: 'https://widget.example', accessToken, params: { [place]: address } }
      }
      const codeFor = async (place: string, address: string): Promise<string> => {
        try {
          const options = { ...optionsOf(place, address), mode: 'iframe', container: '#slot' }
          const widget = createPurchaseWidget(options)
          const accepted = new Promise<string>((resolve) => setTimeout(resolve, 5, 'accepted'))
          const code = await Promise.race([widget.open().then(codeOf), accepted])
          widget.destroy()
          return code
        } catch (error) {
          return codeOf({ error: error as { code: string } })
        }
      }
      const accepted: string[] = []
      for (const { place, address } of rows) {
        const code = await codeFor(place, address)
        if (code !== 'invalid_options') accepted.push(`${place} ${JSON.stringify(address)}: ${code}`)
      }
      return accepted
    },
    rows as unknown as Json as { place: string; address: string }[],
  )
