// Promise: known/pace
/** What a shopper is answered while too many reads of the service wait. */
import { expect, test } from 'vitest'
import { createPurchaseClient } from '../src/index.ts'
import { companionOf, get } from './support/companion.ts'

test('more order lists of one network than can be read in three seconds are refused at once, and no other network’s', async () => {
  const sent: string[] = []
  const errors: unknown[] = []
  const client = createPurchaseClient({
    widgetUrl: 'https://widget.example',
    widgetApiUrl: 'https://widget.example',
    baseUrl: 'https://service.example',
    apiKey: 'an-api-key',
    secretKey: 'a-secret-key',
    async fetch(address) {
      sent.push(String(address))
      return Response.json([])
    },
  })
  const companion = companionOf(client, {
    tokens: { get: async () => ({ accessToken: 'a-token', expiresAt: null }) },
    onError: (error) => errors.push(error),
  })
  const ask = (shopper: string, address: string): Promise<Response> =>
    companion.fetch(get('/orders', shopper), { address })
  const asked = Array.from({ length: 50 }, (_, index) => ask(`guest-${index}`, '192.0.2.1'))
  const refused = await Promise.race(
    asked.map(async (one) => ((await one).ok ? new Promise<never>(() => {}) : one)),
  )
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('3')
  expect(await refused.json()).toMatchObject({ error: { code: 'service_unavailable' } })

  expect((await ask('ada', '192.0.2.2')).status).toBe(200)
  // Those of the other address have not all been read for before.
  expect(sent.length).toBeLessThan(20)
  await Promise.all(asked)
  // It is no failure that the shop could do anything about, and what is refused is not sent.
  expect(errors).toEqual([])
  expect(sent.length).toBeLessThanOrEqual(41)
})
