/** Section 4 of the interface: the seven operations. */
import { expect } from 'vitest'
import { must, type Service, test, validUser } from '../support/service.ts'

const refused = (field: string): unknown =>
  expect.objectContaining({ error: true, message: expect.stringContaining(field) })

// Promise: interface/4
const pathsWithBody = [
  'widget/refresh/access_token',
  'business/transactions/user_subscription',
  'business/transactions/data',
  'user/create_widget_user',
  'user/fetch_user_details',
]
test('4 endpoints with a body require the header Content-Type: application/json', async ({
  service,
  sandbox,
}) => {
  for (const path of pathsWithBody)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      const { status, body } = await service.send('POST', `${sandbox.urls.baseUrl}/api/${path}`, {
        headers: { 'Content-Type': type, 'api-key': service.apiKey, 'secret-key': service.secretKey },
        text: '{}',
      })
      expect([path, status]).toEqual([path, 400])
      expect(body).toEqual(refused('Content-Type'))
    }
})

test('4 the path segment after /api/ in the first three endpoints is the fixed word widget', async ({
  service,
  sandbox,
}) => {
  const accessToken = await service.token()
  for (const [path, status] of [
    ['/api/widget/order_history', 200],
    ['/api/gadget/order_history', 404],
    ['/api/order_history', 404],
  ] as const) {
    const url = `${sandbox.urls.widgetApiUrl}${path}?accessToken=${accessToken}`
    expect((await service.send('GET', url)).status).toBe(status)
  }
})

// Promise: interface/4.1
test('4.1 POST to /api/widget/refresh/access_token takes expirationDays, one of 7, 30, 180, 365, infinite', async ({
  service,
}) => {
  for (const expirationDays of ['7', '30', '180', '365', 'infinite'])
    expect((await service.createAccessToken({ expirationDays })).status).toBe(200)
  for (const expirationDays of ['1', '8', '07', '-30', 'INFINITE', 'forever', '', 30, null, []]) {
    const answer = await service.createAccessToken<unknown>({ expirationDays })
    expect(answer).toMatchObject({ status: 400, body: refused('expirationDays') })
  }
})

test('4.1 expirationDays defaults to 30, also where the body is empty', async ({ service, sandbox }) => {
  const url = `${sandbox.urls.widgetApiUrl}/api/widget/refresh/access_token`
  const headers = { 'api-key': service.apiKey, 'secret-key': service.secretKey }
  for (const text of ['{}', '']) {
    const { body } = await service.send<{ accessToken: string }>('POST', url, { headers, text })
    expect(await lifetime(service, body.accessToken)).toBe(30)
  }
})

/** Full days until a token expires. */
async function lifetime(service: Service, accessToken: string): Promise<number> {
  const { expire_date } = await must(service.getTokenExpiry({ accessToken }))
  return Math.round((Date.parse(expire_date) - Date.now()) / 86_400_000)
}

// Promise: interface/4.2
test('4.2 GET of /api/widget/refresh/access_token/expire_date returns the expiry date of a token', async ({
  service,
}) => {
  for (const days of [7, 30, 180, 365])
    expect(await lifetime(service, await service.token(String(days)))).toBe(days)
  const { body } = await service.getTokenExpiry({ accessToken: await service.token('infinite') })
  expect(body).toEqual({ expire_date: 'infinite' })
})

// Promise: interface/4.3
test('4.3 GET of /api/widget/order_history gives one order, those with a custom_id, or all, newest first', async ({
  service,
}) => {
  const first = await service.buy({ custom_id: 'c-1' })
  const second = await service.buy({ custom_id: 'c-2' })
  const third = await service.buy({ custom_id: 'c-1' })
  const accessToken = await service.token()
  for (const [query, orders] of [
    [{}, [third, second, first]],
    [{ order_id: '', custom_id: '' }, [third, second, first]],
    [{ order_id: second.id }, [second]],
    [{ custom_id: 'c-1' }, [third, first]],
    [{ order_id: 'nobody’s' }, []],
  ] as const)
    expect((await service.getOrderHistory({ accessToken, ...query })).body).toEqual(orders)
})

// Promise: interface/4.4
test('4.4 POST to /api/business/transactions/user_subscription gives the subscription by product_id, custom_id or user_id', async ({
  service,
}) => {
  const { user_id } = await service.buy({ product_id: 'club-yearly', custom_id: 'c-9' })
  const subscription = { user_id, custom_id: 'c-9', product_id: 'club-yearly' }
  for (const body of [{ product_id: 'club-yearly' }, { custom_id: 'c-9' }, { user_id }])
    expect(await service.getSubscription(body)).toMatchObject({ status: 200, body: subscription })
})

test('4.4 at least one of product_id, custom_id and user_id must be present', async ({ service }) => {
  await service.buy({ product_id: 'club-monthly' })
  for (const body of [{}, { custom_id: '' }, { unrelated: 'x' }]) {
    expect(await service.getSubscription<unknown>(body)).toMatchObject({
      status: 400,
      body: refused('product_id, custom_id, user_id'),
    })
  }
})

test('4.4 a subscription must match each identifier that is given, and is 404 when none does', async ({
  service,
}) => {
  await service.buy({ product_id: 'club-monthly', custom_id: 'c-1' })
  const { status } = await service.getSubscription({ product_id: 'club-monthly', custom_id: 'c-2' })
  expect(status).toBe(404)
})

// Promise: interface/4.5
test('4.5 POST to /api/business/transactions/data gives the order by order_id, custom_id or hash', async ({
  service,
}) => {
  const order = await service.buy({ custom_id: 'c-1' })
  for (const body of [{ order_id: order.id }, { custom_id: 'c-1' }, { hash: order.hash }])
    expect((await service.getTransaction(body)).body).toEqual(order)
})

test('4.5 at least one of order_id, custom_id and hash is required', async ({ service }) => {
  await service.buy()
  for (const body of [{}, { order_id: '' }, { hash: '' }]) {
    expect(await service.getTransaction<unknown>(body)).toMatchObject({
      status: 400,
      body: refused('order_id, custom_id, hash'),
    })
  }
})

test('4.5 of several orders with one custom_id the newest is answered, and an unknown one is 404', async ({
  service,
}) => {
  await service.buy({ custom_id: 'c-1' })
  const newest = await service.buy({ custom_id: 'c-1' })
  expect((await service.getTransaction({ custom_id: 'c-1' })).body.id).toBe(newest.id)
  expect((await service.getTransaction({ order_id: 'nobody’s' })).status).toBe(404)
})

// Promise: interface/4.6
test('4.6 POST to /api/user/create_widget_user answers error, message and data with id and a user_id of 26 characters', async ({
  service,
}) => {
  const { status, body } = await service.createWidgetUser()
  expect(status).toBe(200)
  expect(body).toEqual({
    error: false,
    message: expect.any(String),
    data: { id: expect.any(String), user_id: expect.stringMatching(/^[0-9A-Z]{26}$/) },
  })
})

test('4.6 the header api-key is listed beside the key in the body', async ({ service }) => {
  const body = { api_key: service.apiKey, ...validUser }
  const without = await service.createWidgetUser<unknown>(body, {})
  expect(without).toMatchObject({ status: 401, body: refused('api-key') })
  const wrong = await service.createWidgetUser<unknown>(body, { 'api-key': 'x' })
  expect(wrong).toMatchObject({ status: 401, body: refused('api-key') })
})

test('4.6 every field of the body is required, and refused by name in another format', async ({
  service,
}) => {
  const problems: Record<keyof typeof validUser, unknown[]> = {
    phone: [undefined, '', '12015550123', '+1', '+1 201 555 0123', '+00000000000', 12015550123],
    first_name: [undefined, '', '   ', 7],
    last_name: [undefined, '', null],
    date_of_birth: [undefined, '28.02.1990', '1990-02-30', '1990-2-3', '2999-01-01', '1990-02-28T00:00:00Z'],
    country_of_residence: [undefined, 'United States'],
    email: [undefined, '', 'ada', 'ada@', 'a b@example.com'],
    state_of_residence: [undefined, 'ca', 'US-CA'],
  }
  for (const [field, values] of Object.entries(problems))
    for (const value of values) {
      const body = { api_key: service.apiKey, ...validUser, [field]: value }
      const answer = await service.createWidgetUser<unknown>(body)
      expect([field, value, answer.status]).toEqual([field, value, 400])
      expect(answer.body).toEqual(refused(field))
    }
})

test('4.6 a user whose e-mail address is taken is refused', async ({ service }) => {
  await service.createWidgetUser()
  const { status, body } = await service.createWidgetUser<unknown>({
    api_key: service.apiKey,
    ...validUser,
    email: 'ADA@example.com',
  })
  expect(status).toBe(400)
  expect(body).toEqual(refused('email'))
})

// Promise: interface/4.7
test('4.7 POST to /api/user/fetch_user_details answers an envelope that is nested twice', async ({
  service,
}) => {
  const { data } = await must(service.createWidgetUser())
  const { body } = await service.fetchUserDetails({ api_key: service.apiKey, user_id: data.user_id })
  expect(body).toEqual({
    data: {
      error: false,
      message: expect.any(String),
      data: expect.objectContaining({ user_id: data.user_id }),
    },
  })
})

test('4.7 no header but Content-Type is needed', async ({ service, sandbox }) => {
  await service.createWidgetUser()
  const { status } = await service.send('POST', `${sandbox.urls.baseUrl}/api/user/fetch_user_details`, {
    headers: { 'Content-Type': 'application/json' },
    body: { api_key: service.apiKey, email: validUser.email },
  })
  expect(status).toBe(200)
})

test('4.7 user_id or email identifies the user', async ({ service }) => {
  const { user_id } = (await must(service.createWidgetUser())).data
  for (const identity of [{ user_id }, { email: validUser.email }, { email: 'ADA@example.com' }]) {
    const { body } = await service.fetchUserDetails({ api_key: service.apiKey, ...identity })
    expect(body.data.data.user_id).toBe(user_id)
  }
  const neither = await service.fetchUserDetails<unknown>({ api_key: service.apiKey })
  expect(neither).toMatchObject({ status: 400, body: refused('user_id, email') })
  const nobody = await service.fetchUserDetails<unknown>({
    api_key: service.apiKey,
    email: 'no@example.com',
  })
  expect(nobody).toMatchObject({ status: 404, body: { error: true } })
})

test('4.7 the user id is the one that webhooks call external_user_id', async ({ service }) => {
  await service.control('webhooks', { url: 'http://127.0.0.1:9/' })
  const order = await service.buy()
  const body = await service.read<{
    deliveries: { payload: { data: { external_user_id: string } } }[]
  }>('webhooks')
  expect(body.deliveries[0]?.payload.data.external_user_id).toBe(order.user_id)
  const details = await service.fetchUserDetails({ api_key: service.apiKey, user_id: order.user_id })
  expect(details.status).toBe(200)
})
