/** Subscriptions on the widget page. */
import { expect, test } from 'vitest'
import { shopForTests } from './setup.ts'
import { pay } from './shopper.ts'

const shop = await shopForTests()

test('a subscription says when it renews, and can be cancelled on the spot', async () => {
  await shop.open({ product_id: 'club-monthly' })
  await pay(shop.page)
  await shop.page.getByText(/^Renews on /).waitFor()
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.getByRole('button', { name: 'Keep it' }).click()
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await shop.page.getByText(/^Subscription cancelled/).waitFor()
  const [order] = await shop.orders()
  const { urls, credentials } = shop.sandbox
  const response = await fetch(`${urls.baseUrl}/api/business/transactions/user_subscription`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': credentials.apiKey },
    body: JSON.stringify({ product_id: order?.product_id }),
  })
  expect(await response.json()).toMatchObject({ status: 2, next_paid: false })
})

test('who goes for the subscription is not taken back to the shop meanwhile', async () => {
  await shop.page.clock.install()
  await shop.open({ product_id: 'club-monthly', redirect_url: `${shop.url}/thanks` })
  await pay(shop.page)
  await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  await shop.page.clock.runFor(5_000)
  await shop.page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await shop.page.getByText(/^Subscription cancelled/).waitFor()
  await shop.page.getByRole('link', { name: 'Continue' }).click()
  await shop.page.waitForURL(`${shop.url}/thanks`)
})
