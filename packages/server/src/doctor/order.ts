/** Checks one real order: whether it has its purchase's id, and how its amounts are stated (U23). */
import type { Order } from '../client/wire.ts'
import { readCustomId, readReturn } from '../purchase/carrier.ts'
import { isDecimal, sameAmount } from '../purchase/fields.ts'
import type { PurchaseRows } from '../stores/store.ts'
import { isText } from '../unknown.ts'
import {
  type Checkup,
  type Fine,
  failed,
  inTime,
  isFailed,
  note,
  ok,
  resultOf,
  skipped,
  type Visit,
} from './checkup.ts'

/** The companion's purchases; undefined when no store was named. */
type Rows = Pick<PurchaseRows, 'find'> | undefined

export async function checkOrder(visit: Visit, orderId: string, rows: Rows): Promise<Checkup[]> {
  const address = visit.client.addresses.baseUrl
  const subject = {
    ...{ name: 'order', setting: '--order', address },
    remedy: 'give the id of an order of this account, as the dashboard or onOrder shows it',
  }
  // The client would send nothing. An unset variable of a script is an empty id.
  if (!isText(orderId)) return [failed(subject, null, 'the id is blank')]
  const asked = visit.client.transactions.retrieve({ order_id: orderId })
  const order = await resultOf(visit, { base: 'baseUrl', name: 'order' }, asked)
  if (isFailed(order)) return [{ ...order, ...subject }]
  if (order.id !== orderId) return [failed(subject, 200, 'the service answered with another order')]
  const amounts = inTime(visit, checkAmounts(order, rows, address))
  return [carrierOf(order, address), await amounts.catch(() => notCompared('the store did not answer'))]
}

function carrierOf(order: Order, address: string): Checkup {
  const subject = {
    name: 'return address',
    setting: 'carry',
    address,
    remedy: "set carry: 'custom_id' in createCompanion, buy again, and check that order",
  }
  const returned = order.redirect_url ?? order.fail_redirect_url ?? ''
  const named = readReturn(returned)
  if (named) {
    const isWhole = returned.endsWith(named.id) || returned.endsWith(`${named.id}/failed`)
    return ok(subject, isWhole ? 'comes back as given' : 'comes back with more appended')
  }
  return readCustomId(order.custom_id) === null
    ? failed(subject, 200, whyUnnamed(returned))
    : note(subject, `${whyUnnamed(returned)}: carried by custom_id instead`)
}

function whyUnnamed(returned: string): string {
  if (returned === '') return 'absent'
  return returned.includes('/return/')
    ? `cut after ${returned.length} characters`
    : 'not one of a companion; did a companion create its purchase?'
}

const name = 'amounts'

const notCompared = (reason: string): Fine => skipped({ name }, `not compared: ${reason}`)

async function checkAmounts(order: Order, rows: Rows, address: string): Promise<Checkup> {
  if (!rows) return notCompared('name your companion with --module')
  const id =
    readCustomId(order.custom_id) ??
    readReturn(order.redirect_url ?? '')?.id ??
    readReturn(order.fail_redirect_url ?? '')?.id
  const record = id === undefined ? null : await rows.find(id)
  if (!record) return notCompared('the store has no purchase of this order')
  const { params } = record.purchase
  const subject = {
    ...{ name, setting: 'createPurchase', address },
    remedy:
      'check an order that was paid as requested. A service that rounds amounts or adds fees is not supported: ask it to report the requested amounts',
  }
  const decided = (['quote_amount', 'base_amount'] as const).filter((field) => params[field] !== undefined)
  if (decided.length === 0) return notCompared('createPurchase decided no amount')
  const different = decided.find((field) => !sameAmount(params[field] ?? '', order[field] ?? ''))
  if (different === undefined) return ok(subject, 'come as they were decided')
  const stated = order[different] ?? ''
  const seen = `${different} was decided as ${params[different]} and comes ${isDecimal(stated) ? `as ${stated}` : 'without an amount'}`
  return failed(subject, 200, seen)
}
