// Promise: token/refused
/** One list of orders, with the leased token and once with another. */
import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../src/errors.ts'
import type { OrderRecord, TokenLease } from '../../src/index.ts'
import { listOrders } from '../../src/purchase/readOrders.ts'

const refusal = (status: number): ApiError => new ApiError('orders.list', 'no', { status })

/** A service that refuses these tokens, and a lease that has these. */
function listing(
  answer: (accessToken: string) => OrderRecord[],
  tokens: string[],
): [Promise<object[]>, string[]] {
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
        return answer(accessToken)
      },
      listAll: () => Promise.reject(new Error('not of the whole business')),
    },
  }
  return [listOrders(client, lease, 'ada'), used]
}

const order = { id: 'o1', type: 'order_complete', raw: {} }

test('gives what has an id and a type', async () => {
  const [orders, used] = listing(
    () => [order, { id: 'o2', raw: {} }, { type: 'order_failed', raw: {} }],
    ['t1'],
  )
  expect(await orders).toEqual([order])
  expect(used).toEqual(['t1 for ada, instead of undefined'])
})

test('a token that the service refuses is replaced once', async () => {
  const answer = (accessToken: string): OrderRecord[] => {
    if (accessToken === 't1') throw refusal(401)
    return [order]
  }
  const [orders, used] = listing(answer, ['t1', 't2'])
  expect(await orders).toEqual([order])
  expect(used).toEqual(['t1 for ada, instead of undefined', 't2 for ada, instead of t1'])
})

test.each<[string, () => never, string[], number]>([
  [
    'one that is refused twice',
    () => {
      throw refusal(401)
    },
    ['t1', 't2'],
    2,
  ],
  [
    'one that the lease has no other for',
    () => {
      throw refusal(401)
    },
    ['t1'],
    1,
  ],
  [
    'another refusal',
    () => {
      throw refusal(403)
    },
    ['t1', 't2'],
    1,
  ],
  [
    'no network',
    () => {
      throw new NetworkError('orders.list', 'gone', { status: 401 })
    },
    ['t1', 't2'],
    1,
  ],
])('%s is told', async (_, answer, tokens, calls) => {
  const [orders, used] = listing(answer, tokens)
  await expect(orders).rejects.toMatchObject({ operation: 'orders.list' })
  expect(used).toHaveLength(calls)
})
