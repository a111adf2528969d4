declare class PurchaseWidgetElement extends Base {
  #private;
  get options(): Partial<PurchaseWidgetOptions>;
  set options(options: Partial<PurchaseWidgetOptions>);
  connectedCallback(): void;
  disconnectedCallback(): void;
  open(): Promise<PurchaseResult>;
  close(): void;
  preload(): void;
}
declare const Base: typeof HTMLElement;
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
declare global {
  interface GlobalEventHandlersEventMap extends WidgetDomEvents {}
}
declare global {
  interface HTMLElementTagNameMap {
    "purchase-widget": PurchaseWidgetElement;
  }
}
export {
  type PurchaseWidgetAttributes,
  PurchaseWidgetElement,
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
interface Written {
  text: string;
  number: number | string;
  flag: boolean | "";
  list: string;
}
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;
type Checked<Table extends Record<keyof WidgetEventMap, `on${Capitalize<string>}`>> = Table;
type Confirm = (hint: ConfirmHint) => Promise<OrderSummary | null>;
type Given = TokenSource & WidgetBehaviour;
type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}` ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}` : "";
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type KindOf<Value> = [Value] extends [boolean] ? "flag" : [Value] extends [number] ? "number" : [Value] extends [readonly string[]] ? "list" : [Value] extends [string] ? "text" : never;
type KindOfOption<Name> = KindOf<Exclude<ValueOf<Given, Name>, undefined | Element>>;
type MessageSignal = {
  type: "ready";
} | {
  type: "close";
} | {
  type: "finished";
};
type Mode = "iframe" | "modal" | "popup" | "redirect";
type NoParam = Exclude<CamelCase<keyof OrderParams>, keyof OrderParams> | "accessToken" | "redirect_page" | "redirectPage";
type OptionKinds = { [Name in Exclude<KeysOf<Given>, "accessToken"> as KindOfOption<Name> extends never ? never : Name]: KindOfOption<Name>; };
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
type PurchaseWidgetAttributes = { [Name in keyof OptionKinds as KebabCase<Name>]?: OptionKinds[Name] extends "text" ? ValueOf<Given, Name> & string : Written[OptionKinds[Name]]; } & { [Param in `param-${string}`]?: string; };
type PurchaseWidgetOptions = TokenSource & WidgetBehaviour & Placement;
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
type ValueOf<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;
type WidgetDomEvents = { [Type in WidgetEventType as `purchasewidget:${Type}`]: CustomEvent<WidgetEventMap[Type]>; };
type WidgetErrorCode = "invalid_options" | "token_failed" | "popup_blocked" | "open_failed" | "load_timeout" | "frame_blocked" | "confirm_failed" | "destroyed";
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
