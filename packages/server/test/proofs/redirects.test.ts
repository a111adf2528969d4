// Promise: client/redirects
/** Credentials are only sent to the host that they belong to, whatever it answers. */
import { expect, test } from 'vitest'
import { recordFigure } from '../../../../scripts/proof.ts'
import { type CallLog, createPurchaseClient } from '../../src/index.ts'
import { listen } from '../support/http.ts'
import { newUser } from '../support/service.ts'
import { everyOperation } from './everyOperation.ts'

const inputs = {
  accessToken: 'canary-token',
  email: 'a@b.example',
  order_id: 'o',
  custom_id: 'c',
  user: newUser,
}
const refused = {
  name: 'NetworkError',
  message: expect.stringContaining('the service answered with a redirect, which is never followed'),
}

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
  const calls = everyOperation(client, inputs)

  let tried = 0
  for (code of [301, 302, 303, 307, 308]) {
    for (target of [`${service.url}/elsewhere`, `${other.url}/elsewhere`]) {
      for (const call of Object.values(calls)) {
        await expect(call()).rejects.toMatchObject(refused)
        tried++
      }
    }
  }
  await Promise.all([service.close(), other.close()])
  recordFigure('redirects that carried credentials on', `${arrivals} of ${tried}`)
  expect(tried).toBe(70)
  expect(arrivals).toBe(0)
})

test('a 3xx answer without a target, or one that the runtime hides, is refused likewise and not retried', async () => {
  const hidden = Response.error()
  expect(hidden.status).toBe(0)
  for (const response of [300, 304, 305, 399]
    .map((status) => new Response(null, { status }))
    .concat(hidden)) {
    const logs: CallLog[] = []
    const client = createPurchaseClient({
      widgetUrl: 'https://widget.example',
      widgetApiUrl: 'https://api.example',
      baseUrl: 'https://api.example',
      apiKey: 'canary-api-key',
      secretKey: 'canary-secret-key',
      fetch: async () => response.clone(),
      logger: (entry) => logs.push(entry),
    })
    for (const [operation, call] of Object.entries(everyOperation(client, inputs))) {
      logs.length = 0
      await expect(call(), `${response.status}`).rejects.toMatchObject({
        ...refused,
        outcomeUnknown: operation === 'createWidgetUser',
      })
      expect(logs).toHaveLength(1)
    }
  }
})
