// Promise: launch/minting
/** Who gets a token, how often, and whose orders a shopper sees. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { proofRuns, recordFigure } from '../../../../scripts/proof.ts'
import { companionOf, get, mount, shopOrigin } from '../support/companion.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

const origins = [
  shopOrigin,
  'http://shop.example',
  'https://shop.example:8443',
  'https://SHOP.example',
  'https://shop.example.',
  'https://shop.example/',
  'https://evil.example',
  'https://shop.example.evil.example',
  'https://evilshop.example',
  'https://sub.shop.example',
  'null',
  null,
]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
const sessions = { 'signed in': 'shopper=shopper-1', 'signed out': '', forged: 'shoper=shopper-1' }

test('only the allowed page, with POST and a session, is given a token', async () => {
  const companion = companionOf(service.client(), { rateLimit: { perShopper: 1_000 } })
  const minted: string[] = []
  let tried = 0
  for (const origin of origins) {
    for (const method of methods) {
      for (const [session, cookie] of Object.entries(sessions)) {
        const response = await companion.fetch(
          new Request(`${mount}/token`, {
            method,
            headers: {
              'content-type': 'application/json',
              ...(cookie ? { cookie } : {}),
              ...(origin === null ? {} : { origin }),
            },
            ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
          }),
        )
        tried++
        expect(response.headers.get('access-control-allow-origin')).toBe(
          origin === shopOrigin ? origin : null,
        )
        if ((await response.text()).includes('accessToken')) minted.push(`${origin} ${method} ${session}`)
      }
    }
  }
  recordFigure('cells of the mint matrix that give a token', `${minted.length} of ${tried}, the allowed one`)
  expect(tried).toBe(216)
  expect(minted).toEqual([`${shopOrigin} POST signed in`])
})

test('a burst stays within the limit of the shopper and of the address', async () => {
  const companion = companionOf(service.client(), { rateLimit: { perShopper: 60, perAddress: 100 } })
  const burst = proofRuns(1_000, 300)
  const mint = (shopper: string): Promise<Response> =>
    companion.fetch(
      new Request(`${mount}/token`, {
        method: 'POST',
        body: '{}',
        headers: { origin: shopOrigin, 'content-type': 'application/json', cookie: `shopper=${shopper}` },
      }),
      { address: '203.0.113.7' },
    )
  const one = await Promise.all(Array.from({ length: burst }, () => mint('shopper-1')))
  const given = one.filter((response) => response.status === 200).length
  const refused = one.filter((response) => response.status === 429)
  expect(given).toBe(60)
  expect(refused).toHaveLength(burst - 60)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  recordFigure('tokens given in a burst of one shopper, limit 60', `${given} of ${burst}`)

  const another = companionOf(service.client(), { rateLimit: { perShopper: 60, perAddress: 100 } })
  const many = await Promise.all(
    Array.from({ length: burst }, (_, index) =>
      another.fetch(get('/orders', `shopper-${index}`), { address: '203.0.113.8' }),
    ),
  )
  const answered = many.filter((response) => response.status !== 429).length
  expect(answered).toBe(100)
  recordFigure('answers in a burst of many shoppers from one address, limit 100', `${answered} of ${burst}`)
})

test('another shopper’s order is unknown', async () => {
  const companion = companionOf(service.client(), { rateLimit: { perShopper: 100_000 } })
  const orders = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.buy({ product_id: 'gold-100', custom_id: `owner-${index}` }),
    ),
  )
  const tries = proofRuns(1_000, 200)
  let notFound = 0
  for (let index = 0; index < tries; index++) {
    const order = orders[index % orders.length]
    const response = await companion.fetch(get(`/orders/${order?.id}`, 'eve'))
    if (response.status === 404) notFound++
  }
  recordFigure('tries for another shopper’s order that were answered 404', `${notFound} of ${tries}`)
  expect(notFound).toBe(tries)
  const own = await companion.fetch(get(`/orders/${orders[0]?.id}`, 'owner-0'))
  expect(own.status).toBe(200)
})
