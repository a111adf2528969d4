/** Looks at one real order and says which carrier brings a purchase's id back, and how its amounts are stated. */
import type { Order } from '../client/wire.ts'
import { readCustomId } from '../purchase/carriedId.ts'
import { readReturn } from '../purchase/returnAddress.ts'
import type { Store } from '../stores/store.ts'
import { checkAmounts, notCompared } from './amounts.ts'
import { asFailure, type Checkup, failed, note, ok } from './checkup.ts'
import { subjectOf } from './settings.ts'
import { inTime, type Visit } from './visit.ts'

export async function checkOrder(
  visit: Visit,
  orderId: string,
  store: Promise<Partial<Pick<Store, 'purchases'>> | undefined>,
): Promise<Checkup[]> {
  const subject = {
    ...subjectOf(visit.client, 'baseUrl', 'order'),
    setting: '--order',
    remedy: 'give the id of an order of this account, as the dashboard or `purchase-widget orders` shows it',
  }
  const asked = inTime(visit, visit.client.transactions.retrieve({ order_id: orderId }))
  const order = await asked.catch(asFailure(subject))
  if ('result' in order) return [order]
  if (order.id !== orderId) return [failed(subject, 200, 'the service answered with another order')]
  const amounts = store.then((given) => checkAmounts(order, given?.purchases, subject.address))
  return [
    ...carriersOf(order, subject.address),
    await inTime(visit, amounts).catch(() => notCompared('the store did not answer')),
  ]
}

function carriersOf(order: Order, address: string | null): Checkup[] {
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
    remedy: "set carry: 'custom_id' in createCompanion, buy once more, and look at that order",
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
