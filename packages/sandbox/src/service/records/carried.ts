/** What of the widget's parameters comes back on an order, and how: the interface does not show it (U22, U23). */
import { round, withFees } from '../../domain/money.ts'
import { withIds } from '../../domain/redirect.ts'
import type { Switches } from '../../simulation/switches.ts'
import type { OrderRow } from '../../state/rows.ts'

type ReturnAddresses = Pick<OrderRow, 'redirect_url' | 'fail_redirect_url'>
type Amounts = Pick<OrderRow, 'base_amount' | 'quote_amount'>

/** The return addresses of an order as its record has them; nothing when it leaves them out. */
export function returnAddressesOf(switches: Switches, order: OrderRow): Partial<ReturnAddresses> {
  switch (switches.returnAddresses) {
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

/** The amounts of an order as its record has them. */
export function amountsOf(switches: Switches, { base_amount, quote_amount }: OrderRow): Amounts {
  switch (switches.amounts) {
    case 'asGiven':
      return { base_amount, quote_amount }
    case 'rounded':
      return { base_amount: base_amount && round(base_amount, 4), quote_amount: round(quote_amount, 0) }
    case 'withFees':
      return { base_amount, quote_amount: withFees(quote_amount, '3.5') }
  }
}
