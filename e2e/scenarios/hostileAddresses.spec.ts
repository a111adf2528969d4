// Promise: loader/hostile-addresses
/** Each engine has its own URL parser: none may open an address from the loader's list of hostile ones, wherever a page can put it. */
import { hostile } from '../../packages/loader/test/hostileAddresses.ts'
import { recordFigure } from '../../scripts/proof.ts'
import { expect, test } from '../fixtures/test.ts'
import type { View } from './driver.ts'

type Place = 'widgetUrl' | 'launchUrl' | 'companion' | 'redirect_url' | 'fail_redirect_url'
type Placed = { place: Place; address: string }

const placed = (places: readonly Place[], addresses: readonly string[]): Placed[] =>
  places.flatMap((place) => addresses.map((address) => ({ place, address })))

const returns: readonly Place[] = ['redirect_url', 'fail_redirect_url']

/**
 * Absolute addresses; any other is a path of the page where a path is allowed. Plain numbers become IP addresses when a browser
 * parses them.
 */
const absolute = hostile.filter(
  (address) => URL.canParse(address) && !/^(https:|http:\/\/[\dxa-f.]+$)/i.test(address),
)

/** Well-formed, but not on the merchant's own origin. */
const foreign = [
  'https://evil.example/return',
  '//evil.example/return',
  '/\\evil.example/return',
  '/\t/evil.example',
]

const bad = [
  ...placed(['widgetUrl'], hostile),
  ...placed(['launchUrl', 'companion', ...returns], absolute),
  ...placed(returns, foreign),
]

const goodOn = (origin: string): Placed[] => [
  ...placed(
    ['widgetUrl'],
    ['https://widget.example:8443/base', 'http://[::1]:4010', 'HTTPS://Widget.Example'],
  ),
  ...placed(['launchUrl', 'companion'], ['/launch', `${origin}/launch`]),
  ...placed(returns, ['?paid=1', `${origin}/return?order=1#top`, '/a/../b', '/javascript:1']),
]

test('hostile addresses are refused, and valid ones are accepted', async ({ shopper, merchant }) => {
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
  expect(await acceptedOf(host.page, bad)).toEqual([])
  expect(await host.url()).toBe(`${merchant.url}/`)
  expect(await shopper.tabs()).toEqual([host])
  const good = goodOn(merchant.url)
  expect(await acceptedOf(host.page, good)).toHaveLength(good.length)
  recordFigure(
    `hostile addresses in options and params, ${shopper.engine}`,
    `0 of ${bad.length} executed or opened`,
  )
})

/** Opens a widget with each address in turn; returns those that were not refused with `invalid_options`. */
const acceptedOf = (page: View, rows: readonly Placed[]): Promise<string[]> =>
  page.evaluate(async (rows) => {
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
  }, rows)
