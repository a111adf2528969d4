/** Whoever hints, however often: `onOrder` hears of each state of an order once, as the service tells it, and no order holds up another. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fulfilment, FulfilmentOptions } from '../src/fulfilment/createFulfilment.ts'
import { keyOf } from '../src/fulfilment/webhook.ts'
import { memoryStore, type Order } from '../src/index.ts'
import type { OnOrder } from '../src/purchase/purchase.ts'
import { fulfilmentOf, testClock } from './support/fulfilment.ts'
import { declinedCard, type Service, startService } from './support/service.ts'

let service: Service
let opened: Fulfilment[] = []

beforeAll(async () => {
  service = await startService()
})
beforeEach(() => service.reset())
afterEach(async () => {
  await Promise.all(opened.map((one) => one.close()))
  opened = []
})
afterAll(() => service.close())

function open(onOrder: OnOrder, options: Partial<FulfilmentOptions> = {}): Fulfilment {
  const fulfilment = fulfilmentOf(service.client({ maxRetries: 0 }), { onOrder, ...options })
  opened.push(fulfilment)
  return fulfilment
}

/** Waits as long as a busy machine may need. */
const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 30_000 })

const buy = (custom_id = 'shopper-1'): Promise<Order> => service.buy({ product_id: 'gold-100', custom_id })

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Lets the test's clock pass the wait of every job, and has them looked at. */
async function afterAWait(fulfilment: Fulfilment, clock: ReturnType<typeof testClock>): Promise<void> {
  clock.advance(2 * 86_400_000)
  await fulfilment.syncOrder({ order_id: 'wake-up' }, 'unauthenticated')
  await fulfilment.syncOrder({ order_id: 'wake-up' }, 'trusted')
  await fulfilment.idle('unauthenticated')
}

// Promise: fulfilment/each-state
describe('onOrder', () => {
  test('hears of a failed order too', async () => {
    const onOrder = vi.fn<OnOrder>()
    const { id } = await service.buy({ product_id: 'gold-100' }, declinedCard('4005'))
    const fulfilment = open(onOrder)
    await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await fulfilment.idle()
    expect(onOrder.mock.calls.map(([{ order }]) => order.type)).toEqual(['order_failed'])
  })

  test('hears of a state that is reached while it is at work on the one before, and after it', async () => {
    const states: string[] = []
    let running = 0
    let atOnce = 0
    let release = (): void => {}
    const fulfilment = open(async ({ order: { type } }) => {
      atOnce = Math.max(atOnce, ++running)
      states.push(type)
      if (type === 'payment_started') await new Promise<void>((resolve) => (release = resolve))
      running--
    })
    await service.control('PATCH', '/switches', { paymentMs: 2_000 })
    const bought = buy()
    await soon(async () => {
      const [order] = (await service.control('GET', '/orders')) as Order[]
      await fulfilment.syncOrder({ order_id: order?.id ?? '' }, 'trusted')
      expect(states).toEqual(['payment_started'])
    })
    const { id } = await bought
    await fulfilment.syncOrder({ order_id: id }, 'trusted')
    release()
    await soon(() => expect(states).toEqual(['payment_started', 'order_complete']))
    expect(atOnce).toBe(1)
  })
})

// Promise: fulfilment/dead-letters
describe('an order that can never be handled', () => {
  test('is a dead letter after twelve attempts, and is delivered when it is redriven', async () => {
    const clock = testClock()
    const { id } = await buy()
    let isBroken = true
    let calls = 0
    const fulfilment = open(
      ({ order }) => {
        calls++
        if (isBroken) throw new TypeError(`no shelf for ${order.email} 12345678`)
      },
      { store: memoryStore({ now: clock.now }), now: clock.now },
    )
    await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await fulfilment.idle()
    for (const _ of numbers(15)) await afterAWait(fulfilment, clock)
    expect(calls).toBe(12)
    const [letter, ...rest] = (await fulfilment.deadLetters.list()).filter(({ key }) => key.includes(id))
    expect(rest).toEqual([])
    expect(letter).toMatchObject({ attempts: 12, reason: 'TypeError: no shelf for [redacted] [redacted]' })

    isBroken = false
    expect(await fulfilment.deadLetters.redrive(keyOf({ order_id: id }))).toBe(1)
    await fulfilment.idle()
    expect(calls).toBe(13)
    expect((await fulfilment.deadLetters.list()).filter(({ key }) => key.includes(id))).toEqual([])
  })
})

// Promise: fulfilment/hints-die
describe('a hint that never was an order', () => {
  const refusals: [string, object][] = [
    ['404', { errorShape: 'status' }],
    ['200 with an error', { errorShape: 'ok' }],
    ['an error two levels deep', { errorShape: 'okNested' }],
    ['text', { errorShape: 'text' }],
  ]
  test.each(refusals)('is given up after three reads when the service says so by %s', async (_, switches) => {
    const clock = testClock()
    await service.control('PATCH', '/switches', switches)
    const fulfilment = open(vi.fn(), { store: memoryStore({ now: clock.now }), now: clock.now })
    await fulfilment.syncOrder({ order_id: 'never-was' }, 'unauthenticated')
    await fulfilment.idle('unauthenticated')
    for (const _ of numbers(5)) {
      clock.advance(2 * 86_400_000)
      await fulfilment.syncOrder({ custom_id: 'wake-up' }, 'unauthenticated')
      await fulfilment.idle('unauthenticated')
    }
    expect(await service.count('getTransaction')).toBe(3)
    expect(await fulfilment.deadLetters.list()).toEqual([])
  })
})
