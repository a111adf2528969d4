/** What a merchant gets. */
import type { OrderHint } from '../fulfilment/webhook.ts'
import type { DeadLetter } from '../stores/store.ts'
import type { App } from './context.ts'
import type { RequestInfo } from './options.ts'

export interface Companion {
  /**
   * Answers one request. The route is the end of its path, so that any mount path does, with or without being stripped.
   * Never rejects, but with InvalidInputError for what is no web `Request`, such as Express's.
   */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  /** The routes as a Hono app, to be mounted in one: `app.route('/api/purchase-widget', companion.app)`. */
  readonly app: App
  /** Reads one order, or all orders of a shopper by `custom_id`, as a webhook does. Resolves when that is recorded; `onOrder` follows. */
  syncOrder(hint: OrderHint): Promise<void>
  /**
   * Reads the orders of every purchase of the last 24 hours that is not settled, and of every subscription whose next date has passed without a
   * renewal, and fulfils what was missed. A part of it runs by itself a second after the first request and every five minutes, in one instance at a
   * time: purchases of the last hour, those of the day once an hour, and 300 subscriptions. A serverless merchant calls it from a schedule.
   */
  reconcile(): Promise<void>
  deadLetters: {
    list(limit?: number): Promise<DeadLetter[]>
    /** One by its key, or all. Gives their number. */
    redrive(key?: string): Promise<number>
  }
  /**
   * Takes no new work, waits for the requests that are being answered (15 s at most), the `onOrder` that run and what is being read, and
   * closes what the store has opened. Answers end their connection meanwhile; later requests get a 503.
   */
  close(): Promise<void>
}
