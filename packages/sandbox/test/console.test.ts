// Promise: sandbox/console
/** The console in a browser, and what a page on another local port can access of it and of the control plane. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test } from 'vitest'
import { full } from '../../../scripts/proof.ts'
import { shopForTests } from './widget/shop.ts'

const shop = await shopForTests()
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const views = [
  'Orders',
  'Users',
  'Subscriptions',
  'Tokens',
  'Webhooks',
  'Requests',
  'Switches',
  'Faults',
] as const

async function open(view: (typeof views)[number]): Promise<void> {
  await shop.page.goto(`${shop.sandbox.urls.controlUrl}/#/${view.toLowerCase()}`)
  await shop.page.getByRole('heading', { level: 1, name: view }).waitFor()
  await shop.page.getByRole('region', { name: 'Clock' }).waitFor()
}

const row = (text: string) => shop.page.getByRole('row').filter({ hasText: text })

test('an order appears in the open console until a reset, which asks for confirmation', async () => {
  await open('Orders')
  await shop.page.getByText('No orders yet').waitFor()
  await shop.sandbox.buy({ email: 'ada@example.com', params: { product_id: 'gold-550' } })
  await row('ada@example.com').getByText('order_complete').waitFor()
  await shop.page.getByRole('button', { name: 'Reset' }).click()
  await shop.page.getByRole('button', { name: 'Forget everything?' }).click()
  await shop.page.getByText('No orders yet').waitFor()
})

test('a purchase made in the console appears with its decline code and its shopper', async () => {
  await open('Orders')
  await shop.page.getByLabel('Card').selectOption('4004')
  await shop.page.getByRole('button', { name: 'Make a purchase' }).click()
  await row('shopper@example.com').getByText('4004: Insufficient balance on the card.').waitFor()
  await shop.page.getByRole('link', { name: /^Users/ }).click()
  await row('shopper@example.com').getByText('not initiated').waitFor()
})

test('advancing the clock by a month renews a subscription', async () => {
  await shop.sandbox.buy({ params: { product_id: 'club-monthly' } })
  await open('Subscriptions')
  const before = await row('club-monthly').textContent()
  await shop.page.getByRole('button', { name: '+1 month' }).click()
  await shop.page.getByText('31 days ahead').waitFor()
  expect(await row('club-monthly').textContent()).not.toBe(before)
})

test('a switch explains what the interface leaves open, and can be flipped and reset', async () => {
  await open('Switches')
  await shop.page.getByText('U13: what the interface does not say').first().click()
  await shop.page
    .getByText(/^The toolkit: .* order id .* webhook/)
    .first()
    .waitFor()
  const switched = shop.page.getByRole('group', { name: 'refreshInvalidates' })
  // Not `check()`: the console shows the sandbox's state, and may poll once more before it has changed.
  await switched.getByRole('radio', { name: 'on' }).click()
  await shop.page.getByText('Changed: refreshInvalidates').waitFor()
  expect(await shop.sandbox.switches.list()).toContainEqual(
    expect.objectContaining({ name: 'refreshInvalidates', value: true }),
  )
  await shop.page.getByRole('button', { name: 'Restore the defaults' }).click()
  await shop.page.getByText('Changed:').waitFor({ state: 'detached' })
  await switched.getByRole('radio', { name: 'off', checked: true }).waitFor()
})

test('a fault is injected, counted down and removed', async () => {
  await open('Faults')
  await shop.page.getByLabel('Operation').selectOption('createAccessToken')
  await shop.page.getByLabel('Fault').selectOption('status')
  await shop.page.getByLabel('Requests').fill('2')
  await shop.page.getByRole('button', { name: 'Inject fault' }).click()
  await row('createAccessToken').getByText('2', { exact: true }).waitFor()
  await expect(shop.createToken()).rejects.toThrow('503')
  await row('createAccessToken').getByText('1', { exact: true }).waitFor()
  await row('createAccessToken').getByRole('button', { name: 'Remove' }).click()
  await shop.page.getByText('Everything works.').waitFor()
})

test('a webhook address is added, receives forged orders and is removed; an invalid one is refused with a reason', async () => {
  await open('Webhooks')
  await shop.page.getByLabel('Send webhooks to').fill('no address')
  await shop.page.getByRole('button', { name: 'Add address' }).click()
  expect(await shop.page.getByRole('alert').textContent()).toContain('url')
  await shop.page.getByLabel('Send webhooks to').fill(`${shop.url}/webhook`)
  await shop.page.getByRole('button', { name: 'Add address' }).click()
  await shop.page.getByLabel('Forged order_id').fill('nobody-bought-this')
  await shop.page.getByRole('button', { name: 'Send a forged webhook' }).click()
  await shop.page.getByRole('cell', { name: 'delivered' }).first().waitFor()
  const again = shop.page.getByRole('button', { name: 'Redeliver' }).first()
  for (const width of [1440, 360]) {
    await shop.page.setViewportSize({ width, height: 900 })
    const box = await again.boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= width, `in sight at ${width} px`).toBe(true)
  }
  await again.click()
  await shop.page.getByRole('button', { name: 'Remove' }).click()
  await shop.page.getByLabel('Forged order_id').waitFor({ state: 'detached' })
})

test('by keyboard, an order’s row opens its purchase and webhooks, and links to their deliveries and requests', async () => {
  await shop.sandbox.webhooks.add(`${shop.url}/webhook`)
  await shop.open({ product_id: 'gold-550', redirect_url: `${shop.url}/return/Gt5CYjezA5lOODuhBTh7BA` })
  await shop.page.getByRole('button', { name: 'Fill in a test card and pay' }).click()
  await shop.page.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await open('Orders')
  const focused = shop.page.locator(':focus')
  for (let presses = 0; (await focused.getAttribute('aria-label')) !== 'Details'; presses++) {
    expect(presses).toBeLessThan(6)
    await shop.page.keyboard.press('Tab')
  }
  await shop.page.keyboard.press('Enter')
  await shop.page.getByRole('figure').getByText('"product_id": "gold-550"').waitFor()
  await shop.page.getByRole('definition').getByText('Gt5CYjezA5lOODuhBTh7BA', { exact: true }).waitFor()
  const webhooks = shop.page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  const before = await webhooks.count()
  await shop.page.keyboard.press('Tab')
  expect(await focused.textContent()).toBe('Redeliver')
  await shop.page.keyboard.press('Enter')
  await expect.poll(() => webhooks.count()).toBe(before + 1)
  await webhooks.first().getByRole('link', { name: '200' }).press('Enter')
  await expect.poll(() => focused.textContent()).toBe('Webhooks')
  await shop.page.getByRole('figure', { name: 'Payload' }).getByText('"type": "').waitFor()
  await shop.page.getByRole('figure', { name: 'Response' }).getByText('Back in the shop').waitFor()
  await shop.page.getByRole('link', { name: 'Requests about the order' }).click()
  await row('/pay').getByRole('button', { name: 'Details' }).click()
  await shop.page.getByRole('figure', { name: 'Response' }).getByText('"step": "complete"').waitFor()
})

test('requests with the same response as before are hidden by default', async () => {
  const orders = `${shop.sandbox.urls.baseUrl}/api/widget/order_history?accessToken=${await shop.createToken()}`
  for (let poll = 0; poll < 3; poll++) await fetch(orders)
  await open('Requests')
  const polls = row('/api/widget/order_history')
  await polls.first().waitFor()
  expect(await polls.count()).toBe(1)
  await shop.page.getByLabel('Show 2 requests that got the same answer as before').check()
  expect(await polls.count()).toBe(3)
})

test('a filter shows the rows that contain a text, and survives a reload', async () => {
  for (const email of ['ada@example.com', 'alan@example.com']) await shop.sandbox.buy({ email })
  await open('Orders')
  await shop.page.getByLabel('Filter').fill('alan')
  await row('ada@example.com').waitFor({ state: 'detached' })
  await shop.page.reload()
  await row('alan@example.com').waitFor()
  expect(await row('ada@example.com').count()).toBe(0)
})

const schemes = ['light', 'dark'] as const

test('axe finds nothing in any view, and each fits a phone', async () => {
  await shop.sandbox.webhooks.add(`${shop.url}/webhook`)
  await shop.sandbox.buy({ params: { product_id: 'club-monthly' } })
  await shop.sandbox.faults.set({ operation: 'widgetPage', kind: 'reset' })
  await shop.createToken()
  await shop.page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [index, view] of views.entries()) {
    await shop.page.setViewportSize({ width: 1000, height: 740 })
    await open(view)
    const details = shop.page.getByRole('button', { name: 'Details' }).first()
    if (!['Tokens', 'Switches', 'Faults'].includes(view)) await details.click()
    await shop.page.evaluate(axe)
    // The colours are the same in all views: each view uses one of the schemes in turn, and both in the full run.
    for (const colorScheme of schemes.filter((_, scheme) => full || scheme === index % 2)) {
      await shop.page.emulateMedia({ colorScheme })
      expect(await violations(), `${view}, ${colorScheme}`).toEqual([])
    }
    await shop.page.setViewportSize({ width: 360, height: 740 })
    expect(await shop.page.evaluate<number>('document.documentElement.scrollWidth'), view).toBe(360)
  }
  // The last entry of the menu, which is wider than the phone.
  await shop.page.reload()
  const current = shop.page.locator('nav [aria-current]')
  await current.locator('.count').waitFor()
  const box = await current.boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 360, 'in the menu').toBe(true)
})

async function violations(): Promise<string[]> {
  const { violations } = await shop.page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

// Promise: sandbox/guard
const pages: [name: string, url: string][] = [
  ['of another site', shop.url],
  ['at another port', shop.url.replace('localhost', '127.0.0.1')],
]

test.for(pages)('a page %s can neither read nor change anything, even by a form', async ([, url]) => {
  await shop.sandbox.buy({ email: 'ada@example.com' })
  await shop.page.goto(url)
  const read = await shop.page.evaluate(async (controlUrl) => {
    const json = { 'content-type': 'application/json' }
    const attempt = async (path: string, init: RequestInit): Promise<string> => {
      const response = await fetch(`${controlUrl}/${path}`, init).catch(() => null)
      return response ? await response.text() : ''
    }
    return Promise.all([
      attempt('orders', {}),
      attempt('orders', { mode: 'no-cors' }),
      attempt('reset', { method: 'POST' }),
      attempt('reset', { method: 'POST', mode: 'no-cors', body: 'text', keepalive: true }),
      attempt('switches', { method: 'PATCH', headers: json, body: '{"coop":"same-origin"}' }),
      attempt('requests', { method: 'DELETE' }),
    ])
  }, shop.sandbox.urls.controlUrl)
  expect(read.join('')).toBe('')
  const reset = `${shop.sandbox.urls.controlUrl}/reset`
  await shop.page.setContent(
    `<form method="post" enctype="text/plain" action="${reset}"><button>Win</button></form>`,
  )
  await shop.page.getByRole('button').click()
  await shop.page.waitForURL(reset)
  expect(await shop.sandbox.orders()).toMatchObject([{ email: 'ada@example.com' }])
  const switches = await shop.sandbox.switches.list()
  expect(switches.find(({ name }) => name === 'coop')?.value).toBe('none')
})

test.for(pages)(
  'the console stays empty in a frame on a page %s, and opens from a link there',
  async ([, url]) => {
    const address = `${shop.sandbox.urls.controlUrl}/`
    await shop.page.goto(url)
    await shop.page.setContent(`<iframe src="${address}"></iframe><a href="${address}">console</a>`)
    await expect.poll(() => shop.page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    await shop.page.getByRole('link').click()
    await shop.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  },
)
