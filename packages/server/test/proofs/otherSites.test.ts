// Promise: link/other-sites
/** Links that other sites open automatically take nothing from what the shopper opened: neither the purchase nor the allowance. */
import { expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import type { Companion } from '../../src/index.ts'
import { companionOf, get } from '../support/companion.ts'
import { openInstance } from '../support/shop.ts'
import { serviceOfThisFile } from '../support/untilTheEnd.ts'

const service = await serviceOfThisFile()

const OPENINGS = 500

const window = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const otherSite = { ...window, 'sec-fetch-site': 'cross-site' }
/** Openings by a shopper, by the headers of their request. */
const opened: [string, Record<string, string>][] = [
  [
    'a link in a mail program, or a typed address',
    { ...window, 'sec-fetch-site': 'none', 'sec-fetch-user': '?1' },
  ],
  ['a webview without fetch metadata', {}],
  ['a link on the shop’s own page', { ...window, 'sec-fetch-site': 'same-origin' }],
  ['a link on another host of the shop', { ...window, 'sec-fetch-site': 'same-site' }],
  ['a click in web mail', { ...otherSite, 'sec-fetch-user': '?1' }],
]

const launch = async (companion: Companion, headers: Record<string, string>): Promise<Response> =>
  companion.fetch(get('/launch?product_id=gold-100', 'ada', headers))

/** Pays with the widget that the answer redirects to. */
async function pay(response: Response): Promise<string> {
  const address = new URL(response.headers.get('location') ?? '')
  const { accessToken: _, ...params } = Object.fromEntries(address.searchParams)
  return (await service.buy(params)).id
}

test('after 500 openings by another site every purchase that the shopper opened is matched', async () => {
  // No one uses up its allowance, so that records are only evicted by their own limit.
  const { companion, received, begin } = openInstance(service.client())
  const answers: Response[] = []
  for (const [, headers] of opened) answers.push(await launch(companion, headers))
  const grant = await begin('ada')
  for (let opening = 0; opening < OPENINGS; opening++) {
    expect((await launch(companion, otherSite)).status).toBe(303)
  }
  const latest = await launch(companion, otherSite)

  const orders = [(await service.buy(grant.params)).id]
  for (const answer of [...answers, latest]) orders.push(await pay(answer))
  for (const order_id of orders) await companion.syncOrder({ order_id })
  await expect.poll(() => received.length).toBe(orders.length)
  const matched = received.filter(({ purchase }) => purchase.state === 'matched')
  expect(matched.map(({ order }) => order.id).sort()).toEqual([...orders].sort())
  recordFigure(
    `purchases of mail, webview and page that are matched after ${OPENINGS} openings by another site`,
    `${matched.length} of ${orders.length}`,
  )
})

test.each(opened)('80 openings by another site leave the shopper’s allowance: %s', async (_, headers) => {
  const companion = companionOf(service.client(), { now: () => 2e12 })
  const statuses = []
  for (let opening = 0; opening < 80; opening++) statuses.push((await launch(companion, otherSite)).status)
  expect(new Set(statuses)).toEqual(new Set([303, 429]))
  for (let opening = 0; opening < 60; opening++) expect((await launch(companion, headers)).status).toBe(303)
  expect((await launch(companion, headers)).status).toBe(429)
})
