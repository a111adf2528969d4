// Promise: companion/user
/** `POST /user`: one user for a shopper, however often and at once it is asked for. */
import { expect, test, vi } from 'vitest'
import { createPurchaseClient, type PurchaseClient } from '../src/index.ts'
import { companionOf, get, post } from './support/companion.ts'
import { newUser } from './support/service.ts'
import { settings } from './support/settings.ts'
import { serviceOfThisFile } from './support/untilTheEnd.ts'

const service = await serviceOfThisFile()

test('twenty calls at once create one user', async () => {
  const onUser = vi.fn()
  const companion = companionOf(service.client(), { onUser })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      companion.fetch(post('/user', { ...newUser, email: `ada-${index}@example.com` }, 'ada')),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  expect(await service.count('createWidgetUser')).toBe(1)
  expect(onUser).toHaveBeenCalledOnce()
  await companion.close()
})

test('a merchant who could not keep the user is told of it again', async () => {
  const kept: string[] = []
  let isDown = true
  const companion = companionOf(service.client(), {
    onError: () => {},
    onUser: ({ user_id }) => {
      if (isDown) throw new Error('the database is down')
      kept.push(user_id)
    },
  })
  expect((await companion.fetch(post('/user', newUser, 'ada'))).status).toBe(500)
  isDown = false
  const again = await companion.fetch(post('/user', newUser, 'ada'))
  expect(again.status).toBe(201)
  expect(await again.json()).toEqual({ user_id: kept[0] })
  expect(await service.count('createWidgetUser')).toBe(1)
  await companion.close()
})

test('what the service refuses is told in the same words, whatever it is about', async () => {
  const companion = companionOf(service.client())
  await companion.fetch(post('/user', newUser, 'ada'))
  const taken = await companion.fetch(post('/user', newUser, 'bob'))
  const unlisted = await companion.fetch(
    post('/user', { ...newUser, email: 'bob@example.com', country_of_residence: 'XXX' }, 'bob'),
  )
  const words = await taken.text()
  expect(words).not.toMatch(/already|exists|belongs|email/i)
  expect([taken.status, unlisted.status]).toEqual([400, 400])
  expect(await unlisted.text()).toBe(words)
  await companion.close()
})

const refused = { error: true, message: 'A user with this e-mail exists already.' }
const answering = (response: Response): PurchaseClient =>
  createPurchaseClient({ ...settings, maxRetries: 0, fetch: async () => response.clone() })

test('that an e-mail address is taken cannot be told from any other refusal, whichever status says it', async () => {
  const answers = []
  for (const status of [200, 400, 402, 403, 404, 405, 406, 409, 410, 412, 418, 422, 423, 428, 451]) {
    const client = answering(Response.json(refused, { status }))
    const companion = companionOf(client, { onError: () => {} })
    const answer = await companion.fetch(post('/user', newUser, 'bob'))
    answers.push(JSON.stringify([answer.status, [...answer.headers], await answer.text()]))
  }
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toContain('These details cannot be used.')
})

test.each<[string, Response, number, number]>([
  ['the service, about the details', Response.json(refused, { status: 400 }), 400, 0],
  ['the service, perhaps about the key', Response.json(refused, { status: 403 }), 400, 1],
  ['something before it', new Response('<h1>Not here</h1>', { status: 404 }), 400, 1],
  ...[401, 408, 429, 500, 503].map((status): [string, Response, number, number] => [
    `a service that answers ${status}`,
    Response.json(refused, { status }),
    503,
    1,
  ]),
])(
  'of a refusal by %s onError hears as often as it may be about the set-up, and the shopper as far as it is about them',
  async (_, response, status, times) => {
    const onError = vi.fn()
    const companion = companionOf(answering(response), { onError })
    const answer = await companion.fetch(post('/user', newUser, 'bob'))
    expect(answer.status).toBe(status)
    expect((await answer.text()).includes('details')).toBe(status === 400)
    expect(onError.mock.calls).toEqual(Array(times).fill([expect.any(Error), { during: 'POST /user' }]))
  },
)

test('the record of another user is not passed on', async () => {
  const onError = vi.fn()
  const record = { user_id: 'eve', lkyc_status: 'success', linked_payment_methods: [], limits: {} }
  const companion = companionOf(
    answering(Response.json({ data: { error: false, message: '', data: record } })),
    {
      onError,
    },
  )
  const answer = await companion.fetch(get('/user', 'ada:ada-1'))
  expect(answer.status).toBe(503)
  expect(await answer.text()).not.toMatch(/eve|success/)
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'UnexpectedResponseError' }),
    { during: 'GET /user' },
  )
  expect((await companion.fetch(get('/user', 'ada:eve'))).status).toBe(200)
})
