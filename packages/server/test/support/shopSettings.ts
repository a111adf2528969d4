/** What a process of the shop is told when it is started, and what it tells. */
import type { PurchaseClientOptions } from '../../src/index.ts'
import type { StoreOf } from '../stores/storeProcess.ts'

export const moments = [
  'before onOrder',
  'before the record',
  'after the record',
  'in onOrder',
  'after onOrder',
  'after the job',
] as const

export type Moment = (typeof moments)[number]

export interface ShopSettings {
  client: PurchaseClientOptions
  database: StoreOf
  /** Whether `onOrder` calls `complete()`. */
  completes: boolean
  /** Where this process kills itself, when it comes there for the last of so many times. */
  dies?: { at: Moment; times: number }
}

/** Bytes, after everything that is not needed was collected, and seconds of a core since the start. */
export interface Usage {
  heapUsed: number
  rss: number
  cpu: number
}

export type ShopMessage = { port: number } | { error: string } | { usage: Usage }
