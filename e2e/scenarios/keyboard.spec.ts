// Promise: surface/keyboard
/** A whole purchase with the keyboard alone; Escape closes the dialog, and the focus comes back to the button. */
import { recordFigure } from '../../scripts/proof.ts'
import { hostPage, returnPage } from '../fixtures/hostPage.ts'
import { expect, test } from '../fixtures/test.ts'
import type { View } from './driver.ts'

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

/** Tabs to the next text field of the widget. */
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
