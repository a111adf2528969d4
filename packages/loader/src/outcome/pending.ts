/** What became of the purchase that this tab had open before its page was reloaded, evicted or killed. */
import { own } from '../own.ts'
import type { Settings } from '../settings.ts'
import type { PurchaseResult } from '../types.ts'
import { createAsk, untilEnded } from './confirm.ts'
import { forget, kept } from './kept.ts'
import { resultOf, unanswered, unknown } from './result.ts'

export interface PendingOptions {
  /** Address of the companion handler. */
  companion: string
  /** As for `createPurchaseWidget`. */
  headers?: Settings['headers']
}

/**
 * Asks the companion about the purchase that this tab had open in the last 24 hours: for up to half a minute while its order is on its way.
 *
 * @returns null when there was none, or no order has come of it. Never rejects.
 */
export async function getPendingResult(options: PendingOptions): Promise<PurchaseResult | null> {
  const id = kept()
  const ask = id && createAsk(own(options), id)
  if (!ask) return null
  const answer = await untilEnded(ask)
  if (!answer) return unanswered
  if (answer.status === 'none') return null
  const result = resultOf(answer, unknown)
  if (result.status !== 'unknown') forget(id)
  return result
}
