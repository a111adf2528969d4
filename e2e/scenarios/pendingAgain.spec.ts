// Promise: known/reload
/** A page whose second file fails at first learns the result of this tab's purchase: the file is requested again at another address. */
import { returnPage } from '../fixtures/hostPage.ts'
import { openShop } from '../fixtures/hosts.ts'
import { isSecond } from '../fixtures/secondFile.ts'
import { expect, oneEngine, test } from '../fixtures/test.ts'
import { cards, pay, widgetIn } from './widgetPage.ts'

test('React: the result of a pending purchase is known, even if the second file fails at first', {
  tag: oneEngine,
}, async ({ shopper, merchant, service }) => {
  await service.switch({ redirectTarget: 'none' })
  await openShop(merchant, 'React', { mode: 'modal', redirectPage: 'self', pageToken: false })
  merchant.page('/return.html', returnPage)
  const shop = await shopper.visit(merchant.url)
  await expect.poll(merchant.reports).toContain('page ready')
  await shop.page.click({ button: 'Buy' })
  await pay(await widgetIn(shopper, shop, 'modal', 'self'), cards.success)
  await expect.poll(async () => (await service.orders())[0]?.type).toBe('order_complete')
  const asked: string[] = []
  merchant.intercept(
    ({ url }, response) =>
      isSecond(url) && asked.push(`${url}`) === 1 && Boolean(response.writeHead(503).end()),
  )
  await shop.reload()
  const [order] = await service.orders()
  await expect.poll(merchant.reports).toContain(`pending success verified ${order?.id}`)
  // WebKit takes the file from its memory.
  if (shopper.engine !== 'webkit') expect(new Set(asked).size).toBeGreaterThan(1)
})
