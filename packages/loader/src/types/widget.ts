/** What a widget returns and reports: results, states, events and errors. */
import type { Mode, PurchaseWidgetOptions } from './options.ts'
import type { Decline, OrderSummary } from './order.ts'

/** The result of a purchase. `verified` is true only when the merchant's server said so. */
export type PurchaseResult =
  /** Paid. `verified: false` with an `order`: the order does not match the purchase, and the shop reviews it. */
  | { status: 'success'; verified: boolean; order?: OrderSummary; returnUrl?: string }
  | { status: 'failure'; verified: boolean; order?: OrderSummary; decline?: Decline; returnUrl?: string }
  /** The shopper left. `order` is present when the server has one that has not ended. */
  | { status: 'closed'; order?: OrderSummary }
  /** The result is unknown: the server did not answer, or has no order that has ended. */
  | { status: 'unknown'; reason: string; order?: OrderSummary }
  /** This tab is navigating away; the return page reports the result. */
  | { status: 'redirected' }
  | { status: 'error'; error: WidgetError }

export type WidgetErrorCode =
  | 'invalid_options'
  | 'token_failed'
  | 'popup_blocked'
  | 'open_failed'
  | 'load_timeout'
  | 'frame_blocked'
  | 'confirm_failed'
  | 'destroyed'

/** A failure with a stable code and a message that says what to do. Never holds a token. */
export interface WidgetError extends Error {
  readonly name: 'WidgetError'
  readonly code: WidgetErrorCode
  /** True when opening again may help. */
  readonly recoverable: boolean
  /** What the companion returned with a refusal; `status` only if the page itself sent the request. */
  readonly companion?: { status?: number; code?: string; message?: string }
}

/**
 * The stages of a widget's life.
 *
 * - `idle`: nothing is open.
 * - `opening`: waiting for the token.
 * - `loading`: the surface is visible, and the widget is loading.
 * - `loaded`: the frame fired `load`, which is no proof that the widget works (M1).
 * - `ready`: an interpreted message said so.
 * - `detached`: in a window that cannot be observed, or was closed as it opened.
 * - `confirming`: the merchant's server is being asked.
 * - `settled`: ended with `result`; `open()` starts again.
 * - `destroyed`: final.
 */
export type WidgetState =
  | { status: 'idle' }
  | { status: 'opening'; mode: Mode }
  | { status: 'loading'; mode: Mode }
  | { status: 'loaded'; mode: Mode }
  | { status: 'ready'; mode: Mode }
  | { status: 'detached'; mode: Mode }
  | { status: 'confirming'; mode: Mode }
  | { status: 'settled'; result: PurchaseResult }
  | { status: 'destroyed' }

/** What a return address says. Only a hint: ask the merchant's server for the result. */
export interface ReturnInfo {
  /** The purchase id in the address, as `/return/<id>` or `?purchase=<id>`. */
  purchaseId?: string
  /** `success` or `failure` when the address matches or says so; otherwise `unknown`. */
  status: 'success' | 'failure' | 'unknown'
  orderId?: string
  customId?: string
  declineCode?: string
  /** The address without the parameters that the service added. */
  url: string
}

/** A `return` event; `preventDefault()` keeps the host page where it is. */
export interface ReturnEvent {
  readonly info: ReturnInfo
  readonly defaultPrevented: boolean
  preventDefault(): void
}

/** Each event's payload; `events.ts` lists them, and everything else is derived from that list. */
export interface WidgetEventMap {
  statechange: WidgetState
  /** The frame's load event: no proof that the widget works. */
  load: { mode: Mode }
  ready: { mode: Mode }
  /** A message from the widget that passed the check: exact source and exact origin. */
  message: { data: unknown }
  /** The shopper came back from the widget's own window; cancelable. */
  return: ReturnEvent
  /** A popup was blocked; `instead` says what opens in its place. */
  blocked: { instead: 'modal' | 'redirect' | 'none' }
  error: WidgetError
  success: Extract<PurchaseResult, { status: 'success' }>
  failure: Extract<PurchaseResult, { status: 'failure' }>
  /** Every result; fired last. */
  result: PurchaseResult
}

export interface PurchaseWidget {
  /** Opens the widget. Never rejects. While it is open, returns the same promise and focuses the widget. Call it in the click. */
  open(): Promise<PurchaseResult>
  /** The shopper is done: closes the widget and asks for the result. Idempotent. */
  close(): void
  /** Brings the widget to the front. */
  focus(): void
  /**
   * Replaces the options. Its functions are called from now on, also by a purchase under way; a function that is left out stays available
   * to that purchase. Everything else applies to the next opening, and what was preloaded is discarded; a frame in the page is reopened
   * at once. Options with the same values change nothing.
   *
   * @returns Whether the values have changed.
   * @throws WidgetError `invalid_options` in development; the previous options stay in effect. In production the next `open()` ends with it.
   */
  update(options: PurchaseWidgetOptions): boolean
  /** Final and idempotent; restores the page to what it was. */
  destroy(): void
  /**
   * Loads the widget in an invisible frame, which the next opening shows, for ten minutes at most; every other opening has a purchase of its
   * own. A window is loaded in the click, so for one it loads only the loader's second file.
   */
  preload(): void
  /** Listens to an event; returns a function that removes the listener. */
  on<Type extends keyof WidgetEventMap>(
    type: Type,
    listener: (event: WidgetEventMap[Type]) => void,
  ): () => void
  /** The current state; the same object until it changes. */
  getSnapshot(): WidgetState
  /** Calls `listener` after each change of state; returns a function that removes it. */
  subscribe(listener: () => void): () => void
}
