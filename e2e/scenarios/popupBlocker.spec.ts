// Promise: surface/popup
/** Every other scenario relies on this: a window that opens without a click is blocked, in each engine. */
import { expect, test } from '../fixtures/test.ts'

test.beforeEach(({ merchant }) => {
  merchant.page('/', {
    body: `
      <button id="now">At once</button>
      <button id="late">Six seconds later</button>
      <script>
        const open = () => fetch('/report', { method: 'POST', body: window.open('/other') ? 'opened' : 'blocked' })
        now.onclick = open
        late.onclick = () => setTimeout(open, 6000)
      </script>`,
  })
  merchant.page('/other', { body: 'Another page' })
})

test('a window opens in the click', async ({ shopper, merchant }) => {
  const { page } = await shopper.visit(merchant.url)
  await page.click({ button: 'At once' })
  await expect.poll(() => merchant.reports()).toEqual(['opened'])
  await expect.poll(async () => (await shopper.tabs()).length).toBe(2)
})

test('a window does not open six seconds after the click', async ({ shopper, merchant }) => {
  const { page } = await shopper.visit(merchant.url)
  await page.click({ button: 'Six seconds later' })
  await expect.poll(() => merchant.reports()).toEqual(['blocked'])
  expect(await shopper.tabs()).toHaveLength(1)
})
