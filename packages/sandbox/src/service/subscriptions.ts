/** Subscriptions: sections 2.3 and 4.4 of the interface. */
import { z } from 'zod'
import { invalid, notFound } from '../refusal.ts'
import type { SubscriptionRow } from '../state/rows.ts'
import type { State } from '../state/state.ts'
import { findSubscriptions } from '../state/subscriptions.ts'
import { readingKey } from './credentials.ts'
import { type WireDate, wireDateSchema, writeDate } from './date.ts'
import { type ServiceOperation, serviceOperation } from './operation.ts'

const subscriptionRecord = z
  .object({
    user_id: z.string(),
    custom_id: z.string(),
    business_user_id: z.string(),
    product_id: z.string(),
    start_date: wireDateSchema,
    last_paid_date: wireDateSchema,
    next_paid_date: wireDateSchema,
    expire_date: wireDateSchema,
    status: z.number().describe('1 active, 2 canceled, 3 expired; other numbers by the switch statuses.'),
    failed_to_paid: z.boolean(),
    next_paid: z.boolean(),
    interval_time: z.string(),
  })
  .meta({ id: 'Subscription', description: 'Section 2.3' })
type SubscriptionRecord = z.infer<typeof subscriptionRecord>

const subscriptionResponse = z.union([
  subscriptionRecord,
  z.array(subscriptionRecord),
  z.object({ data: z.array(subscriptionRecord) }),
])

/** The interface does not show whether it returns one match or all (U4). Newest first. */
export const getSubscription: ServiceOperation = serviceOperation({
  name: 'getSubscription',
  section: '4.4',
  summary: 'Get a subscription’s details',
  method: 'post',
  path: '/api/business/transactions/user_subscription',
  credential: readingKey,
  body: z
    .object({
      product_id: z.string().optional(),
      custom_id: z.string().optional(),
      user_id: z.string().optional(),
    })
    .describe(
      'At least one of the three; a subscription must match each that is given, or any by the switch lookup.',
    ),
  response: subscriptionResponse,
  run(state, { body }) {
    if (!body.product_id && !body.custom_id && !body.user_id)
      throw invalid('product_id, custom_id, user_id', 'at least one is required')
    const [newest, ...others] = findSubscriptions(state, body).map((row) => toSubscriptionRecord(state, row))
    if (!newest) throw notFound('There is no such subscription.')
    if (state.switches.subscriptionResponse === 'one') return newest
    const all = [newest, ...others]
    return state.switches.subscriptionResponse === 'array' ? all : { data: all }
  },
})

function toSubscriptionRecord(state: State, row: SubscriptionRow): SubscriptionRecord {
  const date = (milliseconds: number): WireDate => writeDate(state.switches, milliseconds)
  return {
    user_id: row.user_id,
    custom_id: row.custom_id,
    business_user_id: state.businessUserId,
    product_id: row.product_id,
    start_date: date(row.start_date),
    last_paid_date: date(row.last_paid_date),
    next_paid_date: date(row.next_paid_date),
    expire_date: date(row.expire_date),
    status: state.switches.statuses === 'known' ? row.status : row.status + 90,
    failed_to_paid: row.failed_to_paid === 1,
    next_paid: row.next_paid === 1,
    interval_time: row.interval_time,
  }
}
