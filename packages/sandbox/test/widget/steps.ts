/** Every step of the widget page, and how a shopper reaches it, for the tests that look at all of them. */
import type { Shop } from './shop.ts'
import { aboveLowLimit, fillPayment, pay } from './shopper.ts'

const gold = { product_id: 'gold-1200' }

export const steps = {
  pay: (shop) => shop.open(gold),
  choose: (shop) => shop.open(),
  subscribe: (shop) => shop.open({ product_id: 'club-monthly' }),
  'test cards': async (shop) => {
    await shop.open(gold)
    await shop.page.getByText('Test cards').click()
  },
  corrections: async (shop) => {
    await shop.open(gold)
    await fillPayment(shop.page, { card: '4242 42', expiry: '13/29', code: '1' })
    await shop.page.getByRole('button', { name: /^Pay/ }).click()
    await shop.page.getByText('Enter the whole number').waitFor()
  },
  declined: async (shop) => {
    await shop.open({ ...gold, fail_redirect_url: `${shop.url}/sorry` })
    await pay(shop.page, { card: '4000 0000 0000 4004' })
    await shop.page.getByRole('alert').waitFor()
  },
  identity: async (shop) => {
    await shop.open(aboveLowLimit)
    await pay(shop.page)
    await shop.page.getByRole('button', { name: 'Allow camera' }).click()
  },
  complete: async (shop) => {
    await shop.open({ ...gold, redirect_url: `${shop.url}/thanks`, redirect_page: 'new' })
    await pay(shop.page)
    await shop.page.getByText('The shop is open in another tab.').waitFor()
  },
  subscribed: async (shop) => {
    await shop.open({ product_id: 'club-monthly' })
    await pay(shop.page)
    await shop.page.getByRole('button', { name: 'Cancel subscription' }).click()
  },
  refused: async (shop) => {
    await shop.page.goto(await shop.widgetAddress({}, 'expired-long-ago'))
    await shop.page.getByRole('alert').waitFor()
  },
} satisfies Record<string, (shop: Shop) => Promise<void>>
