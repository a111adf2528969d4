// Promise: sandbox/webhooks
/** Webhooks: what is sent, to whom, and how often. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { must, type Service, serviceOf, test as serviceTest } from './support/service.ts'

const test = serviceTest.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern.
  receiver: async ({}, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    await receiver.close()
  },
})

interface Delivery {
  id: string
  event: string
  status: string
  attempts: number
  answer: string
  response: string
}

const deliveries = async (service: Service): Promise<Delivery[]> =>
  (await service.control<{ deliveries: Delivery[] }>('webhooks', undefined, 'GET')).body.deliveries

const events = ({ received }: Receiver): string[] =>
  received.map((payload) => {
    const { event, data } = payload as { event: string; data: { type?: string } }
    return data.type ? `${event} ${data.type}` : event
  })

describe('webhooks are sent on each change', () => {
  test('of an order: its start and its end', async ({ service, receiver }) => {
    await service.buy()
    await must(service.control('webhooks', { url: receiver.url }))
    await service.buy({ custom_id: 'c-1' })
    await service.buy({}, { card_number: '4000 0000 0000 4004' })
    await expect.poll(() => events(receiver).length).toBe(4)
    expect(events(receiver).sort()).toEqual([
      'order.updated order_complete',
      'order.updated order_failed',
      'order.updated payment_started',
      'order.updated payment_started',
    ])
    expect(receiver.received).toContainEqual({
      event: 'order.updated',
      data: expect.objectContaining({
        custom_id: 'c-1',
        type: 'order_complete',
        external_user_id: expect.any(String),
      }),
    })
  })

  test('of a user: the creation and full KYC', async ({ service, receiver }) => {
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    const checkout = await service.openCheckout({ product_id: 'castle', quote_amount: '501' })
    await must(service.pay(checkout, { email: 'ada@example.com' }))
    await must(service.act(checkout.id, 'identity', { document: 'passport', camera: true }))
    await expect.poll(() => events(receiver).length).toBe(5)
    expect(receiver.received).toContainEqual({
      event: 'user.updated',
      data: expect.objectContaining({ fkyc_status: 'success' }),
    })
    expect(events(receiver)).toContain('user.created')
  })

  test('of a subscription: its start, renewals and cancellation', async ({ service, receiver }) => {
    const checkout = await service.openCheckout(
      { product_id: 'club-monthly' },
      await service.token('infinite'),
    )
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.pay(checkout))
    await service.advance(32)
    await must(service.act(checkout.id, 'cancel-subscription', {}))
    const subscriptions = (): unknown[] =>
      events(receiver).filter((event) => event === 'subscription.updated')
    await expect.poll(() => subscriptions().length).toBe(3)
  })

  test('to every target, and no more to one that was removed', async ({ service, receiver }) => {
    const other = await startReceiver()
    await must(service.control('webhooks', { url: receiver.url }))
    const { id } = await must(service.control<{ id: string }>('webhooks', { url: other.url }))
    await must(service.createWidgetUser())
    await expect.poll(() => [receiver.received.length, other.received.length]).toEqual([1, 1])
    await must(service.control(`webhooks/${id}`, undefined, 'DELETE'))
    await service.buy({}, { email: 'ada@example.com' })
    await expect.poll(() => receiver.received.length).toBe(3)
    expect(other.received).toHaveLength(1)
    await other.close()
    expect((await service.control(`webhooks/${id}`, undefined, 'DELETE')).status).toBe(404)
  })
})

describe('delivery', () => {
  test('is tried again, with growing pauses, until the target answers 2xx', async ({ service }) => {
    const receiver = await startReceiver((nth) => (nth < 3 ? 500 : 204))
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    await expect.poll(() => deliveries(service)).toMatchObject([{ status: 'delivered', attempts: 4 }])
    await receiver.close()
  })

  test('keeps how the answer’s body begins, however long it is', async ({ service }) => {
    const receiver = await startReceiver(() => 500, {}, `TypeError: no such order${' '.repeat(1_000_000)}`)
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    await expect.poll(async () => (await deliveries(service))[0]?.answer).toBe('500')
    const response = (await deliveries(service))[0]?.response ?? ''
    expect(response.trim()).toBe('TypeError: no such order')
    expect(response).toHaveLength(2000)
    await receiver.close()
  })

  test('is given up as failed after six attempts', async ({ service }) => {
    const receiver = await startReceiver(() => 302)
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    await expect
      .poll(() => deliveries(service), { timeout: 5000 })
      .toMatchObject([{ status: 'failed', attempts: 6 }])
    expect(receiver.received).toHaveLength(6)
    await receiver.close()
  })

  test('to a target that is down fails like one that refuses', async ({ service }) => {
    const receiver = await startReceiver()
    await receiver.close()
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    await expect.poll(() => deliveries(service), { timeout: 5000 }).toMatchObject([{ status: 'failed' }])
  })

  test('can be repeated from the control plane, as it was', async ({ service, receiver }) => {
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.createWidgetUser())
    await expect.poll(() => receiver.received.length).toBe(1)
    const [first] = await deliveries(service)
    await must(service.control(`webhooks/deliveries/${first?.id}/redeliver`, {}))
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]).toEqual(receiver.received[0])
    expect((await service.control('webhooks/deliveries/x/redeliver', {})).status).toBe(404)
  })

  test('of what was still to be sent goes on after a restart with the same database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
    const db = join(folder, 'shop.db')
    let accepts = false
    const receiver = await startReceiver(() => (accepts ? 200 : 500))
    const first = await createSandbox({ db, webhookRetryMs: 60_000 })
    await must(serviceOf(first).control('webhooks', { url: receiver.url }))
    const order = await serviceOf(first).buy()
    await expect
      .poll(() => deliveries(serviceOf(first)))
      .toMatchObject(Array.from({ length: 3 }, () => ({ status: 'pending', attempts: 1 })))
    await first.close()
    accepts = true
    const second = await createSandbox({ db })
    await expect
      .poll(() => deliveries(serviceOf(second)))
      .toMatchObject(Array.from({ length: 3 }, () => ({ status: 'delivered', attempts: 2 })))
    expect(receiver.received).toContainEqual(
      expect.objectContaining({
        data: expect.objectContaining({ order_id: order.id, type: 'order_complete' }),
      }),
    )
    await Promise.all([second.close(), receiver.close()])
    await rm(folder, { recursive: true })
  })

  test('of many at once reaches the target once each', async ({ service, receiver }) => {
    await service.createWidgetUser()
    await must(service.control('webhooks', { url: receiver.url }))
    const orders = await Promise.all(
      Array.from({ length: 100 }, () => service.buy({}, { email: 'ada@example.com' })),
    )
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(2 * orders.length)
    const complete = events(receiver).filter((event) => event === 'order.updated order_complete')
    expect(complete).toHaveLength(orders.length)
  })

  test('ends with a reset: nothing from before it is tried again', async ({ onTestFinished }) => {
    const sandbox = await createSandbox({ webhookRetryMs: 300 })
    const service = serviceOf(sandbox)
    const [before, after] = await Promise.all([startReceiver(() => 500), startReceiver(() => 500)])
    onTestFinished(async () => {
      await sandbox.close()
      await Promise.all([before.close(), after.close()])
    })
    await must(service.control('webhooks', { url: before.url }))
    await must(service.createWidgetUser())
    await expect.poll(() => before.received.length).toBeGreaterThan(0)
    sandbox.reset()
    const tries = before.received.length
    await must(service.control('webhooks', { url: after.url }))
    await must(service.createWidgetUser())
    // By its third try one from before has had two more; one may have been on its way.
    await expect.poll(() => after.received.length).toBeGreaterThan(2)
    expect(before.received.length).toBeLessThanOrEqual(tries + 1)
  })
})

describe('a webhook can be forged', () => {
  test('with any JSON, to every target or to one address', async ({ service, receiver }) => {
    expect(await service.control('webhooks/forge', { payload: {} })).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('url') },
    })
    await must(service.control('webhooks/forge', { url: receiver.url, payload: { order_id: 'forged' } }))
    await must(service.control('webhooks', { url: receiver.url }))
    await must(service.control('webhooks/forge', { payload: ['anything', null, 1] }))
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received).toEqual(expect.arrayContaining([{ order_id: 'forged' }, ['anything', null, 1]]))
  })
})

test('a target must have an http or https address', async ({ service }) => {
  for (const url of ['', 'nowhere', 'file:///etc/passwd', 7])
    expect(await service.control('webhooks', { url })).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('url') },
    })
})
