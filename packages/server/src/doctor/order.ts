/** Checks one real order: which field returns a purchase's id, and how its amounts are stated (U23). */
import type { Order } from '../client/wire.ts'
import { readCustomId, readReturn } from '../purchase/carrier.ts'
import { isDecimal, sameAmount } from '../purchase/fields.ts'
import type { PurchaseRows } from '../stores/store.ts'
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

/** @param rows purchase records of the companion's store; undefined when no store was named. */
export async function checkOrder(
  visit: Visit,
  orderId: string,
  rows: Pick<PurchaseRows, 'find'> | undefined,
): Promise<Checkup[]> {
  const address = visit.client.addresses.baseUrl
  const subject = {
    ...{ name: 'order', setting: '--order', address },
    remedy: 'give the id of an order of this account, as the dashboard or onOrder shows it',
  }
  const asked = visit.client.transactions.retrieve({ order_id: orderId })
  const order = await resultOf(visit, { base: 'baseUrl', name: 'order' }, asked)
  if (isFailed(order)) return [{ ...order, ...subject }]
  if (order.id !== orderId) return [failed(subject, 200, 'the service answered with another order')]
  const amounts = inTime(visit, checkAmounts(order, rows, address))
  return [...carriersOf(order, address), await amounts.catch(() => notCompared('the store did not answer'))]
}

function carriersOf(order: Order, address: string): Checkup[] {
  const carried = readAddress(order.redirect_url ?? order.fail_redirect_url)
  const isPurchaseId = readCustomId(order.custom_id) !== null
  const customId = ok(
    { name: 'custom_id' },
    isPurchaseId ? "a purchase's id, as carry: 'custom_id' sends it" : 'the shopper’s, or absent',
  )
  const subject = {
    name: 'return address',
    setting: 'carry',
    address,
    remedy: "set carry: 'custom_id' in createCompanion, buy again, and check that order",
  }
  if (carried.works) return [ok(subject, carried.detail), customId]
  const seen = isPurchaseId
    ? note(subject, `${carried.detail}: carried by custom_id instead`)
    : failed(subject, 200, carried.detail)
  return [seen, customId]
}

function readAddress(address: string | undefined): { works: boolean; detail: string } {
  if (!address) return { works: false, detail: 'absent' }
  const named = readReturn(address)
  if (named) {
    const isWhole = address.endsWith(named.id) || address.endsWith(`${named.id}/failed`)
    return { works: true, detail: isWhole ? 'comes back as given' : 'comes back with more appended' }
  }
  return address.includes('/return/')
    ? { works: false, detail: `cut after ${address.length} characters` }
    : { works: false, detail: 'not one of a companion; did a companion create its purchase?' }
}

const name = 'amounts'

const notCompared = (reason: string): Fine => skipped({ name }, `not compared: ${reason}`)

async function checkAmounts(
  order: Order,
  rows: Pick<PurchaseRows, 'find'> | undefined,
  address: string,
): Promise<Checkup> {
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
