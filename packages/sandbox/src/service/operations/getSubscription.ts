/** Gives a subscription’s details: section 4.4 of the interface. */
import { z } from 'zod'
import { invalid, notFound } from '../../refusal.ts'
import type { Switches } from '../../simulation/switches.ts'
import { findSubscriptions } from '../../state/subscriptions.ts'
import { readingKey } from '../credentials.ts'
import { defineServiceOperation, type ServiceOperation } from '../operation.ts'
import {
  type SubscriptionRecord,
  subscriptionRecordSchema,
  toSubscriptionRecord,
} from '../records/subscription.ts'

const subscriptionResponse = z.union([
  subscriptionRecordSchema,
  z.array(subscriptionRecordSchema),
  z.object({ data: z.array(subscriptionRecordSchema) }),
])

/** Section 4.4. Whether several that match are one or all is not shown (U4): the newest is first. */
export const getSubscription: ServiceOperation = defineServiceOperation({
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
    const [newest, ...others] = findSubscriptions(state, body)
    if (!newest) throw notFound('There is no such subscription.')
    return shape(
      state.switches,
      toSubscriptionRecord(state, newest),
      others.map((row) => toSubscriptionRecord(state, row)),
    )
  },
})

function shape(
  switches: Switches,
  newest: SubscriptionRecord,
  others: SubscriptionRecord[],
): z.infer<typeof subscriptionResponse> {
  switch (switches.subscriptionResponse) {
    case 'one':
      return newest
    case 'array':
      return [newest, ...others]
    case 'data':
      return { data: [newest, ...others] }
  }
}
