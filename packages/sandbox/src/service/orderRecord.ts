/** An order as the service returns it: section 2.2 of the interface. */
import { z } from 'zod'
import { round, withFees } from '../domain/money.ts'
import { withIds } from '../domain/redirect.ts'
import type { Switches } from '../simulation/switches.ts'
import { type OrderRow, orderTexts } from '../state/rows.ts'
import { type DeclineCode, declines } from '../widget/protocol.ts'

type Texts = { [Field in (typeof orderTexts)[number]]?: string | undefined }

/** Fields without a value are empty strings, or omitted when the switch `orderFields` says so (U3). */
export interface OrderRecord extends Texts {
  id: string
  /** The state of the order; any string (U14). */
  type: string
  partner_data?: Record<string, unknown> | undefined
  /** Set only when the switch `declineCode` puts the code here (U7). */
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
    ...Object.fromEntries(orderTexts.map((field) => [field, z.string().optional()])),
  })
  .meta({ id: 'Order', description: 'Section 2.2' })

export function toOrderRecord(switches: Switches, order: OrderRow): OrderRecord {
  const all = switches.orderFields === 'all'
  const { redirect_url: _, fail_redirect_url: __, ...asGiven } = order
  const written: Texts = { ...asGiven, ...returnAddressesOf(switches, order), ...amountsOf(switches, order) }
  const values: Texts = Object.fromEntries(
    orderTexts
      .map((field) => [field, written[field]])
      .filter(([, value]) => value || (all && value !== undefined)),
  )
  return {
    id: order.id,
    ...values,
    type: switches.statuses === 'known' ? order.type : unlisted[order.type],
    ...((all || order.partner_data !== '{}') && { partner_data: JSON.parse(order.partner_data) }),
    ...failureOf(switches, order),
  }
}

/** Values of `type` that the interface's "etc." may hide (U14). */
const unlisted = {
  payment_started: 'payment_authorized',
  order_complete: 'order_complete',
  order_failed: 'order_failed',
} as const

type Failure = Pick<OrderRecord, 'fail_reason' | 'code' | 'error_code'>

/** The interface does not show where a declined order carries its code (U7). */
const failures: Record<Switches['declineCode'], (code: DeclineCode, reason: string) => Failure> = {
  failReason: (code) => ({ fail_reason: code }),
  failReasonText: (code, reason) => ({ fail_reason: `${reason} (code ${code})` }),
  code: (code, reason) => ({ fail_reason: reason, code }),
  error_code: (code, reason) => ({ fail_reason: reason, error_code: code }),
  none: (_, reason) => ({ fail_reason: reason }),
}

const failureOf = ({ declineCode }: Switches, { decline_code: code }: OrderRow): Failure =>
  code ? failures[declineCode](code, declines[code].reason) : {}

type ReturnAddresses = Pick<OrderRow, 'redirect_url' | 'fail_redirect_url'>

/** The return addresses as they appear in the record (U22); empty when the record omits them. */
function returnAddressesOf({ returnAddresses }: Switches, order: OrderRow): Partial<ReturnAddresses> {
  switch (returnAddresses) {
    case 'asGiven':
      return addresses(order, (address) => address)
    case 'cutAt255':
      return addresses(order, (address) => address.slice(0, 255))
    case 'withQuery':
      return addresses(order, (address) => withIds(address, order))
    case 'absent':
      return {}
  }
}

const addresses = (
  { redirect_url, fail_redirect_url }: OrderRow,
  written: (address: string) => string,
): ReturnAddresses => ({
  redirect_url: redirect_url && written(redirect_url),
  fail_redirect_url: fail_redirect_url && written(fail_redirect_url),
})

/** The amounts as they appear in the record (U23). */
function amountsOf(
  { amounts }: Switches,
  { base_amount, quote_amount }: OrderRow,
): Pick<OrderRow, 'base_amount' | 'quote_amount'> {
  switch (amounts) {
    case 'asGiven':
      return { base_amount, quote_amount }
    case 'rounded':
      return { base_amount: base_amount && round(base_amount, 4), quote_amount: round(quote_amount, 0) }
    case 'withFees':
      return { base_amount, quote_amount: withFees(quote_amount, '3.5') }
  }
}
