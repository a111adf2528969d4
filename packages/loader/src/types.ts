/** The public contract of the loader: options, results, events, state and errors. */

/** How the widget is shown: in a frame on the page, in a dialog, in a window of its own, or instead of this page. */
export type Mode = 'iframe' | 'modal' | 'popup' | 'redirect'

/** How the purchase ends: `self` brings the shopper back to this page's tab, `new` leaves the return page where it opened. */
export type RedirectPage = 'self' | 'new'

/**
 * The state of an order. The service names three and says "etc.", so any other value passes through (U14).
 */
export type OrderType = 'payment_started' | 'order_complete' | 'order_failed' | (string & {})

/** Why a card payment was declined, and what the shopper should do (section 7 of the interface). */
export interface Decline {
  code: string
  reason: string
  action: string
}

/** What the merchant's server says about an order. Holds no personal data. Wire names are the service's (section 2.2). */
export interface OrderSummary {
  id: string
  type: OrderType
  custom_id?: string
  product_id?: string
  base?: string
  base_amount?: string
  quote?: string
  quote_amount?: string
  /** Null unless the order failed with a code of section 7. */
  decline: Decline | null
  redirect_url?: string
  fail_redirect_url?: string
  redirect_page?: string
}

/** What is known about a purchase before the server was asked. Never proof of anything. */
export interface ConfirmHint {
  orderId?: string
  customId?: string
  returnUrl?: string
}

/** Asks the merchant's server what became of a purchase. Resolves to null while the server knows no order. */
export type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>

/** Query parameters for the widget: the order fields of section 2.2 as typed keys, and any other (U10). */
export interface WidgetParams {
  custom_id?: string
  user_id?: string
  product_id?: string
  base?: string
  base_amount?: string
  quote?: string
  quote_amount?: string
  address?: string
  email?: string
  utm_source?: string
  clickID?: string
  campaignID?: string
  redirect_url?: string
  fail_redirect_url?: string
  redirect_page?: RedirectPage
  [name: string]: string | undefined
}

/** Where the access token comes from: exactly one of three. */
export type TokenSource =
  | {
      /** Address of the companion handler; it gives token, widget address and confirmation. */
      companion: string
      widgetUrl?: never
      accessToken?: never
      launchUrl?: never
      confirm?: never
    }
  | {
      /** Address of the widget page, without `/widget/`. */
      widgetUrl: string
      accessToken: string | (() => string | Promise<string>)
      confirm?: Confirm
      companion?: never
      launchUrl?: never
    }
  | {
      widgetUrl: string
      /** Address on the merchant's server that answers 303 to the widget, so that the token never enters the page. */
      launchUrl: string
      confirm?: Confirm
      companion?: never
      accessToken?: never
    }

/** Every text the loader can show. */
export interface WidgetStrings {
  /** Accessible name of the frame and of the dialog. */
  title: string
  /** Name of the dialog's close button. */
  close: string
  /** Shown in the popup, and over a frame, until the widget arrives. */
  loading: string
  /** Shown while the purchase is in another window. */
  inOtherWindow: string
  /** Brings the other window to the front. */
  bringToFront: string
  /** Says that the shopper has finished in the other window. */
  finished: string
  /** Shown when the widget has not loaded in time or was refused. */
  notLoading: string
  retry: string
  openInNewWindow: string
}

export interface WidgetBehaviour {
  /** Default: `iframe` with a `container`, `modal` without. */
  mode?: Mode
  /** Where an iframe goes: an element or a selector. */
  container?: Element | string
  /**
   * Default: `params.redirect_page`, else `self`. The widget gets it as `redirect_page` when one of the two was given. In mode
   * `redirect` it always gets `self`, since the loader itself opens the tab for `new`. Two that differ are `invalid_options`.
   */
  redirectPage?: RedirectPage
  /** What to do when a popup is blocked. Default `modal`. */
  fallback?: 'modal' | 'redirect' | 'none'
  params?: WidgetParams
  /**
   * When to start loading. `none`, the default: at `open()`. `intent`: the token, when the container comes near the viewport; from a
   * button of your own, call `preload()` on `pointerenter` and `focus`. `eager`: at once, for frames the whole widget.
   */
  preload?: 'none' | 'intent' | 'eager'
  /**
   * Milliseconds after which a frame that has not loaded shows a way out (try again, new window), until it loads. A frame that the
   * page's Content-Security-Policy blocks shows it at once. Default 15000.
   */
  loadTimeout?: number
  popup?: { width?: number; height?: number }
  /** Accessible name of the frame; short for `strings.title`. */
  title?: string
  /** BCP 47 tag; sets language and direction of what the loader shows. Default: the page's. */
  locale?: string
  strings?: Partial<WidgetStrings>
  /** Default `system`. */
  theme?: 'light' | 'dark' | 'system'
  /** Origins, besides the page's own, that a return address may have. */
  allowedReturnOrigins?: readonly string[]
  /** Turns a message of the widget into a signal (U11). A signal is a hint: it never makes a result verified. */
  interpretMessage?: (data: unknown) => MessageSignal | null | undefined
}

/** What a message of the widget may mean. */
export type MessageSignal =
  | { type: 'ready' }
  | { type: 'close' }
  | { type: 'finished'; orderId?: string; customId?: string }

export type PurchaseWidgetOptions = TokenSource & WidgetBehaviour

/** What became of a purchase. `verified` is true only when the merchant's server said so. */
export type PurchaseResult =
  | { status: 'success'; verified: boolean; order?: OrderSummary; returnUrl?: string }
  | { status: 'failure'; verified: boolean; order?: OrderSummary; decline?: Decline; returnUrl?: string }
  /** The person left first; `order` when the server knows one. */
  | { status: 'closed'; order?: OrderSummary }
  /** The surface cannot be observed, and the server knows no finished order yet. */
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
}

/**
 * Where a widget is in its life.
 *
 * - `idle`: nothing is open.
 * - `opening`: waiting for the token.
 * - `loading`: the surface shows, the widget is on its way.
 * - `loaded`: the frame reported load, which is no proof that the widget works (M1).
 * - `ready`: an interpreted message said so.
 * - `detached`: in a window that cannot be observed.
 * - `confirming`: the merchant's server is being asked.
 * - `closed`: ended with `result`; `open()` starts anew.
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
  | { status: 'closed'; result: PurchaseResult }
  | { status: 'destroyed' }

/** What a return page's address says. A hint only: confirm it with the merchant's server. */
export interface ReturnInfo {
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

/** Each event's payload. */
export interface WidgetEventMap {
  statechange: WidgetState
  /** The frame's load event: not a proof that the widget works. */
  load: { mode: Mode }
  ready: { mode: Mode }
  /** A message of the widget that passed the gate: exact source and exact origin. */
  message: { data: unknown }
  return: ReturnEvent
  success: Extract<PurchaseResult, { status: 'success' }>
  failure: Extract<PurchaseResult, { status: 'failure' }>
  close: PurchaseResult
  /** A popup was blocked; `fallback` is what is done instead. */
  blocked: { fallback: 'modal' | 'redirect' | 'none' }
  error: WidgetError
}

export interface PurchaseWidget {
  /** Opens the widget. Never rejects. While open: the same promise, and focus. Call it in the click. */
  open(): Promise<PurchaseResult>
  /** Closes the widget. Idempotent. */
  close(): void
  /** Brings the widget to the front. */
  focus(): void
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
