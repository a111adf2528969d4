/** Whether a shopper may go on with a purchase that was begun. */
import { widgetParams } from './begin.ts'
import type { KnownPurchase } from './purchase.ts'
import { type Asker, isTheirs } from './shopper.ts'

export type NotToGoOn = 'another shopper' | 'complete' | 'ended'

/** Why not; null where they may: the shopper who began it, in time, until an order of it is complete. */
export function reasonNotToGoOn(known: KnownPurchase, asker: Asker, now: number): NotToGoOn | null {
  if (!isTheirs(asker, known.purchase)) return 'another shopper'
  if (isComplete(known)) return 'complete'
  return now < known.purchase.validUntil ? null : 'ended'
}

export const isComplete = ({ claimedBy, orders }: KnownPurchase): boolean =>
  claimedBy !== null || orders.some(({ type }) => type === 'order_complete')

/** The widget's parameters as they were: whatever is asked for now, the stored row wins. */
export const paramsToGoOn = ({ purchase }: KnownPurchase): Record<string, string> => widgetParams(purchase)
