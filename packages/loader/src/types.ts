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

/** What your server is asked about, where there is no companion. */
export interface ConfirmHint {
  /** The loader's id of this opening: it is in the return addresses, as `purchase`, that the order keeps. */
  purchaseId: string
  /** Where the shopper returned to; nothing when the loader only looks. Never proof of anything. */
  returnUrl?: string
}

/** Asks the merchant's server what became of a purchase. Resolves to null while the server knows no order of it. */
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

/** Where the access token comes from: exactly one of four. */
export type TokenSource =
  | {
      /** Address of the companion handler; it begins the purchase, gives the widget's address, and knows what became of it. */
      companion: string
      /** True: the widget is opened through `/launch` with a ticket, and the token never enters the page. Default false. */
      launch?: boolean
      /** Sent with every call to the companion: for apps whose session is an `Authorization` header. Asked for anew each time. */
      headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)
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
      launch?: never
      headers?: never
      launchUrl?: never
    }
  | {
      widgetUrl: string
      /** Address on the merchant's server that answers 303 to the widget, so that the token never enters the page. */
      launchUrl: string
      confirm?: Confirm
      companion?: never
      launch?: never
      headers?: never
      accessToken?: never
    }

/** Every text the loader can show. `docs/languages.md` has them in other languages, as files beside the loader. */
export interface WidgetStrings {
  /** Accessible name of the frame and of the dialog. */
  title: string
  /** Name of the dialog's close button. */
  close: string
  /** Shown until the widget arrives, and again, as `connecting`, when that takes 5 seconds. */
  loading: string
  connecting: string
  cancel: string
  /** Shown while the purchase is in another window. */
  inOtherWindow: string
  bringToFront: string
  /** Says that the shopper has finished in the other window. */
  finished: string
  /** Opens the choice of `retry` and `openInNewWindow` beside a widget that has loaded. */
  trouble: string
  /** Shown when the widget has not loaded in time or was refused. */
  notLoading: string
  /** Shown when nothing could be opened: the token call failed, or took too long. */
  failed: string
  retry: string
  openInNewWindow: string
  /** Shown while the merchant's server is asked what became of the purchase, and when it does not answer. */
  confirming: string
  notConfirmed: string
  askAgain: string
  dismiss: string
}

/** What the widget may use in its frame; each is granted to the widget's origin alone (M8 of docs/measurements.md). */
export type WidgetPermission =
  | 'payment'
  | 'camera'
  | 'microphone'
  | 'clipboard-write'
  | 'publickey-credentials-get'
  | 'publickey-credentials-create'
  | 'geolocation'
  | 'fullscreen'

export interface WidgetBehaviour {
  /** Default: `iframe` with a `container`, `modal` without. */
  mode?: Mode
  /** Where an iframe goes: an element or a selector. */
  container?: Element | string
  /** The one option for it; in mode `redirect` the loader itself opens the tab for `new`. Default `self`. */
  redirectPage?: RedirectPage
  /** What to do when a popup is blocked. Default `modal`. */
  whenBlocked?: 'modal' | 'redirect' | 'none'
  /**
   * What the page asks for. With a companion it is a wish, which the server's `createPurchase` decides about; otherwise it goes to the
   * widget as it is. `accessToken` and `redirect_page` are not among it.
   */
  params?: WidgetParams
  /**
   * When to start loading. `none`, the default: at `open()`. `intent`: when the container comes near the viewport, or at your own
   * `preload()` on `pointerenter` and `focus`; for frames the whole widget, for windows the token. `eager`: at once.
   */
  preload?: 'none' | 'intent' | 'eager'
  /**
   * Milliseconds after which a token call is given up, and a frame that has not loaded is replaced by a way out (try again, new window).
   * A frame that the page's Content-Security-Policy blocks is replaced at once. Default 15000.
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
  /** Default: payment, camera, microphone, clipboard-write and the two publickey-credentials. */
  permissions?: readonly WidgetPermission[]
  /** The frame's `sandbox` attribute. Default: none, since wallets and banks open windows and move the top page. */
  frameSandbox?: string
  /** Origins, besides the page's own and the companion's, that a return address may have. */
  allowedReturnOrigins?: readonly string[]
  /** Turns a message of the widget into a signal (U11). A signal is a hint: it never makes a result verified. */
  interpretMessage?: (data: unknown) => MessageSignal | null | undefined
}

/** What a message of the widget may mean. */
export type MessageSignal =
  | { type: 'ready' }
  | { type: 'close' }
  | { type: 'finished' }

export type PurchaseWidgetOptions = TokenSource & WidgetBehaviour

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
  /** What the companion said with a refusal. */
  readonly companion?: { status: number; code?: string; message?: string }
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
