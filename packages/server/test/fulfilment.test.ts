/** Whoever hints, however often: `onOrder` hears of each state of an order once, as the service tells it, and no order holds up another. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fulfilment, FulfilmentOptions } from '../src/fulfilment/createFulfilment.ts'
import { keyOf } from '../src/fulfilment/webhook.ts'
import { memoryStore, type Order } from '../src/index.ts'
import type { OnOrder } from '../src/purchase/purchase.ts'
import { fulfilmentOf, testClock, unchecked } from './support/fulfilment.ts'
import { listen } from './support/http.ts'
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

const never = (): Promise<void> => new Promise(() => {})

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Lets the test's clock pass the wait of every job, and has them looked at. */
async function afterAWait(fulfilment: Fulfilment, clock: ReturnType<typeof testClock>): Promise<void> {
  clock.advance(2 * 86_400_000)
  await fulfilment.syncOrder({ order_id: 'wake-up' }, 'unauthenticated')
  await fulfilment.syncOrder({ order_id: 'wake-up' }, 'trusted')
  await fulfilment.idle('unauthenticated')
}

describe('onOrder', () => {
  test('gets the order as the service has it, with its purchase', async () => {
    const onOrder = vi.fn<OnOrder>()
    const order = await buy()
    const fulfilment = open(onOrder)
    expect(await fulfilment.syncOrder({ order_id: order.id }, 'trusted')).toBe(true)
    await fulfilment.idle()
    expect(onOrder).toHaveBeenCalledOnce()
    expect(onOrder.mock.calls[0]?.[0]).toMatchObject({
      order: { id: order.id, type: 'order_complete', quote_amount: order.quote_amount },
      purchase: unchecked,
    })
  })

  test('is called once for each state, whoever hints and however often', async () => {
    const onOrder = vi.fn<OnOrder>()
    const fulfilment = open(onOrder)
    const order = await buy()
    for (const queue of ['trusted', 'unauthenticated', 'trusted', 'unauthenticated'] as const) {
      await fulfilment.syncOrder({ order_id: order.id }, queue)
      await fulfilment.syncOrder({ custom_id: 'shopper-1' }, queue)
      await fulfilment.notice([order])
    }
    await fulfilment.idle('unauthenticated')
    expect(onOrder).toHaveBeenCalledOnce()
  })

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

  test('hears of every order of a customer when the hint names only the customer, and of nobody else’s', async () => {
    const heard: string[] = []
    const fulfilment = open(({ order: { id } }) => void heard.push(id))
    const orders = [await buy(), await buy()]
    await buy('shopper-2')
    await fulfilment.syncOrder({ custom_id: 'shopper-1' }, 'trusted')
    await fulfilment.idle()
    expect(heard.sort()).toEqual(orders.map(({ id }) => id).sort())
  })

  test('is called again when it has thrown, and the failure is reported', async () => {
    let calls = 0
    const errors: unknown[] = []
    const fulfilment = open(
      () => {
        if (++calls === 1) throw new Error('the database is busy')
      },
      { onError: (error) => errors.push(error) },
    )
    await fulfilment.syncOrder({ order_id: (await buy()).id }, 'trusted')
    await soon(() => expect(calls).toBe(2))
    expect(errors).toMatchObject([{ message: 'the database is busy' }])
  })

  test('is called when the service was away for a while', async () => {
    const onOrder = vi.fn<OnOrder>()
    const fulfilment = open(onOrder)
    const { id } = await buy()
    const fault = { operation: 'getTransaction', kind: 'status', status: 503, count: 2 }
    await service.control('POST', '/faults', fault)
    await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await soon(() => expect(onOrder).toHaveBeenCalledOnce())
  })

  test('that never settles for eight orders does not hold up a hundred others', async () => {
    const delivered = new Set<string>()
    const errors: unknown[] = []
    const orders = await Promise.all(numbers(108).map((index) => buy(`shopper-${index}`)))
    const stuck = new Set(orders.slice(0, 8).map(({ id }) => id))
    const fulfilment = open(({ order: { id } }) => (stuck.has(id) ? never() : void delivered.add(id)), {
      onOrderTimeout: 500,
      onError: (error) => errors.push(error),
    })
    for (const { id } of orders) await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await soon(() => expect(delivered.size).toBe(100))
    await soon(() => expect(errors.length).toBeGreaterThanOrEqual(8))
    expect(errors[0]).toMatchObject({ name: 'TimeoutError', operation: 'onOrder' })
  })

  test('that hangs once is called again, and what came of the first call then changes nothing', async () => {
    let calls = 0
    const fulfilment = open(() => (++calls === 1 ? never() : undefined), { onOrderTimeout: 100 })
    await fulfilment.syncOrder({ order_id: (await buy()).id }, 'trusted')
    await soon(() => expect(calls).toBe(2))
    await fulfilment.idle()
    expect(calls).toBe(2)
  })
})

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

  test('is not tried at every poll', async () => {
    let calls = 0
    const order = await buy()
    const fulfilment = open(() => {
      calls++
      throw new Error('broken')
    })
    for (const _ of numbers(20)) {
      await fulfilment.notice([order])
      await fulfilment.idle()
    }
    expect(calls).toBe(1)
  })
})

test('an order that was seen once is not given up, whatever the service answers for a while', async () => {
  const clock = testClock()
  let answer: (() => Response) | null = () =>
    Response.json({ error: true, message: 'No such order.' }, { status: 404 })
  const fetch: typeof globalThis.fetch = async (input, init) =>
    answer && String(input).includes('transactions/data') ? answer() : globalThis.fetch(input, init)
  const order = await buy()
  const onOrder = vi.fn<OnOrder>()
  const onError = vi.fn()
  const fulfilment = fulfilmentOf(service.client({ maxRetries: 0, fetch }), {
    ...{ onOrder, onError, now: clock.now, store: memoryStore({ now: clock.now }) },
  })
  opened.push(fulfilment)
  await fulfilment.notice([order])
  await fulfilment.idle()
  for (const _ of numbers(5)) await afterAWait(fulfilment, clock)
  expect(onOrder).not.toHaveBeenCalled()
  expect(onError).toHaveBeenCalled()
  answer = null
  await afterAWait(fulfilment, clock)
  expect(onOrder).toHaveBeenCalledOnce()
})

test('an onOrder that resolves just after its deadline is marked, and is not called again', async () => {
  const { id } = await buy()
  const clock = testClock()
  const store = memoryStore({ now: clock.now })
  let end = (): void => {}
  const onOrder = vi.fn<OnOrder>(
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const fulfilment = open(onOrder, { store, now: clock.now, onOrderTimeout: 100 })
  await fulfilment.syncOrder({ order_id: id }, 'trusted')
  await fulfilment.idle()
  expect(await store.handled.has(id, 'order_complete')).toBe(false)
  end()
  await soon(async () => expect(await store.handled.has(id, 'order_complete')).toBe(true))
  await afterAWait(fulfilment, clock)
  expect(onOrder).toHaveBeenCalledOnce()
})

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

  test('is told, and becomes a dead letter, when it came from whom we trust', async () => {
    const clock = testClock()
    const onError = vi.fn()
    const fulfilment = open(vi.fn(), { store: memoryStore({ now: clock.now }), now: clock.now, onError })
    await fulfilment.syncOrder({ order_id: 'never-was' }, 'trusted')
    await fulfilment.idle()
    expect(onError).not.toHaveBeenCalled()
    for (const _ of numbers(3)) await afterAWait(fulfilment, clock)
    expect(onError).toHaveBeenCalled()
    expect((await fulfilment.deadLetters.list()).map(({ key }) => key)).toContain(
      keyOf({ order_id: 'never-was' }),
    )
  })

  test('costs a few reads a second and delays no genuine one, however many there are', async () => {
    const heard = new Set<string>()
    const fulfilment = open(({ order: { id } }) => void heard.add(id))
    const orders = await Promise.all(numbers(20).map((index) => buy(`shopper-${index}`)))
    const started = performance.now()
    const taken = await Promise.all(
      numbers(1_500).map((index) => fulfilment.syncOrder({ order_id: `forged-${index}` }, 'unauthenticated')),
    )
    expect(taken.filter((isTaken) => !isTaken).length).toBeGreaterThanOrEqual(400)
    for (const { id } of orders) await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await fulfilment.idle()
    expect(heard.size).toBe(20)
    const seconds = (performance.now() - started) / 1_000
    expect(await service.count('getTransaction')).toBeLessThanOrEqual(20 + 5 * (seconds + 1))
  })
})

test('a genuine hint from an unauthenticated caller is delivered', async () => {
  const onOrder = vi.fn<OnOrder>()
  const fulfilment = open(onOrder)
  await fulfilment.syncOrder({ order_id: (await buy()).id }, 'unauthenticated')
  await fulfilment.idle('unauthenticated')
  expect(onOrder).toHaveBeenCalledOnce()
})

test('a service that answers with another order is not believed', async () => {
  const onOrder = vi.fn<OnOrder>()
  const other = await listen((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"id":"another","type":"order_complete"}'),
  )
  const fulfilment = fulfilmentOf(service.client({ baseUrl: other.url }), { onOrder })
  await fulfilment.syncOrder({ order_id: 'mine' }, 'trusted')
  await fulfilment.idle()
  expect(onOrder).not.toHaveBeenCalled()
  await fulfilment.close()
  await other.close()
})

describe('complete()', () => {
  test('says what to do where the store has no transactions', async () => {
    const errors: unknown[] = []
    const fulfilment = open(({ complete }) => void complete(), { onError: (error) => errors.push(error) })
    await fulfilment.syncOrder({ order_id: (await buy()).id }, 'trusted')
    await fulfilment.idle()
    expect(errors).toMatchObject([
      { name: 'InvalidInputError', message: expect.stringMatching(/sqliteStore/) },
    ])
  })

  test('that is refused is told, also where nobody waits for it', async () => {
    const store = memoryStore()
    const errors: unknown[] = []
    const addWithin = async (): Promise<boolean> => Promise.reject(new Error('it needs a transaction'))
    const fulfilment = open(({ complete }) => void complete({}), {
      store: { ...store, handled: { ...store.handled, addWithin } },
      onError: (error) => errors.push(error),
    })
    const { id, type } = await buy()
    await fulfilment.syncOrder({ order_id: id }, 'trusted')
    await fulfilment.idle()
    expect(errors).toMatchObject([{ message: 'it needs a transaction' }])
    expect(await store.handled.has(id, type)).toBe(false)
  })

  test('in a transaction that was not committed does not count', async () => {
    const store = memoryStore()
    const errors: unknown[] = []
    const rolledBack = { ...store, handled: { ...store.handled, addWithin: () => true } }
    const fulfilment = open(({ complete }) => void complete({}), {
      store: rolledBack,
      onError: (error) => errors.push(error),
    })
    await fulfilment.syncOrder({ order_id: (await buy()).id }, 'trusted')
    await fulfilment.idle()
    expect(errors).toMatchObject([{ message: expect.stringMatching(/not committed/) }])
  })
})

describe('close()', () => {
  test('waits for what runs, and takes nothing more', async () => {
    let isDone = false
    let release = (): void => {}
    const store = memoryStore()
    const [first, second] = [await buy(), await buy()]
    const heard: string[] = []
    const fulfilment = open(
      async ({ order: { id } }) => {
        heard.push(id)
        await new Promise<void>((resolve) => (release = resolve))
        isDone = true
      },
      { store },
    )
    await fulfilment.syncOrder({ order_id: first.id }, 'trusted')
    await soon(() => expect(heard).toEqual([first.id]))
    const closed = fulfilment.close()
    await fulfilment.syncOrder({ order_id: second.id }, 'trusted')
    release()
    await closed
    expect(isDone).toBe(true)
    expect(heard).toEqual([first.id])

    const next = open(({ order: { id } }) => void heard.push(id), { store })
    next.start()
    await soon(() => expect(heard).toEqual([first.id, second.id]))
  })
})

test('a store that is gone is not a promise: the hint is refused', async () => {
  const store = memoryStore()
  const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))
  const fulfilment = open(vi.fn(), { store: { ...store, jobs: { ...store.jobs, add: gone } } })
  await expect(fulfilment.syncOrder({ order_id: 'x' }, 'trusted')).rejects.toThrow('gone')
  await expect(fulfilment.notice([await buy()])).resolves.toBeUndefined()
})

test('nothing starts before the first use', async () => {
  const store = memoryStore()
  const claim = vi.fn(store.jobs.claim)
  const fulfilment = open(vi.fn(), { store: { ...store, jobs: { ...store.jobs, claim } } })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(claim).not.toHaveBeenCalled()
  fulfilment.start()
  expect(claim).toHaveBeenCalled()
})
