// Promise: sandbox/webhooks
/** Webhooks: what is sent, to whom, and how often. */
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type Receiver, startReceiver } from './support/http.ts'
import { must, test } from './support/service.ts'

const events = ({ received }: Receiver): string[] =>
  received.map((payload) => {
    const { event, data } = payload as { event: string; data: { type?: string } }
    return data.type ? `${event} ${data.type}` : event
  })

const having = (fields: object): unknown => expect.objectContaining(fields)
const refused = { status: 400, body: { error: true, message: expect.stringContaining('url') } }

test('an order sends webhooks at its start and its end', async ({ service, receiver }) => {
  await service.buy()
  await service.set('webhooks', { url: receiver.url })
  await service.buy({ custom_id: 'c-1' })
  await service.buy({}, { card_number: '4000 0000 0000 4004' })
  await expect.poll(() => events(receiver).length).toBe(4)
  expect(events(receiver).sort()).toEqual([
    'order.updated order_complete',
    'order.updated order_failed',
    'order.updated payment_started',
    'order.updated payment_started',
  ])
  const data = { custom_id: 'c-1', type: 'order_complete', external_user_id: expect.any(String) }
  expect(receiver.received).toContainEqual({ event: 'order.updated', data: having(data) })
})

test('a user sends webhooks for its creation and full KYC', async ({ service, receiver }) => {
  await service.set('webhooks', { url: receiver.url })
  await must(service.createWidgetUser())
  const checkout = await service.openCheckout({ product_id: 'castle', quote_amount: '501' })
  await must(service.pay(checkout, { email: 'ada@example.com' }))
  await must(service.act(checkout.id, 'identity', { document: 'passport', camera: true }))
  await expect.poll(() => events(receiver).length).toBe(5)
  const proved = { event: 'user.updated', data: having({ fkyc_status: 'success' }) }
  expect(receiver.received).toContainEqual(proved)
  expect(events(receiver)).toContain('user.created')
})

test('a subscription sends webhooks for its start, renewals and cancellation', async ({
  service,
  receiver,
}) => {
  const checkout = await service.openCheckout({ product_id: 'club-monthly' }, await service.token('infinite'))
  await service.set('webhooks', { url: receiver.url })
  await must(service.pay(checkout))
  await service.advance(32)
  await must(service.act(checkout.id, 'cancel-subscription', {}))
  const ofSubscription = () => events(receiver).filter((event) => event === 'subscription.updated')
  await expect.poll(ofSubscription).toHaveLength(3)
})

test('webhooks go to every target, and no longer to a removed one', async ({
  service,
  receiver,
  sandbox,
}) => {
  const other = await startReceiver()
  await sandbox.webhooks.add(receiver.url)
  const { id } = await sandbox.webhooks.add(other.url)
  await must(service.createWidgetUser())
  await expect.poll(() => [receiver.received.length, other.received.length]).toEqual([1, 1])
  await sandbox.webhooks.remove(id)
  await sandbox.buy({ email: 'ada@example.com' })
  await expect.poll(() => receiver.received.length).toBe(3)
  expect(other.received).toHaveLength(1)
  await other.close()
  expect((await service.control(`webhooks/${id}`, undefined, 'DELETE')).status).toBe(404)
})

const outcomes: [title: string, answer: Receiver['answer'], delivery: object][] = [
  [
    'a delivery is retried, with growing delays, until the target responds 2xx',
    (nth) => (nth < 3 ? 500 : 204),
    { status: 'delivered', attempts: 4 },
  ],
  ['a delivery fails after six attempts', () => 302, { status: 'failed', attempts: 6 }],
]
test.for(outcomes)('%s', async ([, answer, delivery], { service, receiver, sandbox }) => {
  receiver.answer = answer
  await sandbox.webhooks.add(receiver.url)
  await must(service.createWidgetUser())
  await expect.poll(() => sandbox.webhooks.deliveries()).toMatchObject([delivery])
  expect(receiver.received).toHaveLength(Reflect.get(delivery, 'attempts'))
})

test('a delivery keeps the beginning of the response body, however long it is', async ({
  service,
  receiver,
  sandbox,
}) => {
  receiver.answer = () => 500
  receiver.body = `TypeError: no such order${' '.repeat(1_000_000)}`
  await sandbox.webhooks.add(receiver.url)
  await must(service.createWidgetUser())
  await expect.poll(() => sandbox.webhooks.deliveries()).toMatchObject([{ answer: '500' }])
  const [failed] = await sandbox.webhooks.deliveries()
  expect(failed?.response?.trim()).toBe('TypeError: no such order')
  expect(failed?.response).toHaveLength(2000)
})

test('a delivery to a target that is down fails like one that is refused', async ({
  service,
  receiver,
  sandbox,
}) => {
  await receiver.close()
  await sandbox.webhooks.add(receiver.url)
  await must(service.createWidgetUser())
  await expect.poll(() => sandbox.webhooks.deliveries()).toMatchObject([{ status: 'failed' }])
})

test('a delivery can be repeated unchanged from the control plane', async ({
  service,
  receiver,
  sandbox,
}) => {
  await sandbox.webhooks.add(receiver.url)
  await must(service.createWidgetUser())
  await expect.poll(() => receiver.received.length).toBe(1)
  const [first] = await sandbox.webhooks.deliveries()
  await sandbox.webhooks.redeliver(first?.id ?? '')
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.received[1]).toEqual(receiver.received[0])
  expect((await service.control('webhooks/deliveries/x/redeliver', {})).status).toBe(404)
})

test('pending deliveries continue after a restart with the same database', async ({
  start,
  folder,
  receiver,
}) => {
  const db = join(folder, 'shop.db')
  const threeTimes = (delivery: object): object[] => [delivery, delivery, delivery]
  receiver.answer = () => 500
  const first = await start({ db, webhookRetryMs: 60_000 })
  await first.webhooks.add(receiver.url)
  const { id: order_id } = await first.buy()
  await expect
    .poll(() => first.webhooks.deliveries())
    .toMatchObject(threeTimes({ status: 'pending', attempts: 1 }))
  await first.close()
  receiver.answer = () => 200
  const second = await start({ db })
  await expect
    .poll(() => second.webhooks.deliveries())
    .toMatchObject(threeTimes({ status: 'delivered', attempts: 2 }))
  const data = having({ order_id, type: 'order_complete' })
  expect(receiver.received).toContainEqual(having({ data }))
})

test('the first retry waits webhookRetryMs, and the second twice as long', async ({
  start,
  folder,
  receiver,
}) => {
  const db = join(folder, 'shop.db')
  const pauses = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => pauses.mockRestore())
  receiver.answer = () => 500
  for (const [attempts, pause] of [
    [1, 60_013],
    [2, 120_026],
  ] as const) {
    pauses.mockClear()
    // Restarting resumes the delivery at once, so that nothing waits for a minute.
    const sandbox = await start({ db, webhookRetryMs: 60_013 })
    if (attempts === 1) await sandbox.webhooks.add(receiver.url)
    if (attempts === 1) await must(sandbox.service.createWidgetUser())
    await expect.poll(() => sandbox.webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts }])
    expect(pauses.mock.calls.map(([, wait]) => wait)).toContain(pause)
    await sandbox.close()
  }
})

test('many concurrent deliveries reach the target once each', async ({ service, receiver }) => {
  await service.createWidgetUser()
  await service.set('webhooks', { url: receiver.url })
  await Promise.all(Array.from({ length: 100 }, () => service.buy({}, { email: 'ada@example.com' })))
  await expect.poll(() => receiver.received.length).toBe(200)
  const complete = events(receiver).filter((event) => event === 'order.updated order_complete')
  expect(complete).toHaveLength(100)
})

test('a reset ends delivery: no earlier webhook is retried', async ({ start, receiver: before }) => {
  const sandbox = await start({ webhookRetryMs: 300 })
  const after = await startReceiver()
  for (const receiver of [before, after]) receiver.answer = () => 500
  await sandbox.webhooks.add(before.url)
  await must(sandbox.service.createWidgetUser())
  await expect.poll(() => before.received.length).toBeGreaterThan(0)
  sandbox.reset()
  const tries = before.received.length
  await sandbox.webhooks.add(after.url)
  await must(sandbox.service.createWidgetUser())
  // By the third attempt here, an old webhook would have had two more attempts; one may have been in flight.
  await expect.poll(() => after.received.length).toBeGreaterThan(2)
  expect(before.received.length).toBeLessThanOrEqual(tries + 1)
  await after.close()
})

test('a webhook can be forged with any JSON, to every target or to one address', async ({
  service,
  receiver,
  sandbox,
}) => {
  expect(await service.control('webhooks/forge', { payload: {} })).toMatchObject(refused)
  await sandbox.webhooks.forge({ order_id: 'forged' }, receiver.url)
  await sandbox.webhooks.add(receiver.url)
  await sandbox.webhooks.forge(['anything', null, 1])
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(receiver.received).toEqual(expect.arrayContaining([{ order_id: 'forged' }, ['anything', null, 1]]))
})

test('a target must have an http or https address', async ({ service }) => {
  for (const url of ['', 'nowhere', 'file:///etc/passwd', 7])
    expect(await service.control('webhooks', { url })).toMatchObject(refused)
})
