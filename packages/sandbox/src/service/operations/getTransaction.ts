/** Gives a transaction’s details: section 4.5 of the interface. */
import { z } from 'zod'
import { invalid, notFound } from '../../refusal.ts'
import { findOrders } from '../../state/orders.ts'
import { readingKey } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'
import { orderRecordSchema, toOrderRecord } from '../records/order.ts'

/** Section 4.5. Its closing note names two of the three identifiers; the wider form is taken (U21). */
export const getTransaction: ServiceOperation = defineServiceOperation({
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
