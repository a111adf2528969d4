/** Looks at one real order and says which carrier brings a purchase's id back. */
import type { Order } from '../client/wire.ts'
import { readReturn } from '../purchase/returnAddress.ts'
import { asFailure, type Checkup, inTime, type Visit } from './visit.ts'

export async function checkOrder(visit: Visit, orderId: string): Promise<Checkup[]> {
  const subject = { name: 'order', variable: 'PURCHASE_BASE_URL' }
  const asked = inTime(visit, visit.client.transactions.retrieve({ order_id: orderId }))
  const order = await asked.catch(asFailure(subject))
  if ('result' in order) return [order]
  if (order.id !== orderId) {
    return [{ name: subject.name, result: 'failed', detail: 'the service answered with another order' }]
  }
  return carriersOf(order)
}

function carriersOf(order: Order): Checkup[] {
  const address = readAddress(order.redirect_url ?? order.fail_redirect_url)
  const isPurchaseId = /^[\w-]{22}$/.test(order.custom_id ?? '')
  const customId: Checkup = {
    name: 'custom_id',
    result: 'ok',
    detail: isPurchaseId ? "a purchase's id, as carry: 'custom_id' sends it" : 'the shopper’s, or absent',
  }
  if (address.works) return [{ name: 'return address', result: 'ok', detail: address.detail }, customId]
  const advice = isPurchaseId
    ? 'carried by custom_id instead'
    : "set carry: 'custom_id', buy once more, and look at that order"
  return [
    {
      name: 'return address',
      result: isPurchaseId ? 'note' : 'failed',
      detail: `${address.detail}: ${advice}`,
    },
    customId,
  ]
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
    : { works: false, detail: 'not one of a companion; was this order begun with POST /token?' }
}
