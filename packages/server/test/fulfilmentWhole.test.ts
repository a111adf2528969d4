/** The parts of fulfilment together: what leads to `onOrder`, and what becomes of what cannot be handled. */
import { describe, expect, test, vi } from 'vitest'
import { keysFrom } from '../src/client/deriveKey.ts'
import { keyOf } from '../src/fulfilment/hint.ts'
import { webhookKeyOf } from '../src/fulfilment/webhookKey.ts'
import { STRANGER_JOBS } from '../src/stores/store.ts'
import { fulfilling, orderOf, takes } from './support/fulfilling.ts'

const HOUR = 3_600_000

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const gone = (): Promise<never> => Promise.reject(new Error('the store is gone'))

describe('a hint', () => {
  test.each([
    ['an order', { order_id: 'o' }],
    ['a customer', { custom_id: 'ada' }],
  ])('of %s leads to onOrder, once for each state, whoever gives it', async (_, hint) => {
    const { heard, fulfilment } = fulfilling([orderOf('o')])
    for (const lane of ['trusted', 'stranger', 'trusted', 'stranger'] as const) {
      expect(await fulfilment.look(hint, lane)).toBe(true)
      await advance(HOUR)
    }
    expect(heard()).toEqual(['o order_complete'])
  })

  test.each(['trusted', 'stranger'] as const)('is looked at in its own lane, %s', async (lane) => {
    const { claim, fulfilment } = fulfilling([])
    fulfilment.start()
    await advance(0)
    claim.mockClear()
    await fulfilment.look({ order_id: 'o' }, lane)
    await advance(0)
    expect(new Set(claim.mock.calls.map(([claimed]) => claimed))).toEqual(new Set([lane]))
  })

  test('of a stranger’s is refused when there are too many', async () => {
    const { store, fulfilment } = fulfilling([])
    for (let index = 0; index < STRANGER_JOBS; index++)
      await store.jobs.add(keyOf({ order_id: `forged-${index}` }), 'stranger')
    expect(await fulfilment.look({ order_id: 'o' }, 'stranger')).toBe(false)
  })

  test('is refused when the store is gone, and of a poll that is told', async () => {
    const { errors, add, fulfilment } = fulfilling([orderOf('o')])
    add.mockImplementation(gone)
    await expect(fulfilment.look({ order_id: 'o' }, 'trusted')).rejects.toThrow('gone')
    await expect(fulfilment.addJobs([orderOf('o')])).rejects.toThrow('gone')
    expect(errors).toEqual([])
    await fulfilment.notice([orderOf('o')])
    expect(errors).toEqual(['Error: the store is gone'])
  })
})

describe('orders of a list', () => {
  test('lead to onOrder where the state is not handled, and is not being handled', async () => {
    const { store, onOrder, heard, add, fulfilment } = fulfilling([
      orderOf('done'),
      orderOf('new'),
      orderOf('stuck'),
    ])
    await store.handled.add({ orderId: 'done', type: 'order_complete', purchaseId: null })
    const has = vi.spyOn(store.handled, 'has')
    onOrder.mockImplementation(({ order }) => {
      if (order.id === 'stuck') throw new Error('broken')
    })
    await fulfilment.notice([
      { raw: {} },
      { id: 'untyped', raw: {} },
      ...['done', 'new', 'stuck'].map((id) => orderOf(id)),
      orderOf('done', 'order_failed'),
    ])
    await advance(0)
    expect(heard()).toEqual(['new order_complete', 'stuck order_complete'])
    expect(add.mock.calls).toEqual(
      [
        { order_id: 'untyped' },
        { order_id: 'new', type: 'order_complete' } as const,
        { order_id: 'stuck', type: 'order_complete' } as const,
        { order_id: 'done' },
      ].map((hint) => [keyOf(hint), 'trusted']),
    )
    expect(has.mock.calls.map(([id]) => id)).not.toContain('untyped')
    add.mockClear()
    await fulfilment.notice(['new', 'stuck'].map((id) => orderOf(id)))
    expect(add).not.toHaveBeenCalled()
    await fulfilment.notice([orderOf('stuck', 'order_failed')])
    expect(add).toHaveBeenCalledOnce()
  })

  test('are looked at in the lane of those whom we trust alone', async () => {
    const { claim, fulfilment } = fulfilling([])
    fulfilment.start()
    await advance(0)
    claim.mockClear()
    await fulfilment.notice([])
    await advance(0)
    expect(claim.mock.calls.map(([lane]) => lane)).toEqual(['trusted'])
  })
})

test('onOrder has thirty seconds where nothing else is said', async () => {
  const { errors, onOrder, fulfilment } = fulfilling([orderOf('o')])
  onOrder.mockImplementation(takes(HOUR))
  await fulfilment.look({ order_id: 'o' }, 'trusted')
  await advance(29_999)
  expect(errors).toEqual([])
  await advance(1)
  expect(errors).toEqual([expect.stringMatching(/^TimeoutError: onOrder: did not settle within 30000 ms/)])
})

test('onOrder has the time that is said', async () => {
  const { errors, onOrder, fulfilment } = fulfilling([orderOf('o')], { onOrderTimeout: 500 })
  onOrder.mockImplementation(takes(HOUR))
  await fulfilment.look({ order_id: 'o' }, 'trusted')
  await advance(500)
  expect(errors).toHaveLength(1)
})

test('dead letters are listed, a hundred where nothing else is said, and are handled when they are redriven', async () => {
  const { store, heard, fulfilment } = fulfilling([orderOf('o1'), orderOf('o2')])
  for (const order_id of ['o1', 'o2', ...Array.from({ length: 99 }, (_, index) => `never-${index}`)]) {
    await store.jobs.add(keyOf({ order_id }), 'trusted')
    const [job] = await store.jobs.claim('trusted', 1, HOUR)
    if (job) await store.jobs.bury(job, 'broken')
  }
  expect((await fulfilment.deadLetters.list()).length).toBe(100)
  expect((await fulfilment.deadLetters.list(2)).length).toBe(2)
  expect(await fulfilment.deadLetters.redrive(keyOf({ order_id: 'o1' }))).toBe(1)
  await fulfilment.idle()
  expect(heard()).toEqual(['o1 order_complete'])
  expect(await fulfilment.deadLetters.redrive()).toBe(100)
  await fulfilment.idle()
  expect(heard()).toEqual(['o1 order_complete', 'o2 order_complete'])
})

test('the key of webhooks is 32 url-safe characters, the same for the same secret and another for another', async () => {
  const keyFor = (secret: string): Promise<string> => webhookKeyOf({ deriveKey: keysFrom(secret) })
  const key = await keyFor('secret')
  expect(key).toMatch(/^[\w-]{32}$/)
  expect(await keyFor('secret')).toBe(key)
  expect(await keyFor('another')).not.toBe(key)
})
