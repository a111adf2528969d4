/** Everything that the loader shows passes axe, can be used with the keyboard alone, and gives the focus back. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { startWidgetHost } from '../fixtures/widgetHost.ts'
import type { Shopper, ShopperOptions, Tab, View } from './driver.ts'
import { otherTab } from './widgetPage.ts'

const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

const looks: Record<string, { options: ShopperOptions; extra: string }> = {
  'desktop, light': { options: { viewport: desktop, colorScheme: 'light' }, extra: '' },
  'desktop, dark': { options: { viewport: desktop, colorScheme: 'dark' }, extra: '' },
  'phone, light': { options: { viewport: phone, colorScheme: 'light' }, extra: '' },
  'phone, dark, right to left': { options: { viewport: phone, colorScheme: 'dark' }, extra: `locale: 'ar',` },
}

for (const [look, { options: shopperOptions, extra }] of Object.entries(looks)) {
  test.describe(look, () => {
    test.use({ shopperOptions })

    test('the modal passes axe', async ({ shopper, merchant }) => {
      merchant.page('/', hostPage({ options: `{ companion: '/companion', mode: 'modal', ${extra} }` }))
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      await expect.poll(() => host.frame('iframe').text({ label: 'Email' })).not.toBeNull()
      await expectNoViolations(shopper, host, host.page, `modal, ${look}`)
    })

    test('the waiting page of the popup, and the bar of the page behind it, pass axe', async ({
      shopper,
      merchant,
    }) => {
      const waiting: { end?: () => void } = {}
      const wait = new Promise<void>((resolve) => {
        waiting.end = resolve
      })
      merchant.intercept(async ({ url }) => {
        if (url === '/companion/token') await wait
        return false
      })
      merchant.page('/', hostPage({ options: `{ companion: '/companion', mode: 'popup', ${extra} }` }))
      const host = await shopper.visit(merchant.url)
      await host.page.click({ button: 'Buy' })
      const popup = await otherTab(shopper, host)
      await expectNoViolations(shopper, popup, popup.page, `waiting page, ${look}`)
      waiting.end?.()
      await expect.poll(() => popup.page.text({ label: 'Email' })).not.toBeNull()
      await expect.poll(() => host.page.text({ button: 'Show window' }), 'the bar').not.toBeNull()
      await expectNoViolations(shopper, host, host.page, `bar, ${look}`)
    })

    test('the way out of a widget that does not load passes axe', async ({ shopper, merchant }) => {
      const silent = await startWidgetHost(() => {})
      for (const mode of ['iframe', 'modal']) {
        const container = mode === 'iframe' ? `container: '#slot',` : ''
        const options = `{ widgetUrl: '${silent.url}', accessToken: 'token', mode: '${mode}', ${container} loadTimeout: 500, ${extra} }`
        merchant.page('/', hostPage({ options }))
        const host = await shopper.visit(merchant.url)
        await host.page.click({ button: 'Buy' })
        await expectNoViolations(shopper, host, host.page, `${mode}, loading, ${look}`)
        await expect.poll(() => host.page.text({ button: 'Open in a new window' })).not.toBeNull()
        await expectNoViolations(shopper, host, host.page, `${mode}, way out, ${look}`)
      }
      await silent.close()
    })
  })
}

test('a purchase in the modal needs no mouse, and the focus comes back', async ({
  shopper,
  merchant,
  service,
}) => {
  merchant.page(
    '/',
    hostPage({ options: `{ companion: '/companion', mode: 'modal', redirectPage: 'self' }` }),
  )
  merchant.page('/return.html', returnPage)
  const host = await shopper.visit(merchant.url)
  await expect.poll(() => merchant.reports()).toContain('page ready')

  await tabTo(host.page, 'buy')
  await host.page.press('Enter')
  await expect.poll(() => host.frame('iframe').text({ label: 'Email' })).not.toBeNull()
  await host.page.press('Escape')
  await expect.poll(() => host.page.count('iframe')).toBe(0)
  expect(await host.page.evaluate(() => document.activeElement?.id)).toBe('buy')
  await expect.poll(() => merchant.reports()).toContain('result closed ')

  await host.page.press('Enter')
  const widget = host.frame('iframe')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  for (const text of ['shopper@example.com', '4242424242424242', '1234', '123']) {
    await tabToField(widget)
    await widget.type(text)
  }
  await widget.press('Enter')
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  recordFigure(
    `keyboard only, modal, ${shopper.engine}`,
    'opened, closed with Escape, focus back on the button; bought',
  )
})

async function tabTo(page: View, id: string): Promise<void> {
  for (let presses = 0; presses < 10; presses++) {
    if ((await page.evaluate(() => document.activeElement?.id ?? '')) === id) return
    await page.press('Tab')
  }
  throw new Error(`Tab does not reach #${id}.`)
}

/** Goes to the next text field of the widget. */
async function tabToField(widget: View): Promise<void> {
  for (let presses = 0; presses < 10; presses++) {
    await widget.press('Tab')
    const inField = await widget.evaluate(
      () =>
        document.hasFocus() &&
        document.activeElement instanceof HTMLInputElement &&
        document.activeElement.value === '',
    )
    if (inField) return
  }
  throw new Error('Tab does not reach a field of the widget.')
}

async function expectNoViolations(shopper: Shopper, tab: Tab, view: View, surface: string): Promise<void> {
  const dark = await view.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  expect(dark, 'the shopper prefers dark').toBe(surface.includes('dark'))
  await keepScreenshot(shopper, tab, surface)
  await view.evaluate<void, string>((source) => {
    // The page's policy does not bind what the driver runs.
    new Function(source)()
  }, axe.source)
  const violations = await view.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, { iframes: false })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
  expect(violations).toEqual([])
  recordFigure(`axe: ${surface}, ${shopper.engine}`, '0 violations')
}

/** For people to look at. */
async function keepScreenshot(shopper: Shopper, tab: Tab, surface: string): Promise<void> {
  const picture = await tab.screenshot()
  if (!picture) return
  const folder = join(import.meta.dirname, '..', '..', '.cache', 'screenshots')
  mkdirSync(folder, { recursive: true })
  const name = `${surface}, ${shopper.engine}`.replaceAll(/[^a-z]+/g, '-')
  writeFileSync(join(folder, `${name}.png`), picture)
}
