/** What a widget gives: results, states, events and errors. */
import type { Mode, PurchaseWidgetOptions } from './options.ts'
import type { Decline, OrderSummary } from './order.ts'

/** What became of a purchase. `verified` is true only when the merchant's server said so. */
export type PurchaseResult =
  /** Paid. `verified: false` with an `order`: it is not what was begun, and the shop looks at it. */
  | { status: 'success'; verified: boolean; order?: OrderSummary; returnUrl?: string }
  | { status: 'failure'; verified: boolean; order?: OrderSummary; decline?: Decline; returnUrl?: string }
  /** The shopper left; `order` when the server knows one that has not ended. */
  | { status: 'closed'; order?: OrderSummary }
  /** It is not known how it ended: the server did not answer, or knows of no order that has ended. */
  | { status: 'unknown'; reason: string; order?: OrderSummary }
  /** This tab is leaving; the return page gives the result. */
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
  /** What the companion said with a refusal; its status where the page itself has asked. */
  readonly companion?: { status?: number; code?: string; message?: string }
}

/**
 * Where a widget is in its life.
 *
 * - `idle`: nothing is open.
 * - `opening`: waiting for the token.
 * - `loading`: the surface shows, the widget is on its way.
 * - `loaded`: the frame reported load, which is no proof that the widget works (M1).
 * - `ready`: an interpreted message said so.
 * - `detached`: in a window that cannot be observed, or was closed as it appeared.
 * - `confirming`: the merchant's server is being asked.
 * - `settled`: ended with `result`; `open()` starts anew.
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

/** What a return address says. A hint only: the merchant's server knows. */
export interface ReturnInfo {
  /** The purchase that the address names, as `/return/<id>` or `?purchase=<id>`. */
  purchaseId?: string
  /** `success` or `failure` when the address matches, or says so; else `unknown`. */
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

/** Each event's payload; `events.ts` has the one table that everything else is made from. */
export interface WidgetEventMap {
  statechange: WidgetState
  /** The frame's load event: not a proof that the widget works. */
  load: { mode: Mode }
  ready: { mode: Mode }
  /** A message of the widget that passed the gate: exact source and exact origin. */
  message: { data: unknown }
  /** The shopper came back from the widget's own window; cancelable. */
  return: ReturnEvent
  /** A popup was blocked; `instead` is what is done. */
  blocked: { instead: 'modal' | 'redirect' | 'none' }
  error: WidgetError
  success: Extract<PurchaseResult, { status: 'success' }>
  failure: Extract<PurchaseResult, { status: 'failure' }>
  /** Every result, last of all. */
  result: PurchaseResult
}

export interface PurchaseWidget {
  /** Opens the widget. Never rejects. While open: the same promise, and focus. Call it in the click. */
  open(): Promise<PurchaseResult>
  /** The shopper is done: closes the widget and asks what became of it. Idempotent. */
  close(): void
  /** Brings the widget to the front. */
  focus(): void
  /**
   * Takes other options. Functions among them are the ones that are called from now on, also by a purchase under way; one that is left out is
   * still there for it. Everything else is for the next opening, and what was loaded early is thrown away; a frame in the page is opened
   * anew at once. Options of the same values change nothing.
   *
   * @returns Whether the values have changed.
   * @throws WidgetError `invalid_options`; the older options stay.
   */
  update(options: PurchaseWidgetOptions): boolean
  /** Final, idempotent; the page is as it was. */
  destroy(): void
  /**
   * Warms up: fetches the token and, for frames with `preload: 'eager'`, loads the widget in a frame that nobody sees yet. What is
   * there serves the next opening, for ten minutes at most; every other opening asks for a token of its own.
   */
  preload(): void
  /** Listens to an event; gives back the undo. */
  on<Type extends keyof WidgetEventMap>(
    type: Type,
    listener: (event: WidgetEventMap[Type]) => void,
  ): () => void
  /** The current state; the same object until it changes. */
  getSnapshot(): WidgetState
  /** Calls `listener` after each change of state; gives back the undo. */
  subscribe(listener: () => void): () => void
}
