/** Credentials stay with the host that they were meant for, whatever it answers. */
import { expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { createPurchaseClient } from '../../src/index.ts'
import { everyOperation } from '../support/everyOperation.ts'
import { listen } from '../support/http.ts'
import { newUser } from '../support/service.ts'

test('no redirect is followed: five codes, seven operations, same and other origin', async () => {
  let code = 302
  let target = ''
  let arrivals = 0
  const other = await listen((_, response) => {
    arrivals++
    response.end('{}')
  })
  const service = await listen((request, response) => {
    if (request.url?.startsWith('/elsewhere')) arrivals++
    response.writeHead(code, { location: target }).end()
  })
  const client = createPurchaseClient({
    widgetUrl: service.url,
    widgetApiUrl: service.url,
    baseUrl: service.url,
    apiKey: 'canary-api-key',
    secretKey: 'canary-secret-key',
  })
  const calls = everyOperation(client, {
    accessToken: 'canary-token',
    email: 'a@b.example',
    order_id: 'o',
    custom_id: 'c',
    user: newUser,
  })

  let tried = 0
  for (code of [301, 302, 303, 307, 308]) {
    for (target of [`${service.url}/elsewhere`, `${other.url}/elsewhere`]) {
      for (const call of Object.values(calls)) {
        await expect(call()).rejects.toMatchObject({
          name: 'NetworkError',
          message: expect.stringContaining('redirect'),
        })
        tried++
      }
    }
  }
  await Promise.all([service.close(), other.close()])
  recordFigure('redirects that carried credentials on', `${arrivals} of ${tried}`)
  expect(tried).toBe(70)
  expect(arrivals).toBe(0)
})
