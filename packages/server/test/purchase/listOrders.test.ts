// Promise: token/refused
/** Orders as the service gives them: with the leased token and once with another, and only those that were asked for. */
import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../src/errors.ts'
import type { Order, OrderRecord, TokenLease } from '../../src/index.ts'
import { listOrders, readOrder, readOrdersOf } from '../../src/purchase/readOrders.ts'

const orderOf = (id: string, custom_id?: string): Order => ({
  id,
  type: 'order_complete',
  ...(custom_id === undefined ? {} : { custom_id }),
  raw: {},
})

/** A service that lists these, and fails for these tokens; a lease that has these. */
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

const refusal = (status: number): ApiError => new ApiError('orders.list', 'no', { status })
const gone = new NetworkError('orders.list', 'gone', { status: 401 })
const [first, second] = ['t1 for ada, instead of undefined', 't2 for ada, instead of t1']

test.each<[string, string[], Record<string, Error>, string[], Error | null]>([
  ['the token', ['t1', 't2'], {}, [first], null],
  ['another for one that is refused', ['t1', 't2'], { t1: refusal(401) }, [first, second], null],
  ['no third', ['t1', 't2'], { t1: refusal(401), t2: refusal(401) }, [first, second], refusal(401)],
  ['none twice', ['t1'], { t1: refusal(401) }, [first], refusal(401)],
  ['no other after another refusal', ['t1', 't2'], { t1: refusal(403) }, [first], refusal(403)],
  ['no other without a network', ['t1', 't2'], { t1: gone }, [first], gone],
])(
  'a list is asked for with %s: of %j, where the service fails for %j',
  async (_, tokens, failures, used, told) => {
    const service = listing([orderOf('o')], tokens, failures)
    const orders = listOrders(service.client, service.lease, 'ada')
    if (told) await expect(orders).rejects.toEqual(told)
    else expect(await orders).toEqual([orderOf('o')])
    expect(service.used).toEqual(used)
  },
)

test('of a list those are orders that have an id and a type, and the customer’s that have their custom id', async () => {
  const mine = orderOf('o', 'ada')
  const listed = [mine, orderOf('another', 'bob'), orderOf('nobody’s')]
  const { client, lease } = listing(
    [...listed, { id: 'untyped', raw: {} }, { type: 'order_failed', raw: {} }],
    ['t1'],
  )
  expect(await listOrders(client, lease, 'ada')).toEqual(listed)
  expect(await readOrdersOf(client, lease, 'ada')).toEqual([mine])
})

test('the service is believed about the order that it was asked for, and about no other', async () => {
  const asked: object[] = []
  const client = {
    transactions: {
      async retrieve(query: object) {
        asked.push(query)
        return orderOf('o')
      },
    },
  }
  expect([await readOrder(client, 'o'), await readOrder(client, 'another')]).toEqual([orderOf('o'), null])
  expect(asked).toEqual([{ order_id: 'o' }, { order_id: 'another' }])
})
