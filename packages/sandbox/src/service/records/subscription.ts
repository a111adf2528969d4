/** A subscription as the service writes it: section 2.3 of the interface. */
import { z } from 'zod'
import type { SubscriptionRow } from '../../state/rows.ts'
import type { State } from '../../state/state.ts'
import { type WireDate, wireDateSchema, writeDate } from './date.ts'

export interface SubscriptionRecord {
  user_id: string
  custom_id: string
  business_user_id: string
  product_id: string
  start_date: WireDate
  last_paid_date: WireDate
  next_paid_date: WireDate
  expire_date: WireDate
  /** 1 active, 2 canceled, 3 expired (U14). */
  status: number
  failed_to_paid: boolean
  next_paid: boolean
  interval_time: string
}

export const subscriptionRecordSchema: z.ZodType<SubscriptionRecord> = z
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

export function toSubscriptionRecord(state: State, row: SubscriptionRow): SubscriptionRecord {
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
