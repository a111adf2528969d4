/** The purchases of whoever asks, also from before they signed in. */
import type { PurchaseRows } from '../stores/store.ts'
import type { PurchaseRecord } from './purchase.ts'
import { type Caller, idsOf, isTheirs } from './shopper.ts'

/** Newest first for each of their ids. The store finds them by text, in which an id of the shop's may be spelt like one of the service's. */
export async function purchasesOf(
  rows: Pick<PurchaseRows, 'ofShopper'>,
  caller: Caller,
): Promise<PurchaseRecord[]> {
  const found = await Promise.all(idsOf(caller).map((id) => rows.ofShopper(id)))
  return found.flat().filter(({ purchase }) => isTheirs(caller, purchase))
}
