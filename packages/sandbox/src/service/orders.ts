/** Orders: sections 4.3 and 4.5 of the interface. */
import { z } from 'zod'
import { invalid, notFound } from '../refusal.ts'
import type { Switches } from '../simulation/switches.ts'
import { findOrders } from '../state/orders.ts'
import { accessToken, readingKey } from './credentials.ts'
import { type ServiceOperation, serviceOperation } from './operation.ts'
import { type OrderRecord, orderRecordSchema, toOrderRecord } from './orderRecord.ts'

const orders: z.ZodType<OrderRecord[]> = z.array(orderRecordSchema)
const historyResponse = z.union([
  orders,
  z.object({ orders }),
  z.object({ data: orders }),
  z.object({ error: z.literal(false), message: z.string(), data: orders }),
])

const historyAnswers: Record<
  Switches['orderHistory'],
  (records: OrderRecord[]) => z.infer<typeof historyResponse>
> = {
  array: (records) => records,
  orders: (records) => ({ orders: records }),
  data: (records) => ({ data: records }),
  envelope: (records) => ({ error: false, message: `${records.length} orders`, data: records }),
}

/**
 * Returns all orders, newest first, unless a filter is given; an empty filter counts as none. A token gives access to every
 * order of the business (U9); the interface shows neither the record nor the list around it (U3).
 */
const getOrderHistory = serviceOperation({
  name: 'getOrderHistory',
  section: '4.3',
  summary: 'List orders',
  method: 'get',
  path: '/api/widget/order_history',
  credential: accessToken,
  query: z.object({
    accessToken: z.string().describe('A valid, refreshed access token.'),
    order_id: z.string().optional().describe('One order.'),
    custom_id: z.string().optional().describe('The business’s own id.'),
  }),
  response: historyResponse,
  run(state, { query }) {
    const token = state.switches.tokenOpens === 'ownOrders' ? query.accessToken : undefined
    const found = findOrders(state, { id: query.order_id, custom_id: query.custom_id }, token)
    const records = found.map((order) => toOrderRecord(state.switches, order))
    return historyAnswers[state.switches.orderHistory](records)
  },
})

/** The section's closing note names two of the three identifiers; this accepts all three (U21). */
const getTransaction = serviceOperation({
  name: 'getTransaction',
  section: '4.5',
  summary: 'Get a transaction’s details',
  method: 'post',
  path: '/api/business/transactions/data',
  credential: readingKey,
  body: z
    .object({
      order_id: z.string().optional(),
      custom_id: z.string().optional(),
      hash: z.string().optional(),
    })
    .describe(
      'At least one of the three; an order must match each that is given, or any by the switch lookup. The newest is answered.',
    ),
  response: orderRecordSchema,
  run(state, { body }) {
    const hash = state.switches.hashLookup === 'accepted' ? body.hash : undefined
    if (!body.order_id && !body.custom_id && !hash)
      throw invalid('order_id, custom_id, hash', 'at least one is required')
    const [newest] = findOrders(state, { id: body.order_id, custom_id: body.custom_id, hash })
    if (!newest) throw notFound('There is no such transaction.')
    return toOrderRecord(state.switches, newest)
  },
})

export const orderOperations: readonly ServiceOperation[] = [getOrderHistory, getTransaction]
