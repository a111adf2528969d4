declare const isWidgetError: (value: unknown) => value is WidgetError;
declare const widgetEvents: {
  readonly statechange: "onStateChange";
  readonly load: "onLoad";
  readonly ready: "onReady";
  readonly message: "onMessage";
  readonly return: "onReturn";
  readonly blocked: "onBlocked";
  readonly error: "onError";
  readonly success: "onSuccess";
  readonly failure: "onFailure";
  readonly result: "onResult";
};
declare function buildWidgetUrl(parts: WidgetUrlParts): string;
declare function createPurchaseWidget(options: PurchaseWidgetOptions): PurchaseWidget;
declare function getPendingResult(options: PendingOptions): Promise<PurchaseResult | null>;
declare function parseReturnUrl(url: string, addresses?: ReturnAddresses): ReturnInfo | null;
declare function resolveRedirect(order: Pick<OrderSummary, "type" | "redirect_url" | "fail_redirect_url" | "redirect_page">, options?: {
  allowedReturnOrigins?: readonly string[] | undefined;
}): Redirect | null;
declare global {
  interface GlobalEventHandlersEventMap extends WidgetDomEvents {}
}
export {
  type Confirm,
  type ConfirmHint,
  type Decline,
  type MessageSignal,
  type Mode,
  type OrderParams,
  type OrderSummary,
  type OrderType,
  type PendingOptions,
  type Placement,
  type PurchaseResult,
  type PurchaseWidget,
  type PurchaseWidgetOptions,
  type Redirect,
  type RedirectPage,
  type ReturnAddresses,
  type ReturnEvent,
  type ReturnInfo,
  type TokenSource,
  type WidgetBehaviour,
  type WidgetDomEvents,
  type WidgetError,
  type WidgetErrorCode,
  type WidgetEventMap,
  type WidgetEventProps,
  type WidgetEventType,
  type WidgetParams,
  type WidgetPermission,
  type WidgetState,
  type WidgetStrings,
  type WidgetUrlParts,
  buildWidgetUrl,
  createPurchaseWidget,
  getPendingResult,
  isWidgetError,
  parseReturnUrl,
  resolveRedirect,
  widgetEvents,
};
interface ConfirmHint {
  purchaseId: string;
  returnUrl?: string;
}
interface Decline {
  code: string;
  reason: string;
  action: string;
}
interface OrderParams {
  custom_id?: string;
  user_id?: string;
  product_id?: string;
  base?: string;
  base_amount?: string;
  quote?: string;
  quote_amount?: string;
  address?: string;
  email?: string;
  utm_source?: string;
  clickID?: string;
  campaignID?: string;
  redirect_url?: string;
  fail_redirect_url?: string;
}
interface OrderSummary {
  id: string;
  type: OrderType;
  custom_id?: string;
  product_id?: string;
  base?: string;
  base_amount?: string;
  quote?: string;
  quote_amount?: string;
  decline: Decline | null;
  redirect_url?: string;
  fail_redirect_url?: string;
  redirect_page?: string;
}
interface PendingOptions extends Pick<WidgetBehaviour, "locale" | "strings" | "theme"> {
  companion: string;
  headers?: Settings["headers"];
  onPending?: () => void;
}
interface PurchaseWidget {
  open(): Promise<PurchaseResult>;
  close(): void;
  focus(): void;
  destroy(): void;
  preload(): void;
  on<Type extends keyof WidgetEventMap>(type: Type, listener: (event: WidgetEventMap[Type]) => void): () => void;
  getSnapshot(): WidgetState;
  subscribe(listener: () => void): () => void;
}
interface Redirect {
  url: string;
  target: "_self" | "_blank";
}
interface ReturnAddresses {
  companion?: string | undefined;
  redirectUrl?: string | undefined;
  failRedirectUrl?: string | undefined;
}
interface ReturnEvent {
  readonly info: ReturnInfo;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}
interface ReturnInfo {
  purchaseId?: string;
  status: "success" | "failure" | "unknown";
  orderId?: string;
  customId?: string;
  declineCode?: string;
  url: string;
}
interface Settings {
  readonly companion?: string;
  readonly launch?: boolean;
  readonly headers?: Headers;
  readonly widgetUrl?: string;
  readonly accessToken?: string | (() => string | Promise<string>);
  readonly launchUrl?: string;
  readonly confirm?: Confirm;
  readonly mode: Mode;
  readonly container?: Element | string;
  readonly redirectPage: RedirectPage;
  readonly whenBlocked: NonNullable<WidgetBehaviour["whenBlocked"]>;
  readonly params: Readonly<Record<string, string>>;
  readonly preload: NonNullable<WidgetBehaviour["preload"]>;
  readonly loadTimeout: number;
  readonly popup: {
    readonly width: number;
    readonly height: number;
  };
  readonly strings: WidgetStrings;
  readonly locale?: string;
  readonly lang: string;
  readonly theme: NonNullable<WidgetBehaviour["theme"]>;
  readonly permissions: readonly string[];
  readonly frameSandbox?: string;
  readonly allowedOrigins: readonly string[];
  readonly returnOrigins: readonly string[];
  readonly plainHttpHosts?: readonly string[];
  readonly interpretMessage?: (data: unknown) => MessageSignal | null | undefined;
}
interface WidgetBehaviour {
  mode?: Mode;
  container?: Element | string;
  redirectPage?: RedirectPage;
  whenBlocked?: "modal" | "redirect" | "none";
  params?: WidgetParams;
  preload?: "none" | "intent" | "eager";
  loadTimeout?: number;
  popup?: {
    width?: number;
    height?: number;
  };
  title?: string;
  locale?: string;
  strings?: Partial<WidgetStrings>;
  theme?: "light" | "dark" | "system";
  permissions?: readonly WidgetPermission[];
  frameSandbox?: string;
  allowedReturnOrigins?: readonly string[];
  plainHttpHosts?: readonly string[];
  interpretMessage?: (data: unknown) => MessageSignal | null | undefined;
}
interface WidgetError extends Error {
  readonly name: "WidgetError";
  readonly code: WidgetErrorCode;
  readonly recoverable: boolean;
  readonly companion?: {
    status: number;
    code?: string;
    message?: string;
  };
}
interface WidgetEventMap {
  statechange: WidgetState;
  load: {
    mode: Mode;
  };
  ready: {
    mode: Mode;
  };
  message: {
    data: unknown;
  };
  return: ReturnEvent;
  blocked: {
    instead: "modal" | "redirect" | "none";
  };
  error: WidgetError;
  success: Extract<PurchaseResult, {
    status: "success";
  }>;
  failure: Extract<PurchaseResult, {
    status: "failure";
  }>;
  result: PurchaseResult;
}
interface WidgetStrings {
  title: string;
  close: string;
  loading: string;
  connecting: string;
  cancel: string;
  inOtherWindow: string;
  bringToFront: string;
  windowLost: string;
  finished: string;
  trouble: string;
  notLoading: string;
  failed: string;
  retry: string;
  openInNewWindow: string;
  confirming: string;
  notConfirmed: string;
  askAgain: string;
  processing: string;
  underReview: string;
  dismiss: string;
  declineActions?: Readonly<Record<string, string>>;
}
interface WidgetUrlParts {
  widgetUrl: string;
  accessToken: string;
  params?: QueryParams;
  plainHttpHosts?: readonly string[] | undefined;
}
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type Checked<Table extends Record<keyof WidgetEventMap, `on${Capitalize<string>}`>> = Table;
type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>;
type Headers = Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
type MessageSignal = {
  type: "ready";
} | {
  type: "close";
} | {
  type: "finished";
};
type Mode = "iframe" | "modal" | "popup" | "redirect";
type NoParam = Exclude<CamelCase<keyof OrderParams>, keyof OrderParams> | "accessToken" | "redirect_page" | "redirectPage";
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
type Placement = {
  mode?: "iframe";
  container: Element | string;
  popup?: never;
  whenBlocked?: never;
} | {
  mode?: Exclude<Mode, "iframe">;
  container?: never;
};
type PurchaseResult = {
  status: "success";
  verified: boolean;
  order?: OrderSummary;
  returnUrl?: string;
} | {
  status: "failure";
  verified: boolean;
  order?: OrderSummary;
  decline?: Decline;
  returnUrl?: string;
} | {
  status: "closed";
  order?: OrderSummary;
} | {
  status: "unknown";
  reason: string;
  order?: OrderSummary;
} | {
  status: "redirected";
} | {
  status: "error";
  error: WidgetError;
};
type PurchaseWidgetOptions = TokenSource & WidgetBehaviour & Placement;
type QueryParams = Readonly<Record<string, string | undefined>>;
type RedirectPage = "self" | "new";
type Table = Checked<typeof widgetEvents>;
type TokenSource = {
  companion: string;
  launch?: boolean;
  headers?: Record<string, string> | (() => Record<string, string> | Promise<Record<string, string>>);
  widgetUrl?: never;
  accessToken?: never;
  launchUrl?: never;
  confirm?: never;
} | {
  widgetUrl: string;
  accessToken: string | (() => string | Promise<string>);
  confirm?: Confirm;
  companion?: never;
  launch?: never;
  headers?: never;
  launchUrl?: never;
} | {
  widgetUrl: string;
  launchUrl: string;
  confirm?: Confirm;
  companion?: never;
  launch?: never;
  headers?: never;
  accessToken?: never;
};
type WidgetDomEvents = { [Type in WidgetEventType as `purchasewidget:${Type}`]: CustomEvent<WidgetEventMap[Type]>; };
type WidgetErrorCode = "invalid_options" | "token_failed" | "popup_blocked" | "open_failed" | "load_timeout" | "frame_blocked" | "confirm_failed" | "destroyed";
type WidgetEventProps = { [Type in WidgetEventType as Table[Type]]?: (event: WidgetEventMap[Type]) => void; };
type WidgetEventType = keyof Table;
type WidgetParams = OrderParams & { [Name in NoParam]?: never; } & {
  [name: string]: string | undefined;
};
type WidgetPermission = "payment" | "camera" | "microphone" | "clipboard-write" | "publickey-credentials-get" | "publickey-credentials-create" | "geolocation" | "fullscreen";
type WidgetState = {
  status: "idle";
} | {
  status: "opening";
  mode: Mode;
} | {
  status: "loading";
  mode: Mode;
} | {
  status: "loaded";
  mode: Mode;
} | {
  status: "ready";
  mode: Mode;
} | {
  status: "detached";
  mode: Mode;
} | {
  status: "confirming";
  mode: Mode;
} | {
  status: "settled";
  result: PurchaseResult;
} | {
  status: "destroyed";
};
