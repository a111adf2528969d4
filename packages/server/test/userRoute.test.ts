/** `POST /user`: one user for a shopper, however often and at once it is asked for. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { companionOf, post } from './support/companion.ts'
import { newUser, type Service, startService } from './support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

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
