// Promise: interface/5
/** Section 5 of the interface: authentication. */
import { expect } from 'vitest'
import { must, test, validUser } from '../support/service.ts'

const refused = (field: string): unknown =>
  expect.objectContaining({ error: true, message: expect.stringContaining(field) })

test('5 creating an access token takes api-key and secret-key, in headers', async ({ service }) => {
  const { apiKey, secretKey } = service
  for (const [headers, field] of [
    [{}, 'api-key'],
    [{ 'api-key': apiKey }, 'secret-key'],
    [{ 'secret-key': secretKey }, 'api-key'],
    [{ 'api-key': secretKey, 'secret-key': apiKey }, 'api-key'],
    [{ 'api-key': apiKey, 'secret-key': `${secretKey} x` }, 'secret-key'],
  ] as [Record<string, string>, string][]) {
    const answer = await service.createAccessToken<unknown>({}, headers)
    expect(answer).toMatchObject({ status: 401, body: refused(field) })
  }
  const inBody = await service.createAccessToken<unknown>({ 'api-key': apiKey, 'secret-key': secretKey }, {})
  expect(inBody.status).toBe(401)
})

test('5 token expiry and order history take accessToken in the query, valid and refreshed', async ({
  service,
  sandbox,
}) => {
  const accessToken = await service.token()
  for (const path of ['refresh/access_token/expire_date', 'order_history']) {
    const url = `${sandbox.urls.widgetApiUrl}/api/widget/${path}`
    expect((await service.send('GET', `${url}?accessToken=${accessToken}`)).status).toBe(200)
    const inHeader = await service.send('GET', url, {
      headers: { accessToken, Authorization: `Bearer ${accessToken}` },
    })
    expect(inHeader).toMatchObject({ status: 401, body: refused('accessToken') })
    for (const query of ['accessToken=', 'accessToken=sandbox_token_unknown'])
      expect(await service.send('GET', `${url}?${query}`)).toMatchObject({
        status: 401,
        body: refused('accessToken'),
      })
  }
})

test('5 subscription and transaction detail take api-key as a header', async ({ service }) => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  for (const read of [service.getSubscription, service.getTransaction]) {
    expect((await read({ custom_id: 'c-1' })).status).toBe(200)
    const inBody = await read({ custom_id: 'c-1', api_key: service.apiKey }, {})
    const wrong = await read({ custom_id: 'c-1' }, { 'api-key': 'wrong' })
    for (const answer of [inBody, wrong])
      expect(answer).toMatchObject({ status: 401, body: refused('api-key') })
  }
})

test('5 creating a user and fetching its details take api_key in the body', async ({ service }) => {
  const identity = { email: validUser.email }
  for (const api_key of [undefined, '', 'wrong', 7])
    for (const answer of [
      await service.createWidgetUser<unknown>({ ...validUser, api_key }),
      await service.fetchUserDetails<unknown>({ ...identity, api_key }),
    ])
      expect(answer).toMatchObject({ status: 401, body: refused('api_key') })
  const { apiKey: api_key } = service
  expect((await service.createWidgetUser({ ...validUser, api_key })).status).toBe(200)
  expect((await service.fetchUserDetails({ ...identity, api_key })).status).toBe(200)
})

test('5.1 the widget is instantiated by an access token as the accessToken URL parameter', async ({
  service,
  sandbox,
}) => {
  const page = await fetch(`${sandbox.urls.widgetUrl}/widget/?accessToken=${await service.token()}`)
  expect(page.headers.get('content-type')).toMatch('text/html')
  await expect(service.openCheckout()).resolves.toMatchObject({ step: 'pay' })
  await expect(service.openCheckout({}, 'sandbox_token_unknown')).rejects.toThrow('401')
})

test.for([7, 30, 180, 365])('5.2 a token of %i days lives that long', async (days, { service }) => {
  const accessToken = await service.token(String(days))
  await service.advance(days - 0.01)
  expect((await service.getOrderHistory({ accessToken })).status).toBe(200)
  await service.advance(0.02)
  for (const read of [service.getOrderHistory, service.getTokenExpiry])
    expect(await read<unknown>({ accessToken })).toMatchObject({ status: 401, body: refused('expired') })
  await expect(service.openCheckout({}, accessToken)).rejects.toThrow('401')
})

test('5.2 an infinite token never expires', async ({ service }) => {
  const accessToken = await service.token('infinite')
  for (let decade = 0; decade < 3; decade++) await service.advance(3650)
  expect((await service.getOrderHistory({ accessToken })).status).toBe(200)
})

test('5.2 a widget that is open when its token expires can no longer pay', async ({ service }) => {
  const checkout = await service.openCheckout({}, await service.token('7'))
  await service.advance(8)
  expect((await service.pay(checkout)).status).toBe(401)
})

test('5.3 the API key must have permission to read subscription and transaction details', async ({
  service,
}) => {
  const { id } = await service.buy({ product_id: 'club-monthly' })
  await service.flip({ keyPermission: 'missing' })
  const transaction = await service.getTransaction<unknown>({ order_id: id })
  expect(transaction).toMatchObject({ status: 403, body: refused('api-key') })
  const subscription = await service.getSubscription<unknown>({ product_id: 'club-monthly' })
  expect(subscription).toMatchObject({ status: 403, body: refused('api-key') })
  expect(await must(service.createAccessToken())).toBeTruthy()
})
