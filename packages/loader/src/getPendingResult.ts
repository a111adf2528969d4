import { storedPurchaseId } from './outcome/kept.ts'
import type { PendingOptions } from './outcome/pending.ts'
import { missing, secondStage } from './stage.ts'
import type { PurchaseResult } from './types.ts'

/**
 * Asks the companion about the purchase that this tab had open in the last 24 hours. While its payment is being processed, a bar at the bottom
 * of the page says so until it has ended, for half an hour at most; for an order that the server does not know yet, it waits half a minute.
 * However often it is called meanwhile, the page asks and shows the bar once, and each call returns the same result.
 *
 * @returns null when there was no purchase, no order resulted from it, or the shopper has dismissed the bar. Never rejects.
 */
export async function getPendingResult(options: PendingOptions): Promise<PurchaseResult | null> {
  if (!storedPurchaseId()) return null
  try {
    const rest = (await secondStage.load()) ?? (await secondStage.load())
    if (rest) return await rest.getPendingResult(options)
  } catch {}
  return { status: 'unknown', reason: missing }
}
