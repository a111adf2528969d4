// Promise: companion/user
/** `POST /user` and `GET /user`: one user per shopper, and the answers about them and about a refusal. */
import { expect, test, vi } from 'vitest'
import { createPurchaseClient, type PurchaseClient } from '../../src/index.ts'
import { bodyOf, companionOf, companionOfThisFile, get, post } from '../support/companion.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { newUser } from '../support/service.ts'
import { settings } from '../support/settings.ts'

const { service, client, ask } = await companionOfThisFile()

test('creates the widget user and calls onUser', async () => {
  const onUser = vi.fn()
  const response = await companionOf(client, { onUser }).fetch(post('/user', newUser, 'shopper-1'))
  expect(response.status).toBe(201)
  const { user_id } = (await response.json()) as { user_id: string }
  expect(onUser).toHaveBeenCalledExactlyOnceWith(
    { id: expect.any(String), user_id },
    { customId: 'shopper-1' },
  )
  expect(await bodyOf(ask(get('/user', `shopper-1:${user_id}`)))).toEqual({
    user: {
      user_id,
      fkyc_status: 'not initiated',
      lkyc_status: 'success',
      limits: expect.objectContaining({ crypto_remaining: expect.any(String) }),
      linked_payment_methods: [],
    },
  })
})

test('returns the brand and last digits of a card, and nothing more', async () => {
  const order = await service.buy({ product_id: 'gold-100', custom_id: 'shopper-1' })
  const answer = await bodyOf(ask(get('/user', `shopper-1:${order.user_id}`)))
  const cards = [{ brand: expect.any(String), last_digits: '4242' }]
  expect(answer).toMatchObject({ user: { linked_payment_methods: [{ method: 'bank_card', cards }] } })
  expect(JSON.stringify(answer)).not.toMatch(/card_id|phone|country/)
})

test('the refusal names the wrong field, without its value', async () => {
  const response = await ask(post('/user', { ...newUser, email: 'no-address' }, 'shopper-1'))
  expect(response.status).toBe(400)
  const text = await response.text()
  expect(text).toContain('email')
  expect(text).not.toContain('no-address')
})

test('creates no second user for a shopper who has one', async () => {
  expect((await ask(post('/user', newUser, 'shopper-1:user-1'))).status).toBe(409)
  expect((await ask(get('/user', 'shopper-1'))).status).toBe(404)
})

test('twenty calls at once create one user', async () => {
  const onUser = vi.fn()
  const companion = companionOf(client, { onUser })
  const calls = Array.from({ length: 20 }, (_, index) =>
    companion.fetch(post('/user', { ...newUser, email: `ada-${index}@example.com` }, 'ada')),
  )
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, ...Array(19).fill(409)])
  expect(await service.count('createWidgetUser')).toBe(1)
  expect(onUser).toHaveBeenCalledOnce()
})

test('onUser is called again if it failed to store the user', async () => {
  const onUser = vi.fn().mockRejectedValueOnce(new Error('the database is down'))
  const companion = companionOf(client, { onError: () => {}, onUser })
  expect((await companion.fetch(post('/user', newUser, 'ada'))).status).toBe(500)
  const again = await companion.fetch(post('/user', newUser, 'ada'))
  expect([again.status, await again.json()]).toEqual([201, { user_id: onUser.mock.calls[0]?.[0].user_id }])
  expect(onUser).toHaveBeenCalledTimes(2)
  expect(await service.count('createWidgetUser')).toBe(1)
})

test('an onUser that never settles fails its request, and the next one calls it again with the same user', async () => {
  fakeTimers()
  const created = { data: { error: false, message: '', data: { id: '1', user_id: 'ada-1' } } }
  const onError = vi.fn()
  const onUser = vi.fn().mockReturnValueOnce(new Promise(() => {}))
  const companion = companionOf(answering(Response.json(created)), { onError, onUser })
  const statuses: number[] = []
  for (const _ of [1, 2])
    void companion.fetch(post('/user', newUser, 'ada')).then(({ status }) => statuses.push(status))
  await vi.advanceTimersByTimeAsync(29_999)
  expect([statuses, onUser.mock.calls.length]).toEqual([[], 1])
  await vi.advanceTimersByTimeAsync(1)
  expect(statuses).toEqual([500, 201])
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('onUser did not answer in 30000 ms.'), {
    during: 'POST /user',
  })
  const user = [{ id: '1', user_id: 'ada-1' }, { customId: 'ada' }]
  expect(onUser.mock.calls).toEqual([user, user])
})

const refused = { error: true, message: 'A user with this e-mail exists already.' }
const answering = (response: Response): PurchaseClient =>
  createPurchaseClient({ ...settings, maxRetries: 0, fetch: async () => response.clone() })

test('a taken e-mail address cannot be distinguished from any other refusal, whatever its status', async () => {
  const answers = []
  for (const status of [200, 400, 402, 403, 404, 405, 406, 409, 410, 412, 418, 422, 423, 428, 451]) {
    const companion = companionOf(answering(Response.json(refused, { status })), { onError: () => {} })
    const answer = await companion.fetch(post('/user', newUser, 'bob'))
    answers.push(JSON.stringify([answer.status, [...answer.headers], await answer.text()]))
  }
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toContain('These details cannot be used.')
})

test.each<[string, Response, number, number]>([
  ['the service, about the details', Response.json(refused, { status: 400 }), 400, 0],
  ['the service, perhaps about the key', Response.json(refused, { status: 403 }), 400, 1],
  ['something before it', new Response('<h1>Not here</h1>', { status: 404 }), 503, 1],
  ...[401, 408, 429, 500, 503].map((status): [string, Response, number, number] => [
    `a service that answers ${status}`,
    Response.json(refused, { status }),
    503,
    1,
  ]),
])(
  'after a refusal by %s onError is called if it may be a setup mistake, and the shopper learns only what concerns them',
  async (_, response, status, times) => {
    const onError = vi.fn()
    const answer = await companionOf(answering(response), { onError }).fetch(post('/user', newUser, 'bob'))
    expect(answer.status).toBe(status)
    expect((await answer.text()).includes('details')).toBe(status === 400)
    expect(onError.mock.calls).toEqual(Array(times).fill([expect.any(Error), { during: 'POST /user' }]))
  },
)

test('the record of another user is never returned', async () => {
  const onError = vi.fn()
  const record = { user_id: 'eve', lkyc_status: 'success', linked_payment_methods: [], limits: {} }
  const body = { data: { error: false, message: '', data: record } }
  const companion = companionOf(answering(Response.json(body)), { onError })
  const answer = await companion.fetch(get('/user', 'ada:ada-1'))
  expect(answer.status).toBe(503)
  expect(await answer.text()).not.toMatch(/eve|success/)
  const [error, context] = onError.mock.lastCall ?? []
  expect([error?.name, context]).toEqual(['UnexpectedResponseError', { during: 'GET /user' }])
  expect((await companion.fetch(get('/user', 'ada:eve'))).status).toBe(200)
})

test.each([
  [404, null],
  [404, refused],
  [400, refused],
  [200, refused],
])('a user whom the service does not know is not found: %s', async (status, body) => {
  const onError = vi.fn()
  const companion = companionOf(answering(Response.json(body, { status })), { onError })
  const answer = await companion.fetch(get('/user', 'ada:ada-1'))
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  expect(onError).not.toHaveBeenCalled()
})
