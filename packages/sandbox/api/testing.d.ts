declare const faultTargets: readonly ["createAccessToken", "getTokenExpiry", "getOrderHistory", "getSubscription", "getTransaction", "createWidgetUser", "fetchUserDetails", "widgetPage", "widgetApi"];
declare const seconds: {
  readonly second: 1;
  readonly minute: 60;
  readonly hour: 3600;
  readonly day: 86_400;
  readonly week: 604_800;
};
declare const switchTable: {
  readonly tokenResponse: {
    readonly row: "U1";
    readonly description: "How the answer to a created token is shaped.";
    readonly values: readonly ["accessToken", "access_token", "token", "nested", "nestedTwice", "bare", "unrecognized"];
  };
  readonly expiryResponse: {
    readonly row: "U2";
    readonly description: "How the answer about a token’s expiry is shaped.";
    readonly values: readonly ["expire_date", "expireDate", "expires_at", "expiresAt", "nested", "bare", "unrecognized"];
  };
  readonly infiniteExpiry: {
    readonly row: "U2";
    readonly description: "What stands for the expiry of a token that never expires.";
    readonly values: readonly ["infinite", "null"];
  };
  readonly orderHistory: {
    readonly row: "U3";
    readonly description: "An array of orders, or an object around it.";
    readonly values: readonly ["array", "orders", "data", "envelope"];
  };
  readonly orderFields: {
    readonly row: "U3";
    readonly description: "Whether an order’s fields without a value are empty strings or left out.";
    readonly values: readonly ["all", "filled"];
  };
  readonly subscriptionResponse: {
    readonly row: "U4";
    readonly description: "One subscription (the newest that matches), all of them, or all of them in an object.";
    readonly values: readonly ["one", "array", "data"];
  };
  readonly dateFormat: {
    readonly row: "U5";
    readonly description: "How a token’s expiry and a subscription’s dates are written.";
    readonly values: readonly ["iso", "epochSeconds", "epochMilliseconds", "unrecognized"];
  };
  readonly errorShape: {
    readonly row: "U6";
    readonly description: "Refusals as an HTTP status with a body, as a body under 200, or nested in one, or as plain text.";
    readonly values: readonly ["status", "ok", "okNested", "text"];
  };
  readonly declineCode: {
    readonly row: "U7";
    readonly description: "Where a failed order carries its code: alone in fail_reason, inside its text, or in another field.";
    readonly values: readonly ["failReason", "failReasonText", "code", "error_code", "none"];
  };
  readonly refreshInvalidates: {
    readonly row: "U8";
    readonly description: "Whether creating a token ends the ones before it.";
    readonly values: readonly [false, true];
  };
  readonly tokenOpens: {
    readonly row: "U9";
    readonly description: "Whose orders a token opens: all of the business’s, or those bought with this token.";
    readonly values: readonly ["business", "ownOrders"];
  };
  readonly widgetParams: {
    readonly row: "U10";
    readonly description: "Whether the widget page reads the order fields among its query parameters.";
    readonly values: readonly ["orderFields", "ignored"];
  };
  readonly postsMessages: {
    readonly row: "U11";
    readonly description: "Whether the widget page posts messages to its parent and opener.";
    readonly values: readonly [false, true];
  };
  readonly redirectTarget: {
    readonly row: "U12";
    readonly description: "Where the return address opens: as redirect_page says, always the same way, or nowhere.";
    readonly values: readonly ["byOrder", "self", "new", "none"];
  };
  readonly webhookPayload: {
    readonly row: "U13";
    readonly description: "The shape of a webhook: nested under data, flat, or the order record itself.";
    readonly values: readonly ["nested", "flat", "record"];
  };
  readonly webhookDelivery: {
    readonly row: "U13";
    readonly description: "How often each webhook is delivered.";
    readonly values: readonly ["once", "twice"];
  };
  readonly statuses: {
    readonly row: "U14";
    readonly description: "Whether the values of type and the statuses are the known ones, or ones nobody has listed.";
    readonly values: readonly ["known", "unlisted"];
  };
  readonly regionLists: {
    readonly row: "U15";
    readonly description: "Which countries and states are on the service’s lists: all, or three and four.";
    readonly values: readonly ["iso", "short"];
  };
  readonly rateLimit: {
    readonly row: "U16";
    readonly description: "More than ten requests of one operation in a second: answered, or 429 with or without Retry-After.";
    readonly values: readonly ["none", "retryAfter", "bare"];
  };
  readonly userOperations: {
    readonly row: "U17";
    readonly description: "Where the two user operations are: at the base address, or only under its /users-host.";
    readonly values: readonly ["baseUrl", "usersHost"];
  };
  readonly returnQuery: {
    readonly row: "U19";
    readonly description: "What is added to a return address: nothing, the order’s ids, or a query that can’t be read.";
    readonly values: readonly ["none", "order", "malformed"];
  };
  readonly userKeyHeader: {
    readonly row: "U20";
    readonly description: "Whether creating a user needs the api-key header that section 4.6 lists beside the body’s api_key.";
    readonly values: readonly ["required", "optional"];
  };
  readonly hashLookup: {
    readonly row: "U21";
    readonly description: "Whether a transaction can be asked for by hash alone.";
    readonly values: readonly ["accepted", "refused"];
  };
  readonly returnAddresses: {
    readonly row: "U22";
    readonly description: "The return addresses on an order: as they were given, cut, with the order’s ids in their query, or left out.";
    readonly values: readonly ["asGiven", "cutAt255", "withQuery", "absent"];
  };
  readonly amounts: {
    readonly row: "U23";
    readonly description: "The amounts on an order: as they were asked for, rounded (fiat to 1, crypto to 0.0001), or with 3.5 % of fees on the fiat.";
    readonly values: readonly ["asGiven", "rounded", "withFees"];
  };
  readonly retryAfterDecline: {
    readonly row: "U25";
    readonly description: "Whether another try after a decline is a new order, or the failed one goes on.";
    readonly values: readonly ["newOrder", "sameOrder"];
  };
  readonly renewalAddresses: {
    readonly row: "U26";
    readonly description: "The return addresses and redirect_page of a renewal’s order: empty, or those of the first order.";
    readonly values: readonly ["blank", "copied"];
  };
  readonly missingRedirectPage: {
    readonly row: "U27";
    readonly description: "Where the return address opens when redirect_page is left out.";
    readonly values: readonly ["self", "new"];
  };
  readonly lookup: {
    readonly row: "U28";
    readonly description: "Whether an order or a subscription must match all identifiers of a request, or any of them.";
    readonly values: readonly ["all", "any"];
  };
  readonly keyPermission: {
    readonly row: "5.3";
    readonly description: "Whether the API key may read subscriptions and transactions.";
    readonly values: readonly ["granted", "missing"];
  };
  readonly paymentMs: {
    readonly row: "3";
    readonly description: "For how many milliseconds a payment stays payment_started.";
    readonly values: readonly [0, 500, 2000, 10_000];
  };
  readonly coop: {
    readonly row: "page";
    readonly description: "The widget page’s Cross-Origin-Opener-Policy.";
    readonly values: readonly ["none", "same-origin", "same-origin-allow-popups"];
  };
  readonly xFrameOptions: {
    readonly row: "page";
    readonly description: "The widget page’s X-Frame-Options.";
    readonly values: readonly ["none", "DENY", "SAMEORIGIN"];
  };
  readonly frameAncestors: {
    readonly row: "page";
    readonly description: "The frame-ancestors of the widget page’s Content-Security-Policy.";
    readonly values: readonly ["any", "none", "self"];
  };
};
declare function createControl(controlUrl: string): SandboxControl;
declare function startShop(shop: ShopOptions, options?: SandboxOptions): Promise<{
  sandbox: TestSandbox;
  shop: Shop;
}>;
declare function startTestSandbox(options?: SandboxOptions): Promise<TestSandbox>;
export {
  type Duration,
  type SandboxControl,
  type Shop,
  type ShopOptions,
  type TestSandbox,
  createControl,
  startShop,
  startTestSandbox,
};
interface ConsoleUser {
  user_id: string;
  email: string;
  fkyc_status: string;
  lkyc_status: string;
  limits: {
    crypto_remaining: string;
    crypto_spending: string;
    digital_goods_remaining: string;
    digital_goods_spending: string;
  };
}
interface Credentials {
  apiKey: string;
  secretKey: string;
}
interface Delivery {
  id: string;
  event: string;
  order_id: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  at: string;
  payload: unknown;
}
interface LimitAmounts {
  crypto: string;
  digital_goods: string;
}
interface LimitTable {
  low: LimitAmounts;
  full: LimitAmounts;
}
interface LoggedRequest {
  id: number;
  at: string;
  operation: string | null;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  ms: number;
}
interface OrderFields {
  id: string;
  custom_id: string;
  user_id: string;
  product_id: string;
  type: OrderType;
  base: string;
  base_amount: string;
  quote: string;
  quote_amount: string;
  address: string;
  transaction_id: string;
  partner_data: string;
  full_name: string;
  date_of_birth: string;
  phone: string;
  email: string;
  state: string;
  country: string;
  city: string;
  street: string;
  postal_code: string;
  utm_source: string;
  clickID: string;
  campaignID: string;
  fail_reason: string;
  redirect_url: string;
  fail_redirect_url: string;
  redirect_page: string;
  hash: string;
}
interface OrderRecord extends Texts {
  id: string;
  type: string;
  partner_data?: Record<string, unknown> | undefined;
  code?: string | undefined;
  error_code?: string | undefined;
}
interface Sandbox {
  urls: {
    widgetUrl: string;
    widgetApiUrl: string;
    baseUrl: string;
    controlUrl: string;
  };
  credentials: Credentials;
  reset(): void;
  close(): Promise<void>;
}
interface SandboxControl {
  clock: {
    now(): Promise<Date>;
    advance(duration: Duration): Promise<Date>;
    advanceTo(time: Date): Promise<Date>;
  };
  faults: {
    set(fault: FaultOptions): Promise<Fault>;
    list(): Promise<Fault[]>;
    remove(id: number): Promise<void>;
    clear(): Promise<void>;
  };
  switches: {
    set(changes: Partial<Switches>): Promise<void>;
    list(): Promise<SwitchState[]>;
  };
  limits: {
    get(): Promise<LimitTable>;
    set(limits: LimitTable): Promise<void>;
  };
  webhooks: {
    add(url: string): Promise<TargetRow>;
    remove(id: string): Promise<void>;
    clear(): Promise<void>;
    deliveries(): Promise<Delivery[]>;
    redeliver(id: string): Promise<Delivery>;
    forge(payload: unknown, url?: string): Promise<Delivery[]>;
  };
  requests: {
    list(): Promise<LoggedRequest[]>;
    clear(): Promise<void>;
  };
  snapshot(): Promise<string>;
  restore(snapshot: string): Promise<void>;
  orders(): Promise<OrderRecord[]>;
  orderOf(purchaseId: string): Promise<OrderRecord | undefined>;
  users(): Promise<ConsoleUser[]>;
  buy(purchase?: {
    email?: string;
    card_number?: string;
    accessToken?: string;
    params?: Record<string, string>;
  }): Promise<OrderRecord>;
}
interface SandboxOptions {
  host?: string | undefined;
  apiPublicUrl?: string | undefined;
  widgetPublicUrl?: string | undefined;
  port?: number | undefined;
  widgetPort?: number | undefined;
  db?: string | undefined;
  apiKey?: string | undefined;
  secretKey?: string | undefined;
  seed?: Seed | undefined;
  limits?: LimitTable | undefined;
  startAt?: Date | undefined;
  webhookRetryMs?: number | undefined;
  webhookHosts?: readonly string[] | undefined;
}
interface Scope {
  operation: FaultTarget | "*";
  count?: number | undefined;
  forMs?: number | undefined;
}
interface Seed {
  users?: {
    email: string;
    fullKyc?: boolean | undefined;
  }[] | undefined;
  purchases?: {
    email: string;
    card_number?: string | undefined;
    params?: Record<string, string> | undefined;
  }[] | undefined;
  switches?: Partial<Switches> | undefined;
  webhooks?: string[] | undefined;
}
interface Shop {
  url: string;
  output(): string;
  close(): Promise<void>;
}
interface ShopOptions {
  command: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  webhook?: string;
}
interface SwitchState {
  name: SwitchName;
  row: string;
  description: string;
  values: readonly (string | number | boolean)[];
  default: string | number | boolean;
  value: string | number | boolean;
}
interface TargetRow {
  id: string;
  url: string;
}
type Duration = `${number} ${Unit}` | `${number} ${Unit}s`;
type Fault = FaultOptions & {
  id: number;
};
type FaultOptions = Scope & ({
  kind: "latency";
  latencyMs: number;
} | {
  kind: "status";
  status: number;
  retryAfter?: number | undefined;
  takesEffect?: boolean | undefined;
} | {
  kind: "reset";
  takesEffect?: boolean | undefined;
} | {
  kind: "stall";
} | {
  kind: "malformed";
});
type FaultTarget = (typeof faultTargets)[number];
type OrderType = "payment_started" | "order_complete" | "order_failed";
type SwitchName = keyof typeof switchTable;
type Switches = { -readonly [Name in SwitchName]: (typeof switchTable)[Name]["values"][number]; };
type TestSandbox = Sandbox & SandboxControl;
type TextField = Exclude<keyof OrderFields, "id" | "type" | "partner_data">;
type Texts = { [Field in TextField]?: string | undefined; };
type Unit = keyof typeof seconds;
