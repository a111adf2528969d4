// Promise: fulfilment/reconcile
/** Missed orders: whose are read, at which rate, how far back, and by which of several instances. */
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { createReconciler, type ReconcileOptions, type Reconciler } from '../../src/fulfilment/reconcile.ts'
import { memoryStore, type OrderRecord, type Store, type Subscription } from '../../src/index.ts'
import type { Purchase } from '../../src/purchase/purchase.ts'
import { currentReader } from '../../src/reads/turns.ts'
import { fakeTimers, hasEnded } from '../support/fakeTimers.ts'
import { purchaseOf } from '../support/purchases.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

/** How long the service takes to answer. */
const READ_MS = 200

const orderOf = (customId: string): OrderRecord => ({ id: `of ${customId}`, raw: {} })

/** A service with these subscriptions. */
const listing = (list: ReconcileOptions['client']['subscriptions']['list']): ReconcileOptions['client'] => ({
  subscriptions: { list, retrieve: () => Promise.reject(new Error('not asked')) },
})

/** What is read and added, and the time span of the purchases. */
function reconciling(options: (store: Store) => Partial<ReconcileOptions> = () => ({})) {
  const awake = fakeTimers()
  const store = memoryStore()
  const closing = new AbortController()
  const read: string[] = []
  const priorities = new Set<string>()
  const noticed: string[] = []
  const errors: unknown[] = []
  const unsettled = vi.spyOn(store.purchases, 'unsettled')
  const given = options(store)
  const instance = (): Reconciler =>
    createReconciler({
      store,
      async readOrdersOf(customId) {
        read.push(customId)
        priorities.add(currentReader().priority)
        await new Promise((resolve) => setTimeout(resolve, READ_MS))
        return [orderOf(customId)]
      },
      addJobs: async (orders) => void noticed.push(...orders.map(({ id }) => id ?? '')),
      client: listing(async () => []),
      onError: (error) => errors.push(error),
      now: Date.now,
      signal: closing.signal,
      ...given,
    })
  /** Of these shoppers, created a minute ago. */
  async function begin(...changes: Partial<Purchase>[]): Promise<void> {
    for (const one of changes) {
      const begunAt = one.begunAt ?? Date.now() - MINUTE
      await store.purchases.begin(purchaseOf({ begunAt, validUntil: begunAt + 2 * DAY, ...one }))
    }
  }
  /** How far back each run went. */
  const spans = (): number[] => unsettled.mock.calls.map(([{ from, to }]) => to - from)
  return {
    ...{ awake, store, closing, read, priorities, noticed, errors, unsettled, spans },
    begin,
    instance,
  }
}

const shopper = (customId: string): Partial<Purchase> => ({ shopper: { customId } })
const shoppers = (count: number): Partial<Purchase>[] =>
  Array.from({ length: count }, (_, index) => shopper(`${index}`))

describe('a whole reconciliation', () => {
  test('reads the orders of each shopper once, by the id that their orders carry', async () => {
    const { read, priorities, noticed, begin, instance } = reconciling()
    const byPurchase = { shopper: { userId: 'u' }, id: 'the-purchase', carrier: 'custom_id' } as const
    await begin(shopper('ada'), shopper('ada'), byPurchase, shopper('bob'))
    expect(await hasEnded(instance().all(), MINUTE)).toBe(true)
    expect(read.sort()).toEqual(['ada', 'bob', 'purchase_the-purchase'])
    expect(noticed.sort()).toEqual(['of ada', 'of bob', 'of purchase_the-purchase'])
    expect([...priorities]).toEqual(['background'])
  })

  test('covers every purchase the first time, then those that could be paid since the last one', async () => {
    const { spans, instance } = reconciling()
    const { all } = instance()
    await all()
    await advance(20 * HOUR)
    await all()
    await advance(HOUR)
    await all()
    expect(spans().slice(1)).toEqual([45 * HOUR, 26 * HOUR])
    expect(spans()[0]).toBeGreaterThan(100 * DAY)
  })

  test('covers every purchase again once a day, with the first run that reads all of them', async () => {
    const readOrdersOf = vi.fn(async () => []).mockRejectedValueOnce(new Error('the service is gone'))
    const { spans, begin, instance } = reconciling(() => ({ readOrdersOf }))
    await begin(shopper('ada'))
    const instances = [instance(), instance()]
    const ofAllAges: number[] = []
    for (let hour = 0; hour <= 50; hour++) {
      const before = spans().length
      for (const { all } of instances) await all()
      for (const span of spans().slice(before)) if (span > 100 * DAY) ofAllAges.push(hour)
      await advance(HOUR)
    }
    expect(ofAllAges).toEqual([0, 0, 24, 48])
  })

  test('has swept, and counts for those that could be paid since the last one, if it is stopped while it reads older purchases', async () => {
    const { store, closing, read, begin, instance } = reconciling(() => ({
      async readOrdersOf(customId) {
        read.push(customId)
        if (customId === 'old') closing.abort()
        return []
      },
    }))
    await store.set('reconcile:whole', String(Date.now() - HOUR), null)
    await begin(shopper('new'), { ...shopper('old'), begunAt: Date.now() - 2 * DAY })
    const begunAt = Date.now()
    const sweep = vi.spyOn(store, 'sweep')
    await instance().all()
    expect(read).toEqual(['new', 'old'])
    expect(sweep).toHaveBeenCalledTimes(1)
    expect((await store.get('reconcile:whole'))?.value).toBe(String(begunAt))
    expect(await store.get('reconcile:day')).toBeNull()
  })

  // Promise: fulfilment/missed
  test('finds an order within a day, as long as the store keeps its purchase, however late it is paid', async () => {
    let paid: string[] = []
    const { store, noticed, begin, instance } = reconciling(() => ({
      readOrdersOf: async (customId) => (paid.includes(customId) ? [orderOf(customId)] : []),
    }))
    const { all } = instance()
    await begin({ ...shopper('late'), id: 'late' }, { ...shopper('slow'), id: 'slow' })
    await store.purchases.record('slow', {
      id: 'o',
      type: 'payment_started',
      state: 'matched',
      summary: '{}',
    })
    const hours = async (count: number): Promise<void> => {
      for (let hour = 0; hour < count; hour++) {
        await all()
        await advance(HOUR)
      }
    }
    await hours(30)
    expect(noticed).toEqual([])
    paid = ['late']
    await hours(24)
    expect(new Set(noticed)).toEqual(new Set(['of late']))
    await hours(3 * 24)
    paid = ['slow']
    await hours(24)
    expect(noticed).toContain('of slow')
  })

  test('reads the newest first, but before them purchases with a pending order', async () => {
    const { store, read, begin, instance } = reconciling()
    const begunAt = Date.now() - HOUR
    const orders = { id: 'o', state: 'matched', summary: '{}' } as const
    await begin(
      { ...shopper('paying'), id: 'paying', begunAt },
      { ...shopper('declined'), id: 'declined', begunAt: begunAt + 1 },
      ...shoppers(150).map((one, index) => ({ ...one, begunAt: begunAt + 2 + index })),
    )
    await begin({ ...shopper('newest'), begunAt: begunAt + HOUR - 1 })
    await begin(
      ...shoppers(50).map((_, index) => ({ ...shopper(`older ${index}`), begunAt: begunAt - HOUR })),
    )
    await store.purchases.record('paying', { ...orders, type: 'payment_started' })
    await store.purchases.record('declined', { ...orders, type: 'order_failed' })
    expect(await hasEnded(instance().all(), MINUTE)).toBe(true)
    expect(read.slice(0, 2)).toEqual(['newest', '149'])
    // First in its page.
    expect(read.slice(99, 102)).toEqual(['51', 'paying', '50'])
    expect(read.indexOf('declined')).toBe(153 - 1)
  })

  test.each<[number, number]>([
    [99, 1],
    [100, 2],
    [250, 3],
  ])('reads %s shoppers in pages of a hundred: %s', async (count, pages) => {
    const { read, unsettled, begin, instance } = reconciling()
    await begin(...shoppers(count))
    expect(await hasEnded(instance().all(), MINUTE)).toBe(true)
    expect(new Set(read).size).toBe(count)
    expect(read).toHaveLength(count)
    const spans = unsettled.mock.calls.map(([span]) => span)
    expect(spans.map(({ limit, from }) => [limit, from])).toEqual(Array(pages).fill([100, spans[0]?.from]))
    expect('after' in (spans[0] ?? {})).toBe(false)
    expect(new Set(spans.map(({ to }) => to)).size).toBe(1)
  })

  test('continues with the next shopper when one cannot be read or recorded, and reports it', async () => {
    const { noticed, errors, begin, instance } = reconciling(() => ({
      async readOrdersOf(id) {
        if (id === 'ada') throw new Error('the service is gone')
        return [orderOf(id)]
      },
    }))
    await begin(shopper('ada'), shopper('bob'))
    expect(await hasEnded(instance().all(), MINUTE)).toBe(true)
    expect([noticed, errors]).toEqual([['of bob'], [new Error('the service is gone')]])
  })

  test('stops when it is aborted, and adds no job for what it has just read', async () => {
    let answer = (): void => {}
    const reading = reconciling(() => ({
      readOrdersOf: (id) => new Promise((resolve) => (answer = () => resolve([orderOf(id)]))),
    }))
    await reading.begin(...shoppers(3))
    const held = reading.instance().all()
    await advance(0)
    reading.closing.abort()
    answer()
    expect(await hasEnded(held, 0)).toBe(true)
    expect([reading.noticed, reading.unsettled.mock.calls.length]).toEqual([[], 1])
  })

  test('runs after the previous one, even if that failed', async () => {
    const { unsettled, read, begin, instance } = reconciling()
    await begin(shopper('ada'))
    const { all } = instance()
    unsettled.mockRejectedValueOnce(new Error('the store is gone'))
    const failed = expect(all()).rejects.toThrow('the store is gone')
    const [second, third] = [all(), all()]
    await failed
    expect(await hasEnded(second, 199)).toBe(false)
    expect(read).toEqual(['ada'])
    expect(await hasEnded(second, 1)).toBe(true)
    expect(await hasEnded(third, 200)).toBe(true)
    expect(read).toEqual(['ada', 'ada'])
  })
})

describe('a scheduled reconciliation', () => {
  const noted = async ({ get }: Store, key: 'hour' | 'whole'): Promise<unknown> =>
    (await get(`reconcile:${key}`))?.value

  test('covers everything the first time and again after an hour, else an hour, and is recorded', async () => {
    const { store, spans, begin, instance } = reconciling()
    await begin(...shoppers(5))
    const { whenDue } = instance()
    const begunAt = String(Date.now())
    expect(await hasEnded(whenDue(), 999)).toBe(false)
    expect(await noted(store, 'hour')).toBeUndefined()
    await advance(1)
    // Its start time, not its end.
    expect([await noted(store, 'hour'), await noted(store, 'whole')]).toEqual([begunAt, begunAt])
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      await advance(5 * MINUTE - 1_000)
      await hasEnded(whenDue(), 1_000)
    }
    expect(spans().slice(1)).toEqual([...Array(11).fill(HOUR), 26 * HOUR, HOUR])
  })

  // Promise: fulfilment/missed
  test('a payment in the last minute of a purchase is found an hour later, and after any outage', async () => {
    const { read, begin, instance } = reconciling()
    const { whenDue } = instance()
    for (const [customId, minutes] of [
      ['paid at the end', 60],
      ['paid before an outage', 2 * 24 * 60],
    ] as const) {
      await begin({ ...shopper(customId), begunAt: Date.now() - DAY + MINUTE })
      expect(await hasEnded(whenDue(), MINUTE)).toBe(true)
      read.length = 0
      await advance(minutes * MINUTE)
      expect(await hasEnded(whenDue(), MINUTE)).toBe(true)
      expect(read).toContain(customId)
    }
  })

  test('a clock that was set back delays no whole run', async () => {
    const { store, spans, instance } = reconciling()
    await store.set('reconcile:whole', String(Date.now() + HOUR), null)
    await store.set('reconcile:day', '', DAY)
    await instance().whenDue()
    expect(spans()[0]).toBeGreaterThan(100 * DAY)
  })

  test('a whole run that could not read a purchase is tried again in an hour, and reaches back as far', async () => {
    const failing = new Set(['ada'])
    const { errors, read, spans, begin, instance } = reconciling(() => ({
      async readOrdersOf(id) {
        if (failing.has(id)) throw new Error('the service is gone')
        read.push(id)
        return []
      },
    }))
    const { whenDue } = instance()
    await whenDue()
    await begin({ ...shopper('ada'), begunAt: Date.now() - 24 * HOUR }, shopper('bob'))
    const runs = async (hours: number): Promise<void> => {
      for (let minutes = 0; minutes < hours * 60; minutes += 5) {
        await advance(5 * MINUTE)
        await whenDue()
      }
    }
    await runs(3)
    // It pauses for an hour, although nothing was complete meanwhile.
    const whole = (): number[] => spans().filter((span) => span > HOUR)
    expect(whole().slice(1)).toEqual([26 * HOUR, 27 * HOUR, 28 * HOUR])
    expect(errors).toHaveLength(3)
    expect(new Set(read)).toEqual(new Set(['bob']))
    failing.clear()
    await runs(2)
    expect(read).toContain('ada')
    expect(whole().slice(-2)).toEqual([29 * HOUR, 26 * HOUR])
  })

  test('a purchase that can never be read holds a run back only as long as the store keeps it', async () => {
    const { spans, begin, instance } = reconciling(() => ({
      readOrdersOf: () => Promise.reject(new Error('the service is gone')),
    }))
    const { all } = instance()
    await all()
    await begin(shopper('ada'))
    await advance(HOUR)
    await all()
    await advance(5 * DAY)
    await all()
    await advance(HOUR)
    await all()
    // After five days it is also the run of the day.
    const span = 5 * DAY + 26 * HOUR
    expect(spans().slice(1)).toEqual([26 * HOUR, span, Date.now() - HOUR - span, 26 * HOUR])
  })

  test('a scheduled run is not due when this instance has just reconciled', async () => {
    const { spans, instance } = reconciling()
    const { whenDue } = instance()
    for (const [ms, runs] of [
      [0, 1],
      [0, 1],
      [239_999, 1],
      [1, 2],
    ] as const) {
      await advance(ms)
      await whenDue()
      expect(spans()).toHaveLength(runs)
    }
  })

  test.each<[string, number, number, boolean]>([
    ['before this one was started', -1, 5 * MINUTE, true],
    ['as this one was started', 0, 5 * MINUTE, false],
    ['later than that', 1, 5 * MINUTE, false],
    ['later than that, four minutes ago', 1, 1, true],
  ])('another instance decides whether it is due after a run %s', async (_, after, ttlMs, isDue) => {
    const { store, spans, instance } = reconciling()
    await store.set('reconcile:hour', String(Date.now() + after), ttlMs)
    const { whenDue } = instance()
    await advance(1)
    await whenDue()
    expect(spans()).toHaveLength(isDue ? 1 : 0)
  })

  test('runs after the previous one, and is then no longer due', async () => {
    const { read, begin, instance } = reconciling()
    await begin(shopper('ada'))
    const { whenDue } = instance()
    const both = Promise.all([whenDue(), whenDue()])
    expect(await hasEnded(both, READ_MS)).toBe(true)
    expect(read).toEqual(['ada'])
  })

  test('a run that was stopped early is not recorded', async () => {
    const { closing, store, begin, instance } = reconciling()
    await begin(shopper('ada'))
    const due = instance().whenDue()
    await advance(0)
    closing.abort()
    expect(await hasEnded(due, READ_MS)).toBe(true)
    expect([await noted(store, 'hour'), await noted(store, 'whole')]).toEqual([undefined, undefined])
  })
})

describe('the check of due subscriptions', () => {
  /** One order pays the purchase, whose check is then due. */
  async function pay(
    purchases: Store['purchases'],
    { id: purchaseId, params }: Pick<Purchase, 'id' | 'params'>,
    checkAt: number,
  ): Promise<void> {
    const order = {
      id: `order of ${purchaseId}`,
      type: 'order_complete',
      state: 'matched',
      summary: '{}',
    } as const
    await purchases.claim(purchaseId, order.id, { productId: params.product_id, checkAt })
    await purchases.record(purchaseId, order)
  }

  /** As many purchases that began a subscription, due at once, of this product or each of its own. */
  async function subscribing(count: number, options: Partial<ReconcileOptions> = {}, product?: string) {
    const read: string[] = []
    const readOrdersOf = async (customId: string): Promise<OrderRecord[]> => {
      read.push(customId)
      return [orderOf(customId)]
    }
    const one = reconciling(() => ({ readOrdersOf, ...options }))
    const { purchases } = one.store
    const now = Date.now()
    for (let index = 0; index < count; index++) {
      const purchase = purchaseOf({
        params: { product_id: product ?? `${index}` },
        begunAt: now,
        validUntil: now + DAY,
      })
      await purchases.begin(purchase)
      await pay(purchases, purchase, now + index)
    }
    const due = vi.spyOn(purchases, 'subscriptionsDue')
    const checked = vi.spyOn(purchases, 'checkSubscriptionAt')
    await advance(count)
    return { ...one, read, due, checked }
  }

  test('covers three hundred in a scheduled run and all of them otherwise, a hundred at a time', async () => {
    const { due, checked, instance } = await subscribing(450)
    const { all, whenDue } = instance()
    await whenDue()
    expect(checked).toHaveBeenCalledTimes(300)
    await all()
    expect(checked).toHaveBeenCalledTimes(450)
    // The second run looks again after the unsettled purchases.
    expect(due.mock.calls.map(([, limit]) => limit)).toEqual(Array(6).fill(100))
  })

  test.each([
    ['whenDue', 0],
    ['all', 50],
  ] as const)(
    'precedes the unsettled purchases for three hundred, which a deployment may keep from being read: %s',
    async (method, more) => {
      const { read, begin, instance } = await subscribing(350)
      await begin(shopper('bob'))
      await instance()[method]()
      expect(read).toEqual([...Array(300).fill('ada'), 'bob', ...Array(more).fill('ada')])
    },
  )

  test('reads the orders of each settled purchase, also of one that began no subscription', async () => {
    const list = vi.fn(async () => [])
    const { store, read, noticed, begin, checked, instance } = await subscribing(1, { client: listing(list) })
    const late = { id: 'late'.padEnd(22, 'x'), shopper: { customId: 'bob' } }
    await begin(late)
    await store.purchases.claim(late.id, 'late order', { checkAt: Date.now() })
    const { all } = instance()
    await all()
    expect([read, noticed]).toEqual([
      ['ada', 'bob'],
      ['of ada', 'of bob'],
    ])
    expect(checked.mock.calls.map(([, at]) => at)).toEqual([null, null])
    // Twice for Ada, and never for Bob: their order did not match.
    expect(list).toHaveBeenCalledTimes(2)
    await advance(DAY)
    await all()
    expect(read).toHaveLength(2)
  })

  test('is repeated within a day while the dates show a charge that no paid order accounts for, then at the next date', async () => {
    const charged = (): Subscription => ({
      ...{ product_id: '0', custom_id: 'ada', interval_time: 'monthly', raw: {} },
      start_date: new Date(begun),
      last_paid_date: new Date(begun + 28 * DAY),
      next_paid_date: new Date(begun + 56 * DAY),
    })
    const { store, checked, instance } = await subscribing(1, { client: listing(async () => [charged()]) })
    const begun = Date.now() - 1
    const [row] = await store.purchases.ofShopper('ada')
    const id = row?.purchase.id ?? ''
    const renewal = { id: 'renewal', type: 'order_complete', state: 'renewal', summary: '{}' } as const
    await store.purchases.record(id, { ...renewal, id: 'declined', type: 'order_failed' })
    await advance(28 * DAY)
    await instance().all()
    expect(checked.mock.lastCall?.[1]).toBe(Date.now() + DAY)
    await store.purchases.record(id, renewal)
    await advance(DAY)
    await instance().all()
    expect(checked.mock.lastCall?.[1]).toBe(begun + 56 * DAY + 2 * HOUR)
  })

  test.each([
    ['is reported once no renewal accounts for it', 28, 1],
    ['is not looked for before there is one', 1, 0],
  ])('a charge whose order differs from the purchase %s', async (_, days, reports) => {
    const begun = Date.now()
    const charged = (): Subscription => ({
      ...{ product_id: '0', custom_id: 'ada', interval_time: 'monthly', raw: {} },
      start_date: new Date(begun),
      last_paid_date: new Date(begun + (days === 28 ? 28 * DAY : 0)),
      next_paid_date: new Date(begun + (days === 28 ? 56 : 28) * DAY),
    })
    const addJobs = vi.fn(async () => {})
    const dearer = { ...orderOf('ada'), id: 'dearer', product_id: '0' }
    const readOrdersOf = async (): Promise<OrderRecord[]> => [dearer, { ...dearer, product_id: 'other' }]
    const options = { client: listing(async () => [charged()]), addJobs, readOrdersOf }
    const { instance } = await subscribing(1, options)
    await advance(days * DAY)
    await instance().all()
    const named = addJobs.mock.calls.filter(([, isNamed]: unknown[]) => isNamed)
    expect(named).toEqual(Array(reports).fill([[dearer], true]))
  })

  test('leaves the date of a renewal that arrives meanwhile', async () => {
    const next = Date.now() + 28 * DAY
    const list = async (): Promise<Subscription[]> => {
      const [row] = await store.purchases.ofShopper('ada')
      await store.purchases.renew(row?.purchase.id ?? '', 'renewal', 1, next)
      return []
    }
    const { store, instance } = await subscribing(1, { client: listing(list) })
    await instance().all()
    expect(await store.purchases.ofShopper('ada')).toMatchObject([{ checkAt: next }])
  })

  test('reports a subscription that cannot be read, checks it again after a quarter of an hour, and continues', async () => {
    const list = vi.fn(async () => [])
    list.mockRejectedValueOnce(new Error('the service is gone'))
    const { errors, checked, instance } = await subscribing(2, { client: listing(list) })
    await instance().all()
    expect(errors).toEqual([new Error('the service is gone')])
    expect(checked.mock.calls.map(([, at]) => at)).toEqual([Date.now() + 15 * MINUTE, null])
  })

  test('takes the answer of another server than the service’s for a failed read, and continues', async () => {
    const gateway = new ApiError('subscriptions.list', 'no', { status: 404, refusedBy: 'other' })
    const list = vi.fn(async () => [])
    list.mockRejectedValueOnce(gateway)
    const { errors, checked, instance } = await subscribing(2, { client: listing(list) }, 'club')
    await instance().all()
    expect(errors).toEqual([gateway])
    // The second was read by the shopper and by the product, although it is of the same product.
    expect(list).toHaveBeenCalledTimes(3)
    expect(checked.mock.calls.map(([, at]) => at)).toEqual([Date.now() + 15 * MINUTE, null])
  })

  describe('that the service refuses', () => {
    const refusal = new ApiError('subscriptions.list', 'unknown', { status: 404, refusedBy: 'service' })
    const refusing = () => vi.fn(async (): Promise<Subscription[]> => Promise.reject(refusal))
    const shown = (product_id: string): Subscription => {
      const [start_date, last_paid_date] = [new Date(), new Date()]
      return { product_id, custom_id: 'ada', interval_time: 'monthly', start_date, last_paid_date, raw: {} }
    }
    const days = (checked: {
      mock: { calls: [string, number | null, number | null][] }
    }): (number | null)[] => checked.mock.calls.map(([, at]) => at && (at - Date.now()) / DAY)

    test('is repeated a day later, and is the last one if the service refuses it again', async () => {
      const list = refusing()
      const { checked, errors, instance } = await subscribing(3, { client: listing(list) }, 'club')
      const { all } = instance()
      await advance(HOUR)
      await all()
      // By the shopper and by the product, once for all three.
      expect([days(checked), list.mock.calls.length]).toEqual([[1, 1, 1], 2])
      checked.mockClear()
      await advance(DAY)
      await all()
      // Once more for each: nobody's refusal ends the checks of another purchase.
      expect([days(checked), list.mock.calls.length]).toEqual([[null, null, null], 2 + 3 * 2])
      await advance(DAY)
      await all()
      expect([list.mock.calls.length, errors]).toEqual([8, []])
    })

    test('is not the last one of a purchase that is younger than a day and an hour', async () => {
      const { store, begin, checked, instance } = await subscribing(
        1,
        { client: listing(refusing()) },
        'club',
      )
      const { all } = instance()
      await all()
      await advance(DAY)
      const id = 'begun-later'.padEnd(22, 'x')
      const purchase = { id, params: { product_id: 'club' } }
      await begin({ ...purchase, begunAt: Date.now() - HOUR })
      await pay(store.purchases, purchase, Date.now())
      for (const [passes, expected] of [
        [0, 1],
        [DAY - 1, undefined],
        [1, null],
      ] as const) {
        checked.mockClear()
        await advance(passes)
        await all()
        const at = checked.mock.calls.find(([checkedId]) => checkedId === id)?.[1]
        expect(at && (at - Date.now()) / DAY).toBe(expected)
      }
    })

    test('is not the last one of an old purchase either, where the service has not refused for a day', async () => {
      const { checked, instance } = await subscribing(1, { client: listing(refusing()) }, 'club')
      const { all } = instance()
      await advance(3 * DAY)
      await all()
      expect(days(checked)).toEqual([1])
      await advance(DAY)
      await all()
      expect(days(checked).at(-1)).toBe(null)
    })

    test('is not the last one of an old purchase within a day of another’s refusal', async () => {
      const { store, begin, checked, instance } = await subscribing(
        1,
        { client: listing(refusing()) },
        'club',
      )
      const { all } = instance()
      await all()
      const id = 'begun-earlier'.padEnd(22, 'x')
      const purchase = { id, params: { product_id: 'club' } }
      await begin({ ...purchase, begunAt: Date.now() - 2 * DAY })
      await pay(store.purchases, purchase, Date.now())
      await advance(DAY - 1)
      checked.mockClear()
      await all()
      expect(days(checked)).toEqual([1])
    })

    test('finds the subscription a day later, for every subscriber of the product', async () => {
      const list = refusing()
      const { checked, instance } = await subscribing(3, { client: listing(list) }, 'club')
      const { all } = instance()
      await all()
      list.mockImplementation(async () => [shown('club')])
      checked.mockClear()
      await advance(DAY)
      await all()
      expect(days(checked)).toEqual([1, 1, 1])
    })

    const answers = [
      ['refuses', refusing],
      ['lists none', () => vi.fn(async (): Promise<Subscription[]> => [])],
    ] as const
    test.each(answers)(
      'is repeated each day once a subscription to the product was seen, also by another instance, if the service %s',
      async (_, answering) => {
        const list = answering()
        list.mockImplementationOnce(async () => [shown('club')])
        const { checked, instance } = await subscribing(2, { client: listing(list) }, 'club')
        await instance().all()
        // The refusal for the second one is not taken for an answer about the product.
        for (let day = 1; day <= 3; day++) {
          await advance(DAY)
          await instance().all()
          await instance().all()
        }
        expect(checked.mock.calls.map(([, at]) => at)).toHaveLength(8)
        expect(days(checked).slice(-2)).toEqual([1, 1])
      },
    )

    test.each(answers)(
      'is repeated each day for a purchase that was renewed, if the service %s',
      async (_, answering) => {
        const list = answering()
        const { store, checked, instance } = await subscribing(2, { client: listing(list) }, 'club')
        // The second one due: the answer for the first does not end its checks.
        const [row] = (await store.purchases.ofShopper('ada')).toSorted(
          (one, other) => Number(other.checkAt) - Number(one.checkAt),
        )
        const renewal = { id: 'renewal', type: 'order_complete', state: 'renewal', summary: '{}' } as const
        await store.purchases.record(row?.purchase.id ?? '', renewal)
        for (let day = 1; day <= 3; day++) {
          await instance().all()
          expect(days(checked).at(-1)).toBe(1)
          await advance(DAY)
        }
      },
    )

    test('does not count as an empty list for either question', async () => {
      for (const [first, second] of [
        [[], refusal],
        [refusal, []],
      ] as const) {
        const list = vi.fn(async (query: object) => {
          const answer = 'product_id' in query ? second : first
          return answer === refusal ? Promise.reject(refusal) : []
        })
        const { checked, instance } = await subscribing(1, { client: listing(list) }, 'club')
        await instance().all()
        expect(days(checked)).toEqual([1])
      }
    })
  })

  test('stops after the subscription during whose check it is aborted', async () => {
    const { closing, checked, instance } = await subscribing(2)
    checked.mockImplementationOnce(async () => closing.abort())
    await instance().all()
    expect(checked).toHaveBeenCalledTimes(1)
  })
})

test.each(['all', 'whenDue'] as const)(
  'a reconciliation is skipped while another instance runs it: %s',
  async (method) => {
    const { awake, read, begin, instance } = reconciling()
    await begin(shopper('ada'))
    const [first, second] = [instance(), instance()]
    const running = first[method]()
    expect(await hasEnded(second[method](), 0)).toBe(true)
    expect(await hasEnded(running, READ_MS)).toBe(true)
    expect([read, awake()]).toEqual([['ada'], 0])
  },
)
