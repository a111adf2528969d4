/** Lists orders: section 4.3 of the interface. */
import { z } from 'zod'
import type { Switches } from '../../simulation/switches.ts'
import { findOrders } from '../../state/orders.ts'
import { accessToken } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'
import { type OrderRecord, orderRecordSchema, toOrderRecord } from '../records/order.ts'

const orders: z.ZodType<OrderRecord[]> = z.array(orderRecordSchema)
const historyResponse = z.union([
  orders,
  z.object({ orders }),
  z.object({ data: orders }),
  z.object({ error: z.literal(false), message: z.string(), data: orders }),
])

/**
 * Section 4.3: all orders, newest first, unless a filter is given; an empty filter counts as none. A token opens every order
 * of the business (U9), and neither the record nor the list around it is shown (U3).
 */
export const getOrderHistory: ServiceOperation = defineServiceOperation({
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
    return shape(
      state.switches,
      found.map((order) => toOrderRecord(state.switches, order)),
    )
  },
})

function shape(switches: Switches, records: OrderRecord[]): z.infer<typeof historyResponse> {
  switch (switches.orderHistory) {
    case 'array':
      return records
    case 'orders':
      return { orders: records }
    case 'data':
      return { data: records }
    case 'envelope':
      return { error: false, message: `${records.length} orders`, data: records }
  }
}
