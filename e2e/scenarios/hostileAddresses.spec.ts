/** Addresses come from options, parameters and data attributes. Only http(s) ones on the merchant's list are ever opened. */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { type Good, goodAddresses, type Hostile, hostileAddresses } from '../fixtures/addresses.ts'
import { expect, test } from '../fixtures/test.ts'
import type { Json, View } from './driver.ts'

test.beforeEach(({ merchant }) =>
  merchant.page('/', {
    body: `
      <h1>Shop</h1><div id="slot"></div>
      <button data-purchase-widget>Buy</button><script src="/loader/purchase-widget.js"></script>`,
  }),
)

const ways = ['options and params', 'data attributes'] as const

for (const way of ways) {
  test(`no hostile address in ${way} is opened`, async ({ shopper, merchant }) => {
    const count = proofRuns(5_000, 800)
    test.setTimeout(60_000 + count * 30)
    const host = await shopper.visit(merchant.url)
    const hostile = hostileAddresses(count)
    const accepted: string[] = []
    for (let start = 0; start < count; start += 500)
      accepted.push(...(await tryAll(host.page, way, hostile.slice(start, start + 500))))
    expect(accepted).toEqual([])
    expect(await host.page.evaluate(() => 'pwned' in window)).toBe(false)
    expect(await host.url()).toBe(`${merchant.url}/`)
    expect(await shopper.tabs()).toEqual([host])
    recordFigure(`hostile addresses in ${way}, ${shopper.engine}`, `0 of ${count} executed or opened`)
  })

  test(`good addresses in ${way} are accepted`, async ({ shopper, merchant }) => {
    const count = 200
    test.setTimeout(60_000 + count * 300)
    const host = await shopper.visit(merchant.url)
    const good = goodAddresses(count, merchant.url)
    expect(await tryAll(host.page, way, good)).toHaveLength(count)
    recordFigure(`good addresses in ${way}, ${shopper.engine}`, `${count} of ${count} accepted`)
  })
}

/** Opens a widget with each address in turn; gives those that were not refused with `invalid_options`. */
const tryAll = (
  page: View,
  way: (typeof ways)[number],
  rows: readonly (Hostile | Good)[],
): Promise<string[]> =>
  page.evaluate(
    async ({ way, rows }) => {
      type Ended = { error?: { code: string } }
      interface Widget {
        open(): Promise<Ended>
        destroy(): void
      }
      const { PurchaseWidget } = window as unknown as {
        PurchaseWidget: { createPurchaseWidget(options: object): Widget }
      }
      const codeOf = (result: Ended): string => result.error?.code ?? 'ended'
      const accepted = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 5, 'accepted'))

      const optionsOf = (place: string, address: string): object => {
        const accessToken = (): Promise<string> => new Promise(() => {})
        if (place === 'widgetUrl') return { widgetUrl: address, accessToken }
        if (place === 'launchUrl') return { widgetUrl: 'https://widget.example', launchUrl: address }
        if (place === 'companion') return { companion: address }
        return { widgetUrl: 'https://widget.example', accessToken, params: { [place]: address } }
      }
      const tryOptions = async (place: string, address: string): Promise<string> => {
        try {
          const options = { ...optionsOf(place, address), mode: 'iframe', container: '#slot' }
          const widget = PurchaseWidget.createPurchaseWidget(options)
          const code = await Promise.race([widget.open().then(codeOf), accepted()])
          widget.destroy()
          return code
        } catch (error) {
          return codeOf({ error: error as { code: string } })
        }
      }

      const button = document.querySelector('button') as HTMLButtonElement
      const script = document.querySelector('script') as HTMLScriptElement
      const attributesOf = (place: string, address: string): Record<string, string> => {
        const launch = { 'widget-url': 'https://widget.example', 'launch-url': 'https://shop.example/launch' }
        if (place === 'widgetUrl') return { ...launch, 'widget-url': address }
        if (place === 'launchUrl') return { ...launch, 'launch-url': address }
        return place === 'companion' ? { companion: address } : { ...launch, [`param-${place}`]: address }
      }
      const tryAttributes = (place: string, address: string): Promise<string> => {
        // Addresses are read from the script tag alone.
        for (const name of script.getAttributeNames()) if (name !== 'src') script.removeAttribute(name)
        const attributes = { ...attributesOf(place, address), mode: 'iframe', container: '#slot' }
        for (const [name, value] of Object.entries(attributes)) script.setAttribute(`data-${name}`, value)
        const ended = new Promise<string>((resolve) => {
          const hear = ({ detail }: CustomEvent<Ended>): void => resolve(codeOf(detail))
          button.addEventListener('purchase-widget-result', hear as EventListener, { once: true })
        })
        button.click()
        return Promise.race([ended, accepted()])
      }

      const tryOne = way === 'data attributes' ? tryAttributes : tryOptions
      const passed: string[] = []
      for (const { place, address } of rows) {
        const code = await tryOne(place, address)
        if (code !== 'invalid_options') passed.push(`${place} ${JSON.stringify(address)}: ${code}`)
      }
      return passed
    },
    { way, rows: rows as unknown as Json as { place: string; address: string }[] },
  )
