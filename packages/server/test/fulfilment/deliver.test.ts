// Promise: fulfilment/each-state
/** One order on its way to `onOrder`: what is read, and what is not awaited. */
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { createDelivery, type DeliverOptions } from '../../src/fulfilment/deliver.ts'
import { UnknownOrder } from '../../src/fulfilment/queue.ts'
import type { Seen } from '../../src/fulfilment/webhook.ts'
import { memoryStore, type Order } from '../../src/index.ts'
import type { Complete, OnOrder } from '../../src/purchase/purchase.ts'
import type { Handled, IdempotencyRecord } from '../../src/stores/store.ts'
import { fakeTimers } from '../support/fakeTimers.ts'
import { orderOf, unchecked } from '../support/fulfilment.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const never = (): Promise<never> => new Promise(() => {})

function delivering(options: Partial<DeliverOptions> = {}) {
  fakeTimers()
  const store = memoryStore()
  const started: string[] = []
  const onOrder = vi.fn<OnOrder>()
  const read = vi.fn<(id: string) => Promise<Order | null>>(async (id) => orderOf(id))
  const lateFailures: unknown[] = []
  const create = createDelivery({
    store,
    read,
    assess: async () => unchecked,
    onOrder,
    onOrderTimeout: 100,
    onSeen: ({ id }, isSkipped) => void (isSkipped || started.push(id)),
    ...options,
  })
  const deliver = (hint: Seen): Promise<void> => create(hint, (failure) => lateFailures.push(failure))
  /** The outcome of each that has ended. */
  const ends: string[] = []
  function begin(id: string): void {
    deliver({ order_id: id }).then(
      () => ends.push('handled'),
      (error) => ends.push(String(error)),
    )
  }
  return { store, started, onOrder, read, deliver, begin, ends, lateFailures }
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

test('an order goes to onOrder with its purchase, once for each state, and is recorded both ways', async () => {
  const { store, started, onOrder, read, deliver } = delivering()
  const add = vi.spyOn(store.handled, 'add')
  for (const state of ['payment_started', 'payment_started', 'order_complete', 'order_complete']) {
    read.mockResolvedValue(orderOf('o', state))
    await deliver({ order_id: 'o' })
  }
  expect(onOrder.mock.calls.map(([{ order, purchase }]) => [order, purchase])).toEqual([
    [orderOf('o', 'payment_started'), unchecked],
    [orderOf('o'), unchecked],
  ])
  expect(started).toEqual(['o', 'o'])
  expect(add.mock.calls).toEqual(
    ['payment_started', 'order_complete'].map((type) => [{ orderId: 'o', type, purchaseId: unchecked.id }]),
  )
})

test('an order that the service does not know is distinguished from one that was handled', async () => {
  const { onOrder, deliver } = delivering({ read: async () => null })
  await expect(deliver({ order_id: 'o' })).rejects.toBeInstanceOf(UnknownOrder)
  expect(onOrder).not.toHaveBeenCalled()
})

test('an order is read again if its list was ahead of it', async () => {
  const { onOrder, read, deliver } = delivering()
  const hint = { order_id: 'o', type: 'order_complete' } as const
  read.mockResolvedValueOnce(orderOf('o', 'payment_started'))
  await expect(deliver(hint)).rejects.toThrow('does not yet say so')
  expect(onOrder).not.toHaveBeenCalled()
  await deliver(hint)
  expect(onOrder).toHaveBeenCalledOnce()
})

const broken = new TypeError('broken')
const refusal = new ApiError('transactions.retrieve', 'no', { status: 404 })
const { withLock, handled } = memoryStore()
const unmarking = { withLock, handled: { ...handled, add: () => Promise.reject(broken) } }

test.each<[string, Partial<DeliverOptions>, Error, string[]]>([
  ['onOrder fails', { onOrder: () => Promise.reject(broken) }, broken, ['o']],
  ['the service refuses', { read: () => Promise.reject(refusal) }, refusal, []],
  ['the store does not mark it', { store: unmarking }, broken, ['o']],
])('where %s, the failure is reported, and the order not handled', async (_, options, failure, began) => {
  const { store, started, deliver } = delivering(options)
  await expect(deliver({ order_id: 'o' })).rejects.toBe(failure)
  expect(started).toEqual(began)
  expect(await store.handled.has('o', 'order_complete')).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('an order is handled by one call at a time, and delays no other', async () => {
  const releases: (() => void)[] = []
  const { started, begin, ends } = delivering({
    onOrder: () => new Promise((resolve) => releases.push(resolve)),
  })
  for (const id of ['o', 'o', 'another']) begin(id)
  await pass(10)
  expect(started).toEqual(['o', 'another'])
  for (const release of releases) release()
  await pass(10)
  expect([started, ends]).toEqual([
    ['o', 'another'],
    ['handled', 'handled', 'handled'],
  ])
  expect(vi.getTimerCount()).toBe(0)
})

const lateOnOrder = 'TimeoutError: onOrder: did not settle within 100 ms; it is called again later.'
const lateAround = 'TimeoutError: fulfilment: the lock, the service or the store did not answer in time.'

test.each<[string, Partial<DeliverOptions>, number, string]>([
  ['onOrder', { onOrder: never }, 100, lateOnOrder],
  ['the lock', { store: { ...memoryStore(), withLock: never } }, 30_100, lateAround],
  ['the service', { read: never }, 30_100, lateAround],
  ['the purchase', { assess: never }, 30_100, lateAround],
])('an order is abandoned when %s does not answer', async (_, options, ms, end) => {
  const { begin, ends } = delivering(options)
  begin('o')
  await pass(ms - 1)
  expect(ends).toEqual([])
  await pass(1)
  expect(ends).toEqual([end])
})

test('an order that onOrder settles late is still recorded', async () => {
  let release = (): void => {}
  const { store, begin, ends } = delivering({ onOrder: () => new Promise((resolve) => (release = resolve)) })
  begin('o')
  await pass(100)
  release()
  await pass(0)
  expect(ends).toEqual([lateOnOrder])
  expect(await store.handled.has('o', 'order_complete')).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('an order is not even read when its turn comes after it was abandoned', async () => {
  let release = (): void => {}
  const turn = new Promise<void>((resolve) => (release = resolve))
  const { read, begin, ends } = delivering({
    store: { ...memoryStore(), withLock: (_, task) => turn.then(task) },
  })
  begin('o')
  await pass(30_100)
  release()
  await pass(0)
  expect([ends, read.mock.calls]).toEqual([[lateAround], []])
})

// Promise: fulfilment/exactly-once
/** A store whose transactions commit or fail. */
function transactional(isCommitted: boolean): Handled {
  const { handled } = memoryStore()
  const addWithin = (_: unknown, one: IdempotencyRecord): Promise<boolean> =>
    isCommitted ? handled.add(one) : Promise.resolve(true)
  return { ...handled, addWithin }
}

const answering = (
  addWithin: NonNullable<Handled['addWithin']>,
  changes: Partial<Handled> = {},
): Handled => ({
  ...memoryStore().handled,
  addWithin,
  ...changes,
})

/** A store that reports this about its transaction, at once or later, and has the record from then on. */
function saying(isNew: () => boolean | Promise<boolean>): Handled {
  let isAsked = false
  const addWithin = (): boolean | Promise<boolean> => {
    isAsked = true
    return isNew()
  }
  return answering(addWithin, { has: async () => isAsked })
}

const needsOne = new Error('it needs a transaction')
const refusing = (): never => {
  throw needsOne
}
const later = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(true), 5))

const asks = (complete: Complete): void => void complete()
const keepsQuiet = (complete: Complete): void => {
  try {
    void complete()
  } catch {}
}
const throws = (): never => {
  throw new Error('broken')
}
const asksAndThrows = (complete: Complete): never => {
  void complete()
  return throws()
}
const waitsAndThrows = (calls: number) => async (complete: Complete) => {
  for (let call = 0; call < calls; call++) await complete()
  throws()
}

test.each<[string, Handled, (complete: Complete) => void | Promise<void>, RegExp, boolean]>([
  ['is not needed', memoryStore().handled, () => {}, /^handled$/, true],
  ['is not called before a failure', memoryStore().handled, throws, /^Error: broken$/, false],
  [
    'has no transactions',
    memoryStore().handled,
    asks,
    /^InvalidInputError: complete: this store has no/,
    false,
  ],
  ['is committed', transactional(true), asks, /^handled$/, true],
  ['is not committed', transactional(false), asks, /not committed/, false],
  ['is refused at once', answering(refusing), asks, /^Error: it needs a transaction$/, false],
  [
    'is refused later',
    answering(() => Promise.reject(needsOne)),
    asks,
    /^Error: it needs a transaction$/,
    false,
  ],
  ['is refused, which onOrder keeps to itself', answering(refusing), keepsQuiet, /not committed/, false],
  [
    'is committed before a failure',
    transactional(true),
    waitsAndThrows(1),
    /^FailedAfterCommit: .*broken$/,
    true,
  ],
  ['is committed twice', transactional(true), waitsAndThrows(2), /^FailedAfterCommit: .*broken$/, true],
  ['is not waited for', saying(() => true), asksAndThrows, /^FailedAfterCommit: .*broken$/, true],
  [
    'is not waited for, and says so later',
    saying(later),
    asksAndThrows,
    /^FailedAfterCommit: .*broken$/,
    true,
  ],
  ['is not committed before a failure', transactional(false), waitsAndThrows(1), /^Error: broken$/, false],
  ['was committed by another call', saying(() => false), waitsAndThrows(1), /^Error: broken$/, true],
])('the outcome is correct where complete() %s', async (_, handled, onOrder, outcome, isMarked) => {
  const store = { ...memoryStore(), handled }
  const { deliver } = delivering({
    store,
    onOrder: ({ complete }) => onOrder(complete),
    onOrderTimeout: 1_000,
  })
  const delivered = deliver({ order_id: 'o' }).then(() => 'handled', String)
  await pass(10)
  expect(await delivered).toMatch(outcome)
  expect(await handled.has('o', 'order_complete')).toBe(isMarked)
})

test.each<[string, number, string]>([
  ['answers in time', 5, 'FailedAfterCommit'],
  ['does not answer', 6, 'Error'],
])(
  'a failure after complete() is not lost while the store is unavailable, if it %s',
  async (_, failures, name) => {
    const handled = transactional(true)
    const has = vi.spyOn(handled, 'has').mockResolvedValueOnce(false)
    for (let one = 0; one < failures; one++) has.mockRejectedValueOnce(new Error('the store is gone'))
    const onOrder = vi.fn<OnOrder>(({ complete }) => waitsAndThrows(1)(complete))
    const { deliver } = delivering({ store: { ...memoryStore(), handled }, onOrder, onOrderTimeout: 30_000 })
    const delivered = deliver({ order_id: 'o' }).catch((error: unknown) => error)
    await pass(10_000)
    expect(await delivered).toMatchObject({ name, message: expect.stringMatching(/broken$/) })
    await deliver({ order_id: 'o' })
    expect(onOrder).toHaveBeenCalledOnce()
  },
)

test('a failure after complete() is not lost while the store does not answer, after the deadline of onOrder too', async () => {
  const handled = transactional(true)
  const has = vi.spyOn(handled, 'has').mockResolvedValueOnce(false)
  for (const _ of [1, 2, 3]) has.mockReturnValueOnce(new Promise(() => {}))
  const onOrder = vi.fn<OnOrder>(({ complete }) => waitsAndThrows(1)(complete))
  const { deliver } = delivering({ store: { ...memoryStore(), handled }, onOrder, onOrderTimeout: 1_000 })
  const delivered = deliver({ order_id: 'o' }).catch((error: unknown) => error)
  await pass(12_000)
  expect(await delivered).toMatchObject({ name: 'FailedAfterCommit' })
})

test.each([
  ['after its commit', true, [expect.objectContaining({ name: 'FailedAfterCommit' })]],
  ['and has not committed', false, []],
])('an onOrder that fails after its deadline %s is reported as such', async (_, isCommitted, expected) => {
  const { deliver, lateFailures } = delivering({
    store: { ...memoryStore(), handled: transactional(isCommitted) },
    async onOrder({ complete }) {
      await pause(200)
      await waitsAndThrows(1)(complete)
    },
  })
  const delivered = deliver({ order_id: 'o' }).catch(String)
  await pass(100)
  expect([await delivered, lateFailures]).toEqual([lateOnOrder, []])
  await pass(100)
  expect(lateFailures).toEqual(expected)
})

test('complete() after onOrder has resolved is refused, since the order counts as handled', async () => {
  let outcome: unknown
  const { deliver } = delivering({
    store: { ...memoryStore(), handled: transactional(true) },
    onOrder({ complete }) {
      // Without `return` or `await`, as by mistake.
      pause(10)
        .then(() => complete())
        .catch((error) => {
          outcome = error
        })
    },
  })
  await deliver({ order_id: 'o' })
  await pass(10)
  expect(String(outcome)).toMatch(/^InvalidInputError: complete: onOrder has already resolved/)
})

const givesUp = async (complete: Complete): Promise<void> => {
  await Promise.race([complete(), pause(50).then(throws)])
}

test.each<[string, (complete: Complete) => void | Promise<void>, RegExp]>([
  ['onOrder gives up', givesUp, /^Error: broken$/],
  ['onOrder does not wait for it', asks, /^Error: complete\(\) did not answer in 5000 ms\.$/],
])('an order is tried again where complete() never settles, and %s', async (_, onOrder, failure) => {
  let isSilent = true
  const { handled } = memoryStore()
  const addWithin = (_: unknown, one: IdempotencyRecord): Promise<boolean> =>
    isSilent ? never() : handled.add(one)
  const { deliver } = delivering({
    store: { ...memoryStore(), handled: { ...handled, addWithin } },
    onOrder: ({ complete }) => onOrder(complete),
  })
  const first = deliver({ order_id: 'o' }).catch(String)
  // The next attempt waits for the lock.
  const second = deliver({ order_id: 'o' }).then(() => 'handled', String)
  await pass(4_999)
  isSilent = false
  await pass(200)
  expect(await first).toMatch(failure)
  expect(await second).toBe('handled')
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['before the next call of onOrder', 5_060, 1],
  ['during it', 6_160, 2],
  ['after it', 7_000, 2],
])('an order is delivered once where complete() commits late, %s', async (_, ms, calls) => {
  const answers = [ms, 6_180]
  const delivered: number[] = []
  const { handled } = memoryStore()
  const addWithin = async (call: unknown, one: IdempotencyRecord): Promise<boolean> => {
    await pause((answers[Number(call) - 1] ?? 0) - (Date.now() - startedAt))
    return handled.add(one)
  }
  const onOrder = vi.fn<OnOrder>(async ({ complete }) => {
    const call = onOrder.mock.calls.length
    const transaction = Promise.resolve(complete(call)).then((isNew) => void (isNew && delivered.push(call)))
    await Promise.race([transaction, pause(50).then(throws)])
  })
  const { deliver } = delivering({ store: { ...memoryStore(), handled: { ...handled, addWithin } }, onOrder })
  const startedAt = Date.now()
  const first = deliver({ order_id: 'o' }).catch(String)
  await pass(6_000)
  expect(await first).toBe('Error: broken')
  await pass(150)
  const second = deliver({ order_id: 'o' }).then(() => 'handled', String)
  await pass(2_000)
  expect(await second).toBe('handled')
  expect([onOrder.mock.calls.length, delivered.length]).toEqual([calls, 1])
})

test('complete() uses the given transaction, and returns whether the state is new', async () => {
  const store = memoryStore()
  const add = vi.spyOn(store.handled, 'add')
  const answers = [true, false]
  const addWithin = vi.fn(async (_: unknown, record: IdempotencyRecord) => {
    await store.handled.add(record)
    return answers.shift() ?? false
  })
  const results: unknown[] = []
  const { deliver } = delivering({
    store: { ...store, handled: { ...store.handled, addWithin } },
    async onOrder({ complete }) {
      for (const _ of [1, 2]) results.push(await complete('a transaction'))
    },
  })
  await deliver({ order_id: 'o' })
  expect(results).toEqual([true, false])
  const record = { orderId: 'o', type: 'order_complete', purchaseId: unchecked.id }
  expect(addWithin.mock.calls).toEqual(Array(2).fill(['a transaction', record]))
  expect(add).toHaveBeenCalledTimes(2)
})
