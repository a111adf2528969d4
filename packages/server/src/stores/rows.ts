/** What rows of the databases say, the same in SQLite and Postgres. */
import type { PurchaseRecord } from '../purchase/purchase.ts'
import type { DeadLetter, Job, QueueName } from './store.ts'

/** Columns by name. Only the stores write their tables, so that readers know what is in them. */
export type Row = Readonly<Record<string, unknown>>

export const recordOf = ({ purchase, claimed_by, preloaded_until, orders }: Row): PurchaseRecord => ({
  purchase: JSON.parse(String(purchase)),
  claimedBy: claimed_by === null ? null : String(claimed_by),
  preloadedUntil: preloaded_until === null ? null : Number(preloaded_until),
  orders: JSON.parse(String(orders)),
})

export const jobOf = ({ key, failures, receipt }: Row, queue: QueueName, holdMs: number): Job => ({
  key: String(key),
  queue,
  attempt: Number(failures) + 1,
  receipt: String(receipt),
  holdMs,
})

export const letterOf = ({ key, reason, attempts, died_at }: Row): DeadLetter => ({
  key: String(key),
  reason: String(reason),
  attempts: Number(attempts),
  diedAt: Math.floor(Number(died_at)),
})
