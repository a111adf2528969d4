/** An order as the service writes it: section 2.2 of the interface. */
import { z } from 'zod'
import { decline, isDeclineCode } from '../../domain/declines.ts'
import type { Switches } from '../../simulation/switches.ts'
import type { DeclineCode, OrderFields, OrderRow } from '../../state/rows.ts'
import { amountsOf, returnAddressesOf } from './carried.ts'

/** Fields of an order that are strings, and may have no value. */
type TextField = Exclude<keyof OrderFields, 'id' | 'type' | 'partner_data'>
type Texts = { [Field in TextField]?: string | undefined }

const texts: readonly TextField[] = [
  'custom_id',
  'user_id',
  'product_id',
  'base',
  'base_amount',
  'quote',
  'quote_amount',
  'address',
  'transaction_id',
  'full_name',
  'date_of_birth',
  'phone',
  'email',
  'state',
  'country',
  'city',
  'street',
  'postal_code',
  'utm_source',
  'clickID',
  'campaignID',
  'fail_reason',
  'redirect_url',
  'fail_redirect_url',
  'redirect_page',
  'hash',
]

/** Fields without a value are empty strings, or left out when the switch `orderFields` says so (U3). */
export interface OrderRecord extends Texts {
  id: string
  /** The state of the order; any string (U14). */
  type: string
  partner_data?: Record<string, unknown> | undefined
  /** Only when the switch `declineCode` puts the code here (U7). */
  code?: string | undefined
  error_code?: string | undefined
}

export const orderRecordSchema: z.ZodType<OrderRecord> = z
  .object({
    id: z.string().describe('Order id.'),
    type: z.string().describe('State of the order.'),
    partner_data: z.record(z.string(), z.unknown()).optional(),
    code: z.string().optional().describe('Decline code, by the switch declineCode.'),
    error_code: z.string().optional().describe('Decline code, by the switch declineCode.'),
    ...Object.fromEntries(texts.map((field) => [field, z.string().optional()])),
  })
  .meta({ id: 'Order', description: 'Section 2.2' })

export function toOrderRecord(switches: Switches, order: OrderRow): OrderRecord {
  const all = switches.orderFields === 'all'
  const failure = failureOf(switches, order)
  const { redirect_url: _, fail_redirect_url: __, ...asGiven } = order
  const written: Texts = { ...asGiven, ...returnAddressesOf(switches, order), ...amountsOf(switches, order) }
  const values: Texts = Object.fromEntries(
    texts
      .map((field) => [field, written[field]])
      .filter(([, value]) => value || (all && value !== undefined)),
  )
  return {
    id: order.id,
    ...values,
    type: switches.statuses === 'known' ? order.type : unlisted[order.type],
    ...((all || order.partner_data !== '{}') && { partner_data: JSON.parse(order.partner_data) }),
    ...failure,
  }
}

/** Values of `type` that the interface's "etc." may hide (U14). */
const unlisted = {
  payment_started: 'payment_authorized',
  order_complete: 'order_complete',
  order_failed: 'order_failed',
} as const

function failureOf(
  switches: Switches,
  order: OrderRow,
): Pick<OrderRecord, 'fail_reason' | 'code' | 'error_code'> {
  const code = order.decline_code
  if (!code || !isDeclineCode(code)) return {}
  return declineFields(switches, code)
}

function declineFields(
  switches: Switches,
  code: DeclineCode,
): Pick<OrderRecord, 'fail_reason' | 'code' | 'error_code'> {
  const { reason } = decline(code)
  switch (switches.declineCode) {
    case 'failReason':
      return { fail_reason: code }
    case 'failReasonText':
      return { fail_reason: `${reason} (code ${code})` }
    case 'code':
      return { fail_reason: reason, code }
    case 'error_code':
      return { fail_reason: reason, error_code: code }
    case 'none':
      return { fail_reason: reason }
  }
}
