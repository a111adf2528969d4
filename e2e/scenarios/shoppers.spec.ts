// Promise: companion/shoppers
/**
 * One shopper's purchases are never attributed to another: in two tabs and in eight, and across a sign-in. In full also in one page without a
 * reload and in two widgets on a page, which the loader's tests cover otherwise: 1,002 purchases in three engines.
 */
import { full, proofRuns, recordFigure } from '../../scripts/proof.ts'
import { hostPage, notes, returnPage } from '../fixtures/hostPage.ts'
import type { Merchant, Page } from '../fixtures/merchant.ts'
import type { Order, Service } from '../fixtures/service.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import type { Shopper, Tab, View } from './driver.ts'
import { cards, pay } from './widgetPage.ts'

/** The merchant's session: a cookie that the page sets, as a sign-in would. */
const shopperOf = (request: Request): string =>
  /(?:^|; )shopper=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? 'guest'

const signIn = (page: View, name: string): Promise<void> =>
  page.evaluate((name) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the simplest sign-in there is.
    document.cookie = `shopper=${name}; path=/`
  }, name)

/** The limit is sixty requests per shopper and minute; real shoppers stay far below it. */
const shopperOfRound = (page: View, round: number): Promise<void> => signIn(page, `shopper-${round}`)

test.beforeEach(({ merchant }) => merchant.page('/return.html', returnPage))

/** The loader's own tests cover these two once; many in a row are for the full run. */
const inOnePage = full ? Array.from({ length: 7 }, (_, index) => index + 1) : []
for (const part of inOnePage) {
  test(`twenty shoppers in one page without a reload get their own orders (${part} of ${inOnePage.length})`, async ({
    shopper,
    merchant,
    service,
  }) => {
    const names = Array.from({ length: 20 }, (_, index) => `shopper-${index}`)
    test.setTimeout(120_000 + names.length * 20_000)
    // No tab of the widget's comes to the front between two purchases.
    await service.switch({ redirectTarget: 'none' })
    service.sell({ authorize: (request) => ({ customId: shopperOf(request) }) })
    merchant.page('/', hostPage({ options: `{ companion: '/companion', redirectPage: 'new' }` }))
    const host = await shopper.visit(merchant.url)
    for (const name of names) {
      await signIn(host.page, name)
      await host.page.click({ button: 'Buy' })
      const order = await payAndFind(host.frame('iframe'), service, cards.success)
      expect(order.custom_id).toBe(name)
      await closeAll(host.page)
      await expect.poll(() => merchant.reports()).toContain(`result success verified ${order.id}`)
    }
    recordFigure(
      `one page without a reload, ${part} of ${inOnePage.length}, ${shopper.engine}`,
      `${names.length} purchases, crossed 0, lost 0`,
    )
  })
}

const twoWidgets: Page = {
  body: `
    <title>Shop</title><h1>Shop</h1><button id="buy">Buy</button>
    <div style="display: flex"><div id="one" style="flex: 1"></div><div id="two" style="flex: 1"></div></div>
    <script>${notes}</script>
    <script type="module">
      import { createPurchaseWidget } from '/loader/index.js'
      window.widgets = ['one', 'two'].map((name) => {
        const widget = createPurchaseWidget({ companion: '/companion', container: '#' + name, title: name, redirectPage: 'new' })
        widget.on('result', (result) => note(name + ' ' + sayResult(result)))
        return widget
      })
      buy.onclick = () => widgets.forEach((widget) => widget.open())
    </script>`,
}

if (full)
  test('two widgets on a page each get their own result', async ({ shopper, merchant, service }) => {
    const rounds = 30
    test.setTimeout(120_000 + rounds * 40_000)
    await service.switch({ redirectTarget: 'none' })
    service.sell({ authorize: (request) => ({ customId: shopperOf(request) }) })
    merchant.page('/', twoWidgets)
    const host = await shopper.visit(merchant.url)
    for (let round = 0; round < rounds; round++) {
      await shopperOfRound(host.page, round)
      await host.page.click({ button: 'Buy' })
      const first = await payAndFind(host.frame('iframe[title=one]'), service, cards.success)
      const second = await payAndFind(host.frame('iframe[title=two]'), service, cards.insufficientBalance)
      await closeAll(host.page)
      await expect.poll(() => merchant.reports()).toContain(`one success verified ${first.id}`)
      await expect.poll(() => merchant.reports()).toContain(`two failure verified ${second.id}`)
    }
    recordFigure(`two widgets on a page, ${shopper.engine}`, `${2 * rounds} purchases, crossed 0, lost 0`)
  })

/** Requests a different price in each tab, which identifies its order. */
const tabPage: Page = {
  body: `
    <title>Shop</title><h1>Shop</h1><a href="/?tab=0" target="_blank">Another tab</a> <button id="buy">Buy</button><div id="slot"></div>
    <script>${notes}</script>
    <script type="module">
      import { createPurchaseWidget } from '/loader/index.js'
      const tab = new URLSearchParams(location.search).get('tab')
      document.querySelector('a').search = '?tab=' + (Number(tab) + 1)
      const params = { quote_amount: '1.0' + tab }
      const widget = createPurchaseWidget({ companion: '/companion', container: '#slot', redirectPage: 'new', params })
      widget.on('result', (result) => note('tab ' + tab + ' ' + sayResult(result)))
      window.widgets = [widget]
      buy.onclick = () => widget.open()
      note('tab ' + tab + ' ready')
    </script>`,
}

for (const [count, inFull] of [
  [2, 25],
  [8, 8],
] as const) {
  // Only in the full run: it is the same test, four times as long.
  if (count === 8 && !full) continue
  test(`${count} concurrent tabs each get their own result`, { tag: oneEngine }, async ({
    shopper,
    merchant,
    service,
  }) => {
    const rounds = proofRuns(inFull, 1)
    test.setTimeout(120_000 + rounds * count * 20_000)
    await service.switch({ redirectTarget: 'none' })
    service.sell({
      authorize: (request) => ({ customId: shopperOf(request) }),
      createPurchase: ({ params }) => ({
        params: { product_id: 'gold-100', quote: 'USD', quote_amount: `${params.quote_amount}` },
      }),
    })
    merchant.page('/', tabPage)
    const tabs = await openTabs(shopper, merchant, count)
    for (let round = 0; round < rounds; round++) {
      await shopperOfRound(tabs[0].page, round)
      for (const tab of tabs) await tab.page.click({ button: 'Buy' })
      const bought: Order[] = []
      for (const tab of tabs) {
        await tab.toFront()
        bought.push(await payAndFind(tab.frame('iframe'), service, cards.success))
      }
      // The service is read for a shopper once in three seconds, so that of eight closed together the last could wait half a minute.
      const closesTogether = count === 2
      if (closesTogether) for (const tab of tabs) await closeAll(tab.page)
      for (const [index, order] of bought.entries()) {
        if (!closesTogether && tabs[index]) await closeAll(tabs[index].page)
        expect(Number(order.quote_amount)).toBe(Number(`1.0${index}`))
        await expect.poll(() => merchant.reports()).toContain(`tab ${index} success verified ${order.id}`)
      }
    }
    recordFigure(`${count} tabs at once, ${shopper.engine}`, `${rounds * count} purchases, crossed 0, lost 0`)
  })
}

test('a guest who signs in during the purchase finds the order, and no other shopper does', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  const rounds = proofRuns(20, 1)
  test.setTimeout(120_000 + rounds * 30_000)
  service.sell({
    authorize(request) {
      const name = shopperOf(request)
      return { customId: name, ...(name.startsWith('ada') && { formerly: [name.replace('ada', 'guest')] }) }
    },
  })
  merchant.page('/', hostPage({ options: `{ companion: '/companion', redirectPage: 'self' }` }))
  for (let round = 0; round < rounds; round++) {
    const host = await shopper.visit(merchant.url)
    await signIn(host.page, `guest-${round}`)
    await host.page.click({ button: 'Buy' })
    const widget = host.frame('iframe')
    await expect.poll(() => widget.text({ label: 'Email' })).not.toBeNull()
    const grant = merchant.answers().findLast((body) => body.includes('purchaseId'))
    await signIn(host.page, `ada-${round}`)
    const order = await payAndFind(widget, service, cards.success)
    expect(order.custom_id).toBe(`guest-${round}`)
    await expect.poll(() => merchant.reports()).toContain(`return page says success verified ${order.id}`)

    const { purchaseId } = JSON.parse(`${grant}`) as { purchaseId: string }
    const asked = await fetch(`${merchant.url}/companion/purchases/${purchaseId}`, {
      headers: { cookie: `shopper=eve` },
    })
    expect(await asked.json()).toMatchObject({ status: 'none' })
  }
  recordFigure(`a guest who signs in on the way, ${shopper.engine}`, `${rounds} purchases, crossed 0, lost 0`)
})

/** Pays, and returns the resulting order once it is final. */
async function payAndFind(widget: View, service: Service, card: string): Promise<Order> {
  const known = new Set((await service.orders()).map(({ id }) => id))
  await pay(widget, card)
  const added = async (): Promise<Order | undefined> =>
    (await service.orders()).find(({ id, type }) => !known.has(id) && /^order_(complete|failed)$/.test(type))
  await expect.poll(added, 'the order').toBeDefined()
  const order = await added()
  if (!order) throw new Error('The order is gone.')
  return order
}

/** Closes every widget of the page. */
const closeAll = (page: View): Promise<void> =>
  page.evaluate(() => {
    const { widget, widgets = widget ? [widget] : [] } = window as unknown as {
      widget?: { close(): void }
      widgets?: { close(): void }[]
    }
    for (const each of widgets) each.close()
  })

/** Opens the shop in `count` tabs, each by the link in the previous one. */
async function openTabs(shopper: Shopper, merchant: Merchant, count: number): Promise<[Tab, ...Tab[]]> {
  const tabs: [Tab, ...Tab[]] = [await shopper.visit(`${merchant.url}/?tab=0`)]
  for (let index = 0; index < count; index++) {
    await expect.poll(() => merchant.reports()).toContain(`tab ${index} ready`)
    if (index === count - 1) break
    await tabs.at(-1)?.page.click({ link: 'Another tab' })
    await expect.poll(async () => (await shopper.tabs()).length, 'tabs').toBe(index + 2)
    const opened = (await shopper.tabs()).find((tab) => !tabs.includes(tab))
    if (opened) tabs.push(opened)
  }
  return tabs
}
