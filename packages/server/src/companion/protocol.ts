/**
 * What the companion and the browser say to each other. The loader states the same on its side (packages/loader/src/outcome/channel.ts and
 * packages/loader/src/opening/target.ts): the two packages share no code, and e2e holds them together.
 */

/** `GET /purchases/:id`. */
export type { PurchaseAnswer } from '../purchase/status.ts'

/** What `POST /token` gives, where the companion has `pageToken: true`: the token is in the page. */
export interface TokenGrant {
  purchaseId: string
  accessToken: string
  widgetUrl: string
  /** ISO 8601; null for a token that never ends. */
  expiresAt: string | null
  /** Every parameter of the widget's address but the token: the page adds only `locale`. */
  params: Record<string, string>
}

/** What `POST /launch` gives. */
export interface LaunchGrant {
  purchaseId: string
  /** `{url}/launch?ticket=…`: one minute, this one purchase, any number of times, needs no session. 303 leads to the widget. */
  launchUrl: string
  widgetOrigin: string
  params: Record<string, string>
}

/**
 * The return page to the page that shows the widget: over `postMessage` to parent or opener, with its exact origin, and over the
 * BroadcastChannel `purchase-widget:<purchaseId>`.
 */
export interface ReturnedMessage {
  source: 'purchase-widget'
  type: 'returned'
  purchaseId: string
  /** What the address says: a hint. */
  outcome: 'success' | 'failure'
  /** The merchant's return address, with `purchase=<id>` added; null when there is none. */
  returnUrl: string | null
}

/** The answer to it, the same way back. `close`: the page may close itself; otherwise it goes on to `returnUrl` at once. */
export interface HeardMessage {
  source: 'purchase-widget'
  type: 'heard'
  purchaseId: string
  close: boolean
}

/** A refusal's page to the page that waits for the purchase: ask `GET /purchases/:id` now. Nothing else of it is believed. */
export interface RefusedMessage {
  source: 'purchase-widget'
  type: 'refused'
  purchaseId: string
}

/** The same way, when the shopper wants to try a ticket's purchase again: begin anew. */
export interface RetryMessage {
  source: 'purchase-widget'
  type: 'retry'
  purchaseId: string
}
