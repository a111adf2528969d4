/** Says how the service states an order's amounts (U23), by what was decided for its purchase. */
import type { Order } from '../client/wire.ts'
import { readCustomId } from '../purchase/carriedId.ts'
import { isDecimal, sameAmount } from '../purchase/decimal.ts'
import { readReturn } from '../purchase/returnAddress.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { type Checkup, type Fine, failed, ok, type Subject } from './checkup.ts'

const name = 'amounts'

export const notCompared = (reason: string): Fine => ({
  name,
  result: 'skipped',
  detail: `not compared: ${reason}`,
})

/** @param rows of the companion's store; undefined when none was named. */
export async function checkAmounts(
  order: Order,
  rows: Pick<PurchaseRows, 'find'> | undefined,
  address: string | null,
): Promise<Checkup> {
  if (!rows) return notCompared('name your companion with --module')
  const id =
    readCustomId(order.custom_id) ??
    readReturn(order.redirect_url ?? '')?.id ??
    readReturn(order.fail_redirect_url ?? '')?.id
  const record = id === undefined ? null : await rows.find(id)
  if (!record) return notCompared('the store has no purchase of this order')
  const { params } = record.purchase
  const subject = { name, setting: 'createPurchase', address, remedy: '' }
  const decided = (['quote_amount', 'base_amount'] as const).filter((field) => params[field] !== undefined)
  if (decided.length === 0) return notCompared('createPurchase decided no amount')
  const different = decided.find((field) => !sameAmount(params[field] ?? '', order[field] ?? ''))
  if (different === undefined) return ok(subject, 'come as they were decided')
  return differs(subject, different, params[different] ?? '', order[different] ?? '')
}

/** An order that the shopper changed differs too: only one that was paid as it was begun says something of the service. */
function differs(subject: Subject, field: string, decided: string, stated: string): Checkup {
  const way = wayOf(decided, stated)
  const seen = `${field} was decided as ${decided} and comes ${isDecimal(stated) ? `as ${stated}` : 'without an amount'}`
  if (way === null) {
    return failed(subject, 200, seen, { remedy: 'look at an order that was paid as it was begun' })
  }
  return failed(subject, 200, `${seen}, ${way}`, {
    remedy: `a service that states amounts ${way} is not supported: honest orders are mismatched, and changed ones may match. Ask it to state them as they were asked for`,
  })
}

function wayOf(decided: string, stated: string): 'rounded' | 'with fees' | null {
  if (!isDecimal(stated)) return null
  const more = Number(stated) - Number(decided)
  const isShorter = decimals(stated) < decimals(decided)
  if (isShorter && Math.abs(more) <= 10 ** -decimals(stated) / 2) return 'rounded'
  return more > 0 ? 'with fees' : null
}

const decimals = (amount: string): number => (amount.split('.')[1] ?? '').replace(/0+$/, '').length
