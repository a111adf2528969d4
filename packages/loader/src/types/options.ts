/** The options of `createPurchaseWidget`. */
import type { Confirm } from './order.ts'

/** How the widget is shown: in a frame on the page, in a dialog, in a window of its own, or instead of this page. */
export type Mode = 'iframe' | 'modal' | 'popup' | 'redirect'

/** How the purchase ends: `self` brings the shopper back to this page's tab, `new` leaves the return page where it opened. */
export type RedirectPage = 'self' | 'new'

/** The order fields of section 2.2 that a page may request, under the service's names. */
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

/** Names that are not parameters: the service's fields in another spelling, the token, and what the option `redirectPage` sets. */
type NoParam =
  | Exclude<CamelCase<keyof OrderParams>, keyof OrderParams>
  | 'accessToken'
  | 'redirect_page'
  | 'redirectPage'

/** Query parameters for the widget: the order's fields, and any other (U10). */
export type WidgetParams = OrderParams & { [Name in NoParam]?: never } & {
  [name: string]: string | undefined
}

/** The options of every source; each source has some of them. */
export interface SourceOptions {
  /** Address of the companion handler, which creates the purchase, returns the widget's address and reports the result. */
  companion: string
  /**
   * True: the page receives the access token and builds the widget's address itself. Default false: the widget opens through the
   * companion's `/launch`, and no token enters the page.
   */
  pageToken: boolean
  /**
   * Origin of the widget page. With it, the click itself opens the companion's link; without it, only from the page's second purchase on.
   * The script that the companion serves sets it.
   */
  widgetOrigin: string
  /** Sent with every call to the companion, for apps whose session is an `Authorization` header. A function is called for each request. */
  headers: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>)
  /** Address of the widget page, without `/widget/`. */
  widgetUrl: string
  accessToken: string | (() => string | Promise<string>)
  /** Address on the merchant's server that redirects to the widget with a 303, so that the token never enters the page. */
  launchUrl: string
  /** Asks the merchant's server for the result, where no companion does. */
  confirm: Confirm
}

/** A source with these options, and none of the others. */
type Source<Required extends keyof SourceOptions, Optional extends keyof SourceOptions> = Pick<
  SourceOptions,
  Required
> &
  Partial<Pick<SourceOptions, Optional>> & {
    [Name in Exclude<keyof SourceOptions, Required | Optional>]?: never
  }

/** Where the purchase comes from: a companion, your own token, or your own launch route. Exactly one. */
export type TokenSource =
  | Source<'companion', 'pageToken' | 'widgetOrigin' | 'headers'>
  | Source<'widgetUrl' | 'accessToken', 'confirm'>
  | Source<'widgetUrl' | 'launchUrl', 'confirm'>

/** Every text the loader can show. Other languages are files beside the loader: `@purchase-widget/loader/locales/de`, `purchase-widget.de.js`. */
export interface WidgetStrings {
  /** Shown in the dialog's header and on a window's waiting page; also the accessible name of frame and dialog. */
  title: string
  /** Name of the dialog's close button. */
  close: string
  /** Shown until the widget loads; after 5 seconds `connecting` replaces it. */
  loading: string
  connecting: string
  cancel: string
  /** Shown while the purchase is in another window. */
  inOtherWindow: string
  bringToFront: string
  /** Shown when that window is closed or can no longer be observed (M5 of docs/measurements.md). */
  windowLost: string
  /** Label of the button for a shopper who has finished in the other window. */
  finished: string
  /** Name of the `?` beside a widget that has loaded, which opens the choice of `retry` and `openInNewWindow`. */
  trouble: string
  /** Shown when the purchase was refused, or the widget did not load, in time or at all. */
  failed: string
  /** Shown after `failed` when no widget was open in which the shopper could have paid. */
  notCharged: string
  retry: string
  openInNewWindow: string
  /** Shown while the loader asks the merchant's server for the result; `notConfirmed` when the server does not answer. */
  confirming: string
  notConfirmed: string
  askAgain: string
  /** Shown while the payment of this tab's earlier purchase is being processed. */
  processing: string
  /** Shown when the order is paid but does not match the purchase. */
  underReview: string
  dismiss: string
}

/** A feature that the widget may use in its frame, granted to the widget's origin alone (M8 of docs/measurements.md). */
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
  /** The container of an iframe: an element or a selector. */
  container?: Element | string
  /** Replaces the parameter `redirect_page`. In mode `redirect` the loader itself opens the tab for `new`. Default `self`. */
  redirectPage?: RedirectPage
  /** What to do when a popup is blocked. Default `modal`. */
  whenBlocked?: 'modal' | 'redirect' | 'none'
  /**
   * What the page requests. With a companion it is untrusted input, and the server's `createPurchase` decides; otherwise it goes to the
   * widget unchanged. `accessToken` and `redirect_page` are not allowed.
   */
  params?: WidgetParams
  /**
   * When to load a frame or dialog, invisibly. `none`, the default: at `open()`. `intent`: when the container comes near the viewport, or when
   * you call `preload()` on `pointerenter` and `focus`. `eager`: at once. A window is loaded in the click.
   */
  preload?: 'none' | 'intent' | 'eager'
  /**
   * Milliseconds after which a token call times out, and a frame that has not loaded offers recovery actions (try again, new window), as does a
   * window that still shows the waiting page. A frame that the page's Content-Security-Policy blocks offers them at once. Default 15000.
   */
  loadTimeout?: number
  popup?: { width?: number; height?: number }
  /** Name of the purchase, such as `100 gold coins`; shorthand for `strings.title`. */
  title?: string
  /** BCP 47 tag; sets the language and direction of the loader's own interface. Default: the page's. */
  locale?: string
  strings?: Partial<WidgetStrings>
  /** Default `system`. */
  theme?: 'light' | 'dark' | 'system'
  /** Default: payment, camera, microphone, clipboard-write and the two publickey-credentials. */
  permissions?: readonly WidgetPermission[]
  /** The frame's `sandbox` attribute. Default: none, since wallets and banks open windows and navigate the top page. */
  frameSandbox?: string
  /**
   * Origins that a return address may have, besides the page's own and the companion's. An address that the companion returns for a purchase
   * is the merchant's own and needs no entry.
   */
  allowedReturnOrigins?: readonly string[]
  /**
   * In development: hosts other than localhost whose addresses may be plain http, such as a sandbox's in a container: `['sandbox']`. A page
   * that is itself on https ignores this option. Default: none.
   */
  plainHttpHosts?: readonly string[]
  /** Turns a message of the widget into a signal (U11). A signal is a hint: it never makes a result verified. */
  interpretMessage?: (data: unknown) => MessageSignal | null | undefined
}

/** The possible meanings of a message from the widget. */
export type MessageSignal = { type: 'ready' } | { type: 'close' } | { type: 'finished' }

/** Where the widget opens, with the options that apply there. */
export type Placement =
  | { mode?: 'iframe'; container: Element | string; popup?: never; whenBlocked?: never }
  | { mode?: Exclude<Mode, 'iframe'>; container?: never }

export type PurchaseWidgetOptions = TokenSource & WidgetBehaviour & Placement
