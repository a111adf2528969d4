/** Whether a shopper may go on with a purchase that was begun. */
import { widgetParams } from './begin.ts'
import type { PurchaseRecord } from './purchase.ts'
import { type Caller, isTheirs } from './shopper.ts'

export type NotToGoOn = 'another shopper' | 'complete' | 'ended'

/** Why not; null where they may: the shopper who began it, in time, until an order of it is complete. */
export function reasonNotToGoOn(record: PurchaseRecord, caller: Caller, now: number): NotToGoOn | null {
  if (!isTheirs(caller, record.purchase)) return 'another shopper'
  if (isComplete(record)) return 'complete'
  return now < record.purchase.validUntil ? null : 'ended'
}

export const isComplete = ({ claimedBy, orders }: PurchaseRecord): boolean =>
  claimedBy !== null || orders.some(({ type }) => type === 'order_complete')

/** The widget's parameters as they were: whatever is asked for now, the stored row wins. */
export const paramsToGoOn = ({ purchase }: PurchaseRecord): Record<string, string> => widgetParams(purchase)
