// Promise: known/found
/** The reads for a purchase: which orders count as new, which details are requested, how often, and with which token. */
import { describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../src/errors.ts'
import type { Order, OrderRecord, TokenLease } from '../../src/index.ts'
import type { Purchase, PurchaseRecord, RecordedOrder } from '../../src/purchase/purchase.ts'
import { createReadOrders, likelyPaidFirst, listOrders, readOrder } from '../../src/purchase/readOrders.ts'
import { orderOf, purchaseOf, rowOf } from '../support/purchases.ts'

/** A service that lists these, and returns these details. `done` records the calls in order. */
function readerOf(service: { listed?: OrderRecord[]; details?: Order[]; refused?: string }) {
  const done: string[] = []
  const readOrders = createReadOrders({
    client: {
      orders: {
        async list({ custom_id }) {
          done.push(`list ${custom_id}`)
          return service.listed ?? []
        },
        listAll: () => Promise.reject(new Error('not of the whole business')),
      },
      transactions: {
        async retrieve({ order_id }) {
          done.push(`details ${order_id}`)
          const found = service.details?.find(({ id }) => id === order_id) ?? service.details?.at(-1)
          if (!found || order_id === service.refused) throw new Error(`There is no ${order_id}.`)
          return found
        },
      },
    },
    tokens: { get: async () => ({ accessToken: 't', expiresAt: null }) },
    addJobs: async (orders) => void done.push(`jobs ${orders.map(({ id }) => id)}`),
    async assess({ id }) {
      done.push(`assess ${id}`)
      return { id: null, state: 'none', differences: [], params: {}, reference: null, begunAt: null }
    },
  })
  const assessed = (): number => done.filter((one) => one.startsWith('assess')).length
  /** Whether it has found an order. */
  async function read(record: PurchaseRecord): Promise<boolean> {
    const before = assessed()
    await readOrders(record)
    return assessed() > before
  }
  return { read, done }
}

const knownOf = (purchase: Purchase, orders: RecordedOrder[] = []): PurchaseRecord =>
  rowOf(orders, null, purchase)

const seen = (order: Order, type = order.type): RecordedOrder => ({
  id: order.id,
  type,
  state: 'matched',
  summary: '{}',
})

/** As a list may return it: without these fields. */
function without(order: Order, ...fields: (keyof Order)[]): Order {
  const short = { ...order }
  for (const field of fields) delete short[field]
  return short
}

const addresses = ['redirect_url', 'fail_redirect_url'] as const
/** The fields of an order's details that belong to another purchase. */
const foreign = purchaseOf({ shopper: { customId: 'eve' } })

describe('an order that is listed in full', () => {
  const purchase = purchaseOf()
  const order = orderOf(purchase)

  test('gets its job before it is assessed', async () => {
    const { read, done } = readerOf({ listed: [order, orderOf(foreign)] })
    await read(knownOf(purchase))
    expect(done).toEqual(['list ada', `jobs ${order.id}`, `assess ${order.id}`])
  })

  test.each<[string, RecordedOrder[], boolean]>([
    ['known in this state', [seen(order)], false],
    ['known in another', [seen(order, 'payment_started')], true],
    ['of which another is known in this state', [{ ...seen(order), id: 'another' }], true],
  ])('tells new orders from known ones: %s', async (_, orders, isNew) => {
    const { read } = readerOf({ listed: [order] })
    expect(await read(knownOf(purchase, orders))).toBe(isNew)
  })

  test('orders are listed by the purchase’s id if that is their custom id', async () => {
    const carried = purchaseOf({ carrier: 'custom_id' })
    const { read, done } = readerOf({ listed: [orderOf(carried), order] })
    expect(await read(knownOf(carried))).toBe(true)
    expect(done).toEqual([
      `list purchase_${carried.id}`,
      `jobs order-${carried.id}`,
      `assess order-${carried.id}`,
    ])
  })
})

test('complete orders come first, and of each kind both ends of the list alternate', () => {
  const types = [
    'order_failed',
    'order_complete',
    'payment_started',
    'order_complete',
    'order_complete',
  ] as const
  const listed = types.map((type, id) => ({ type, id }))
  expect(likelyPaidFirst(listed).map(({ id }) => id)).toEqual([1, 4, 3, 0, 2])
})

test('one reading adds at most twenty orders', async () => {
  const purchase = purchaseOf()
  const listed = Array.from({ length: 21 }, (_, id) => ({ ...orderOf(purchase), id: `order-${id}` }))
  const { read, done } = readerOf({ listed })
  await read(knownOf(purchase))
  expect(done.filter((one) => one.startsWith('assess'))).toHaveLength(20)
})

describe('the details of an order are requested', () => {
  const byUser = { shopper: { userId: 'U1' } }
  const byBoth = { shopper: { customId: 'ada', userId: 'U1' } }
  const carried = { carrier: 'custom_id' } as const

  test.each<[string, Partial<Purchase>, (keyof Order)[], boolean]>([
    ['is in full', {}, [], false],
    ['leaves out what nobody compares', {}, ['email', 'user_id', 'hash'], false],
    ['leaves out a field of a sale that was not sold', {}, ['base'], true],
    ['leaves out the address that was not sold', {}, ['address'], true],
    ['leaves out what was left to the shopper', { open: ['base', 'address'] }, ['base', 'address'], false],
    [
      'leaves out what was sold, where the page decided',
      { decidedBy: 'page' },
      ['quote_amount', 'base'],
      false,
    ],
    ['leaves out the product that the shopper chose', { open: ['product_id'] }, ['product_id'], true],
    ['leaves out what was sold', {}, ['quote_amount'], true],
    ['leaves out who bought, by the shop’s id', {}, ['custom_id'], true],
    ['leaves out who bought, by the service’s', byUser, ['user_id'], true],
    ['leaves out one of two ids', byBoth, ['user_id'], true],
    ['leaves out an id that the shopper has not', byUser, ['custom_id'], false],
    ['leaves out one address', {}, ['fail_redirect_url'], true],
    ['leaves out the other address', {}, ['redirect_url'], true],
    ['leaves out both', {}, [...addresses], true],
    ['leaves out both, where the custom id carries', carried, [...addresses], true],
    ['leaves out the custom id that carries', carried, ['custom_id'], true],
  ])('details are requested if the record %s', async (_, of, fields, isAsked) => {
    const purchase = purchaseOf(of)
    const order = orderOf(purchase)
    const { read, done } = readerOf({ listed: [without(order, ...fields)], details: [order] })
    expect(await read(knownOf(purchase))).toBe(true)
    const details = isAsked ? [`details ${order.id}`] : []
    expect(done.slice(1)).toEqual([...details, `jobs ${order.id}`, `assess ${order.id}`])
  })

  test('details are requested where the product that the shopper chose is blank in the list', async () => {
    const purchase = purchaseOf({ open: ['product_id'] })
    const order = orderOf(purchase, { product_id: 'gold-100' })
    const listed = [{ ...order, product_id: '', raw: { product_id: '' } }]
    const { read, done } = readerOf({ listed, details: [order] })
    expect(await read(knownOf(purchase))).toBe(true)
    expect(done).toContain(`details ${order.id}`)
  })

  test('details are not requested for fields without a value', async () => {
    const purchase = purchaseOf()
    const order = without(orderOf(purchase), 'base', 'base_amount', 'address')
    const { read, done } = readerOf({
      listed: [{ ...order, raw: { base: '', base_amount: '', address: '' } }],
    })
    expect(await read(knownOf(purchase))).toBe(true)
    expect(done.slice(1)).toEqual([`jobs ${order.id}`, `assess ${order.id}`])
  })

  test.each<[string, Partial<Purchase>, Partial<Order>, (keyof Order)[]]>([
    ['address', {}, {}, ['fail_redirect_url', 'quote_amount']],
    ['other address', {}, {}, ['redirect_url', 'quote_amount']],
    ['custom id', carried, { custom_id: foreign.id }, ['quote_amount']],
  ])('details are not requested if the %s is another purchase’s', async (_, of, changes, fields) => {
    const purchase = purchaseOf(of)
    const listed = [without({ ...orderOf(foreign), custom_id: 'ada', ...changes }, ...fields)]
    const { read, done } = readerOf({ listed })
    expect(await read(knownOf(purchase))).toBe(false)
    expect(done.slice(1)).toEqual(['jobs '])
  })

  test('details are requested, and the order accepted, if one of two addresses names the purchase', async () => {
    const purchase = purchaseOf()
    for (const field of addresses) {
      const order = orderOf(purchase, { [field]: 'https://pay.example/' })
      const { read } = readerOf({ listed: [order] })
      expect(await read(knownOf(purchase))).toBe(true)
    }
  })

  test('details are requested for three orders at a time, from both ends of the list, and once each', async () => {
    const another = purchaseOf()
    const asked: string[][] = []
    for (const count of [1, 2, 3, 4, 7]) {
      const orders = Array.from({ length: count }, (_, at) => orderOf(another, { id: `${at + 1}` }))
      const listed = orders.map((order) => without(order, ...addresses))
      const { read, done } = readerOf({ listed, details: orders })
      for (let reading = 0; reading < 4; reading++) {
        done.length = 0
        expect(await read(knownOf(purchaseOf()))).toBe(false)
        asked.push(done.flatMap((one) => (one.startsWith('details') ? [one.slice('details '.length)] : [])))
      }
    }
    expect(asked).toEqual([
      ...[['1'], [], [], []],
      ...[['1', '2'], [], [], []],
      ...[['1', '3', '2'], [], [], []],
      ...[['1', '4', '2'], ['3'], [], []],
      ...[['1', '7', '2'], ['3', '6', '4'], ['5'], []],
    ])
  })
})

test('unavailable details keep no other order from being found, and leave the result uncertain', async () => {
  const purchase = purchaseOf()
  const order = orderOf(purchase)
  const listed = ['refused', 'found'].map((id) => without(orderOf(purchase, { id }), ...addresses))
  const service = {
    listed: [...listed, order],
    details: [orderOf(purchase, { id: 'found' })],
    refused: 'refused',
  }
  const { read, done } = readerOf(service)
  await expect(read(knownOf(purchase))).rejects.toThrow('There is no refused.')
  expect(done.slice(1)).toEqual([
    'details refused',
    'details found',
    `jobs ${order.id},found`,
    `assess ${order.id}`,
    'assess found',
  ])
  // It may be available later: it is requested again.
  done.length = 0
  await expect(read(knownOf(purchase, [seen(order)]))).rejects.toThrow('There is no refused.')
  expect(done).toContain('details refused')
})

describe('the purchases that details have named are remembered', () => {
  const purchase = purchaseOf()
  const named = purchaseOf()
  const carried = purchaseOf({ carrier: 'custom_id' })

  test.each<[string, Purchase, Order]>([
    ['an address', named, orderOf(named, { fail_redirect_url: '' })],
    ['the other address', named, orderOf(named, { redirect_url: '' })],
    ['the custom id', carried, orderOf(carried, { redirect_url: '', fail_redirect_url: '' })],
  ])(
    'by %s: it is requested again for the purchase that they named, and for no other',
    async (_, of, order) => {
      const listed = [without(order, 'custom_id', ...addresses)]
      const { read, done } = readerOf({ listed, details: [order] })
      await read(knownOf(purchase))
      expect(await read(knownOf(purchase))).toBe(false)
      expect(await read(knownOf(purchaseOf()))).toBe(false)
      expect(done.filter((one) => one.startsWith('details'))).toHaveLength(1)
      expect(await read(knownOf(of))).toBe(true)
      expect(done.slice(-3)).toEqual([`details ${order.id}`, `jobs ${order.id}`, `assess ${order.id}`])
    },
  )

  test('nothing is remembered of an order whose details were not requested', async () => {
    const listed = [without(orderOf(purchase, { id: 'asked' }), ...addresses)]
    const { read, done } = readerOf({ listed, details: [orderOf(named, { id: 'given' })] })
    for (const known of [purchase, named]) expect(await read(knownOf(known))).toBe(false)
    expect(done.slice(1)).toEqual(['details asked', 'jobs ', 'list ada', 'jobs '])
    const own = readerOf({ listed, details: [orderOf(purchase, { id: 'given' })] })
    expect(await own.read(knownOf(purchase))).toBe(false)
  })

  test('ten thousand orders are remembered: beyond that, the one listed longest ago is requested again', async () => {
    const service: Parameters<typeof readerOf>[0] = { details: [orderOf(foreign)] }
    const { read, done } = readerOf(service)
    const list = async (...ids: number[]): Promise<number> => {
      const before = done.length
      service.listed = ids.map((id) => without(orderOf(purchase, { id: `${id}` }), ...addresses))
      await read(knownOf(purchase))
      return done.slice(before).filter((one) => one.startsWith('details')).length
    }
    for (let id = 0; id < 9_999; id += 3) await list(id, id + 1, id + 2)
    await list(9_999)
    expect(await list(0)).toBe(0)
    await list(10_000)
    expect(await list(0)).toBe(0)
    // The details of three are requested from both ends of a list.
    expect(await list(2)).toBe(1)
  })
})

/** As a list may return it. */
const listedOf = (id: string, custom_id?: string): Order => ({
  id,
  type: 'order_complete',
  ...(custom_id === undefined ? {} : { custom_id }),
  raw: {},
})

/** A service that lists these, and fails for these tokens; a lease that returns these. */
function listing(listed: OrderRecord[], tokens: string[], failures: Record<string, Error> = {}) {
  const used: string[] = []
  const asked: (string | undefined)[] = []
  const lease: TokenLease = {
    async get(refused) {
      asked.push(refused)
      return { accessToken: tokens[Math.min(asked.length, tokens.length) - 1] ?? '', expiresAt: null }
    },
  }
  const client = {
    orders: {
      async list({ accessToken, custom_id }: { accessToken: string; custom_id?: string | undefined }) {
        used.push(`${accessToken} for ${custom_id}, instead of ${asked.at(-1)}`)
        if (failures[accessToken]) throw failures[accessToken]
        return listed
      },
      listAll: () => Promise.reject(new Error('not of the whole business')),
    },
  }
  return { client, lease, used }
}

const refusal = (status: number, refusedBy: ApiError['refusedBy'] = 'unclear'): ApiError =>
  new ApiError('orders.list', 'no', { status, refusedBy })
const gone = new NetworkError('orders.list', 'gone', { status: 401 })
const [first, second] = ['t1 for ada, instead of undefined', 't2 for ada, instead of t1']

// Promise: token/refused
test.each<[string, string[], Record<string, Error>, string[], Error | null]>([
  ['the token', ['t1', 't2'], {}, [first], null],
  ['another for one that is refused', ['t1', 't2'], { t1: refusal(401) }, [first, second], null],
  ['no third', ['t1', 't2'], { t1: refusal(401), t2: refusal(401) }, [first, second], refusal(401)],
  ['none twice', ['t1'], { t1: refusal(401) }, [first], refusal(401)],
  ['no other after another refusal', ['t1', 't2'], { t1: refusal(403) }, [first], refusal(403)],
  ['no other without a network', ['t1', 't2'], { t1: gone }, [first], gone],
])(
  'a list is requested with %s: of %j, where the service fails for %j',
  async (_, tokens, failures, used, failure) => {
    const service = listing([listedOf('o')], tokens, failures)
    const orders = listOrders(service.client, service.lease, 'ada')
    if (failure) await expect(orders).rejects.toEqual(failure)
    else expect(await orders).toEqual([listedOf('o')])
    expect(service.used).toEqual(used)
  },
)

describe('a list that is refused in another way', () => {
  /** The error, or how often the list was requested; and the tokens that the lease was asked about. */
  async function listedAfter(failure: Error, isRefused?: boolean) {
    const { client, lease, used } = listing([listedOf('o')], ['t1', 't2'], { t1: failure })
    const suspected: string[] = []
    const answering: TokenLease = {
      ...lease,
      async isRefused(accessToken) {
        suspected.push(accessToken)
        return isRefused === true
      },
    }
    const tokens = isRefused === undefined ? lease : answering
    const result = await listOrders(client, tokens, 'ada').then(
      () => used,
      (error: unknown) => error,
    )
    return { result, suspected }
  }

  test.each([200, 400, 403, 404, 410, 422])(
    'is repeated with another token if that was refused: %s',
    async (status) => {
      expect(await listedAfter(refusal(status), true)).toEqual({ result: [first, second], suspected: ['t1'] })
      expect(await listedAfter(refusal(status), false)).toEqual({
        result: refusal(status),
        suspected: ['t1'],
      })
      expect((await listedAfter(refusal(status))).result).toEqual(refusal(status))
    },
  )

  test.each([refusal(408), refusal(429), refusal(500), gone, refusal(403, 'other')])(
    'is not suspected of its token where that says nothing: %s',
    async (failure) => {
      expect(await listedAfter(failure, true)).toEqual({ result: failure, suspected: [] })
    },
  )
})

test('of a list only records with id and type are orders, and a customer’s are those without another custom id', async () => {
  const mine = listedOf('o', 'ada')
  const [unnamed, blank] = [listedOf('whose'), listedOf('nobody’s', '')]
  const { client, lease } = listing(
    [
      mine,
      listedOf('another', 'bob'),
      blank,
      unnamed,
      { id: 'untyped', raw: {} },
      { type: 'order_failed', raw: {} },
    ],
    ['t1'],
  )
  expect(await listOrders(client, lease, 'ada')).toEqual([mine, blank, unnamed])
})

test.each([[{ type: 'order_complete', raw: {} }], [{ id: 'untyped', raw: {} }]])(
  'a list with nothing but %j is reported, since it would hide every order',
  async (record) => {
    const { client, lease } = listing([record], ['t1'])
    const expected = { name: 'UnexpectedResponseError', problem: expect.stringContaining('id and type') }
    await expect(listOrders(client, lease, 'ada')).rejects.toMatchObject(expected)
  },
)

test('only the requested order is accepted from the service, and no other', async () => {
  const asked: object[] = []
  const client = {
    transactions: {
      async retrieve(query: object) {
        asked.push(query)
        return listedOf('o')
      },
    },
  }
  expect([await readOrder(client, 'o'), await readOrder(client, 'another')]).toEqual([listedOf('o'), null])
  expect(asked).toEqual([{ order_id: 'o' }, { order_id: 'another' }])
})
