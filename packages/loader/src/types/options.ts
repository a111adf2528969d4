/** What `createPurchaseWidget` takes. */
import type { Confirm } from './order.ts'

/** How the widget is shown: in a frame on the page, in a dialog, in a window of its own, or instead of this page. */
export type Mode = 'iframe' | 'modal' | 'popup' | 'redirect'

/** How the purchase ends: `self` brings the shopper back to this page's tab, `new` leaves the return page where it opened. */
export type RedirectPage = 'self' | 'new'

/** The order fields of section 2.2 that a page may ask for, under the service's names. */
export interface OrderParams {
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
  /** Where the shopper goes after a success. With a companion, its `createPurchase` decides. */
  redirect_url?: string
  fail_redirect_url?: string
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** What is not a parameter: the service's fields in another spelling, the token, and what `redirectPage` is for. */
type NoParam =
  | Exclude<CamelCase<keyof OrderParams>, keyof OrderParams>
  | 'accessToken'
  | 'redirect_page'
  | 'redirectPage'

/** Query parameters for the widget: the order's fields, and any other (U10). */
export type WidgetParams = OrderParams & { [Name in NoParam]?: never } & {
  [name: string]: string | undefined
}

/** Where the access token comes from: exactly one of four. */
export type TokenSource =
  | {
      /** Address of the companion handler; it begins the purchase, gives the widget's address, and knows what became of it. */
      companion: string
      /**
       * True: the page gets the access token, and builds the widget's address itself. Default false: the widget is opened through the
       * companion's `/launch`, and no token enters the page.
       */
      pageToken?: boolean
      /**
       * Origin of the widget page. With it the click itself opens the companion's link; without it, from the second purchase of a page on.
       * The script that the companion serves knows it.
       */
      widgetOrigin?: string
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
      pageToken?: never
      widgetOrigin?: never
      headers?: never
      launchUrl?: never
    }
  | {
      widgetUrl: string
      /** Address on the merchant's server that answers 303 to the widget, so that the token never enters the page. */
      launchUrl: string
      confirm?: Confirm
      companion?: never
      pageToken?: never
      widgetOrigin?: never
      headers?: never
      accessToken?: never
    }

/** Every text the loader can show. Other languages are files beside the loader: `@purchase-widget/loader/locales/de`, `purchase-widget.de.js`. */
export interface WidgetStrings {
  /** Shown in the dialog's header and in a window that waits; the accessible name of frame and dialog. */
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
  /** Shown when that window is closed, or cannot be seen any more (M5 of docs/measurements.md). */
  windowLost: string
  /** Says that the shopper has finished in the other window. */
  finished: string
  /** Name of the `?` beside a widget that has loaded, which opens the choice of `retry` and `openInNewWindow`. */
  trouble: string
  /** Shown when the widget has not loaded in time or was refused. */
  notLoading: string
  /** Shown when nothing could be opened: the purchase was refused, or took too long to begin. */
  failed: string
  /** Shown after `failed`, where no widget has been open in which the shopper could have paid. */
  notCharged: string
  retry: string
  openInNewWindow: string
  /** Shown while the merchant's server is asked what became of the purchase, and when it does not answer. */
  confirming: string
  notConfirmed: string
  askAgain: string
  /** Shown while the payment of a purchase that this tab had open before is under way. */
  processing: string
  /** Shown when it is paid, and is not what was begun. */
  underReview: string
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
  /** What the purchase is called, such as `100 gold coins`; short for `strings.title`. */
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
  /**
   * Origins, besides the page's own and the companion's, that a return address may have. An address that the companion answers for a purchase
   * is the merchant's own, and needs none.
   */
  allowedReturnOrigins?: readonly string[]
  /**
   * In development: hosts besides this machine whose addresses may be plain http, such as a sandbox's in a container: `['sandbox']`. A page that is
   * itself on https takes no notice of it. Default: none.
   */
  plainHttpHosts?: readonly string[]
  /** Turns a message of the widget into a signal (U11). A signal is a hint: it never makes a result verified. */
  interpretMessage?: (data: unknown) => MessageSignal | null | undefined
}

/** What a message of the widget may mean. */
export type MessageSignal = { type: 'ready' } | { type: 'close' } | { type: 'finished' }

/** Where the widget shows, with the options that mean something there. */
export type Placement =
  | { mode?: 'iframe'; container: Element | string; popup?: never; whenBlocked?: never }
  | { mode?: Exclude<Mode, 'iframe'>; container?: never }

export type PurchaseWidgetOptions = TokenSource & WidgetBehaviour & Placement
