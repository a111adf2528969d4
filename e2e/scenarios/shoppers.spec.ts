/** What one shopper did is never another's: in one page without a reload, in two widgets of a page, in many tabs, across a sign-in. */
import { proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, notes, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import { cards, pay } from './widgetPage.ts'

/** The merchant's session: a cookie that the page sets, as a sign-in would. */
const shopperOf = (request: Request): string =>
  /(?:^|; )shopper=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'guest'

test.beforeEach(({ merchant }) => merchant.page('/return.html', returnPage))

test('two shoppers in one page without a reload get orders of their own', async ({
  shopper,
  merchant,
  service,
}) => {
  // No tab of the widget's comes to the front between two purchases.
  await service.switch({ redirectTarget: 'none' })
  service.sell({ authorize: (request) => ({ customId: shopperOf(request) }) })
  merchant.page('/', hostPage({ options: `{ companion: '/companion', redirectPage: 'new' }` }))
  const host = await shopper.visit(merchant.url)
  const names = Array.from({ length: proofRuns(20, 2) }, (_, index) => `shopper-${index}`)
  for (const [index, name] of names.entries()) {
    await host.page.evaluate((name) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the simplest sign-in there is.
      document.cookie = `shopper=${name}; path=/`
    }, name)
    await host.page.click({ button: 'Buy' })
    const widget = host.frame('iframe')
    await pay(widget, cards.success)
    await expect.poll(async () => (await service.orders()).length).toBe(index + 1)
    const [order] = await service.orders()
    expect(order?.custom_id).toBe(name)
    await host.page.evaluate(() => (window as unknown as { widget: { close(): void } }).widget.close())
    await expect.poll(() => merchant.reports()).toContain(`result success verified ${order?.id}`)
  }
  recordFigure(`shoppers in one page without a reload, ${shopper.engine}`, `crossed 0 of ${names.length}`)
})

test('two widgets on a page each get their own result', async ({ shopper, merchant, service }) => {
  await service.switch({ redirectTarget: 'none' })
  merchant.page('/', {
    body: `
      <title>Shop</title><h1>Shop</h1><div style="display: flex"><div id="one" style="flex: 1"></div><div id="two" style="flex: 1"></div></div>
      <script>${notes}</script>
      <script type="module">
        import { createPurchaseWidget } from '/loader/index.js'
        for (const name of ['one', 'two']) {
          const widget = createPurchaseWidget({ companion: '/companion', container: '#' + name, title: name, redirectPage: 'new' })
          widget.on('result', (result) => note(name + ' ' + sayResult(result)))
          window[name + 'Widget'] = widget
          widget.open()
        }
      </script>`,
  })
  const host = await shopper.visit(merchant.url)
  await pay(host.frame('iframe[title=one]'), cards.success)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  const [first] = await service.orders()
  await pay(host.frame('iframe[title=two]'), cards.insufficientBalance)
  await expect.poll(async () => (await service.orders()).length).toBe(2)
  await host.page.evaluate(() => {
    const { oneWidget, twoWidget } = window as unknown as Record<'oneWidget' | 'twoWidget', { close(): void }>
    oneWidget.close()
    twoWidget.close()
  })
  const [second] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`one success verified ${first?.id}`)
  await expect.poll(() => merchant.reports()).toContain(`two failure verified ${second?.id}`)
})

test('a guest who signs in on the way finds the order, and nobody else does', async ({
  shopper,
  merchant,
  service,
}) => {
  service.sell({
    authorize(request) {
      const name = shopperOf(request)
      return { customId: name, ...(name === 'ada' && { formerly: ['guest'] }) }
    },
  })
  merchant.page('/', hostPage({ options: `{ companion: '/companion', redirectPage: 'self' }` }))
  const host = await shopper.visit(merchant.url)
  await host.page.click({ button: 'Buy' })
  const widget = host.frame('iframe')
  await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
  await host.page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the simplest sign-in there is.
    document.cookie = 'shopper=ada; path=/'
  })
  await pay(widget, cards.success)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  const [order] = await service.orders()
  await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order?.id}`)

  const address = await host.url()
  const id = merchant.answers().find((body) => body.includes('purchaseId'))
  const { purchaseId } = JSON.parse(`${id}`) as { purchaseId: string }
  const asked = await fetch(`${new URL(address).origin}/companion/purchases/${purchaseId}`, {
    headers: { cookie: 'shopper=eve' },
  })
  expect(await asked.json()).toMatchObject({ status: 'none' })
})
