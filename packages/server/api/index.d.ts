declare abstract class PurchaseError extends Error {
  readonly operation: string;
  readonly outcomeUnknown: boolean;
  constructor(operation: string, message: string, options?: {
    cause?: unknown;
    outcomeUnknown?: boolean;
  });
}
declare class ApiError extends PurchaseError {
  override readonly name = "ApiError";
  readonly status: number;
  readonly refusedBy: "service" | "unclear" | "other";
  constructor(operation: string, message: string, options: {
    status: number;
    outcomeUnknown?: boolean;
    refusedBy?: ApiError["refusedBy"];
  });
}
declare class InvalidInputError extends PurchaseError {
  override readonly name = "InvalidInputError";
}
declare class NetworkError extends PurchaseError {
  override readonly name = "NetworkError";
  readonly status: number | null;
  constructor(operation: string, message: string, options?: {
    cause?: unknown;
    outcomeUnknown?: boolean;
    status?: number;
  });
}
declare class PurchaseRefused extends PurchaseError {
  override readonly name = "PurchaseRefused";
  readonly sentence: string;
  constructor(sentence: string);
}
declare class TimeoutError extends PurchaseError {
  override readonly name = "TimeoutError";
}
declare class UnexpectedResponseError extends PurchaseError {
  override readonly name = "UnexpectedResponseError";
}
declare const DECLINE_CODES: Readonly<Record<string, Omit<Decline, "code">>>;
declare const isApiError: (error: unknown) => error is ApiError;
declare const isInvalidInputError: (error: unknown) => error is InvalidInputError;
declare const isNetworkError: (error: unknown) => error is NetworkError;
declare const isPurchaseRefused: (error: unknown) => error is PurchaseRefused;
declare const isTimeoutError: (error: unknown) => error is TimeoutError;
declare const isUnexpectedResponseError: (error: unknown) => error is UnexpectedResponseError;
declare const orderFields: readonly ["id", "custom_id", "user_id", "product_id", "type", "base", "base_amount", "quote", "quote_amount", "address", "transaction_id", "full_name", "date_of_birth", "phone", "email", "state", "country", "city", "street", "postal_code", "utm_source", "clickID", "campaignID", "fail_reason", "redirect_url", "fail_redirect_url", "redirect_page", "hash"];
declare const subscriptionFields: readonly ["product_id", "status", "start_date", "last_paid_date", "next_paid_date", "expire_date", "failed_to_paid", "next_paid", "interval_time"];
declare function clientFromEnv(env: Record<string, string | undefined>, options?: Pick<PurchaseClientOptions, "timeoutMs" | "maxRetries" | "fetch" | "now" | "logger">): PurchaseClient;
declare function createCompanion(options: CompanionOptions): Companion;
declare function createPurchaseClient(options: PurchaseClientOptions): PurchaseClient;
declare function createTokenLease(options: TokenLeaseOptions): TokenLease;
declare function declineOf(order: Pick<OrderRecord, "fail_reason" | "raw">): Decline | null;
declare function memoryStore({ now }?: {
  now?: () => number;
}): Store;
declare function runDoctor(options: DoctorOptions): Promise<Diagnosis>;
declare function toLambdaHandler(companion: Pick<Companion, "fetch">, { trustProxy }?: LambdaHandlerOptions): (event: LambdaEvent) => Promise<LambdaAnswer>;
declare function toNodeHandler(companion: Pick<Companion, "answer">, { trustProxy }?: NodeHandlerOptions): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
declare function webhookKeyOf(client: Pick<PurchaseClient, "deriveKey">): Promise<string>;
export {
  type AccessToken,
  type AccessTokenExpiry,
  type Answer,
  ApiError,
  type Authorized,
  type CallLog,
  type Card,
  type Carrier,
  type Checkup,
  type Companion,
  type CompanionOptions,
  type Complete,
  type Counter,
  type CreatePurchase,
  type CreatedUser,
  DECLINE_CODES,
  type DeadLetter,
  type Decline,
  type Diagnosis,
  type Difference,
  type DoctorOptions,
  type ErrorContext,
  type ExpirationDays,
  type Handled,
  type HeardMessage,
  InvalidInputError,
  type Job,
  type Jobs,
  type KnownOrder,
  type KnownPurchase,
  type KnownPurchaseOfOrder,
  type LambdaAnswer,
  type LambdaEvent,
  type LambdaHandlerOptions,
  type Lane,
  type LaunchGrant,
  type LeasedToken,
  type Limits,
  type Mark,
  type MemoryStoreOptions,
  NetworkError,
  type NewUser,
  type NoPurchase,
  type NodeHandlerOptions,
  type OnOrder,
  type OnUser,
  type OpenedBy,
  type Order,
  type OrderEvent,
  type OrderFilter,
  type OrderHint,
  type OrderRecord,
  type OrderSummary,
  type OrderType,
  type PageHeaders,
  type PaymentMethod,
  type Purchase,
  type PurchaseAnswer,
  type PurchaseClient,
  type PurchaseClientOptions,
  type PurchaseDecision,
  PurchaseError,
  type PurchaseOfOrder,
  PurchaseRefused,
  type PurchaseRequest,
  type PurchaseRows,
  type PurchaseState,
  type PurchaseSurface,
  type RateLimit,
  type RedirectPage,
  type RequestInfo,
  type ReturnedMessage,
  type SharedState,
  type Shopper,
  type Store,
  type StoredValue,
  type Subscription,
  type SubscriptionQuery,
  type SubscriptionSummary,
  TimeoutError,
  type TokenGrant,
  type TokenLease,
  type TokenLeaseOptions,
  type TokenRequest,
  type TransactionQuery,
  UnexpectedResponseError,
  type UnsettledSpan,
  type User,
  type UserQuery,
  type UserSummary,
  clientFromEnv,
  createCompanion,
  createPurchaseClient,
  createTokenLease,
  declineOf,
  isApiError,
  isInvalidInputError,
  isNetworkError,
  isPurchaseRefused,
  isTimeoutError,
  isUnexpectedResponseError,
  memoryStore,
  type orderFields,
  runDoctor,
  toLambdaHandler,
  toNodeHandler,
  webhookKeyOf,
};
import "zod";
import { IncomingMessage, ServerResponse } from "node:http";
interface AccessToken {
  accessToken: string;
}
interface AccessTokenExpiry {
  expiresAt: Date | null;
}
interface Account {
  bases: {
    widgetApiUrl: string;
    baseUrl: string;
    userBaseUrl: string;
  };
  apiKey: string;
  secretKey: string;
}
interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: string | null;
}
interface CallLog {
  operation: string;
  attempt: number;
  outcome: "ok" | "ApiError" | "NetworkError" | "TimeoutError" | "UnexpectedResponseError";
  status?: number;
  durationMs: number;
}
interface Card {
  brand?: string;
  card_id?: string;
  created_at?: string;
  last_digits?: string;
}
interface Companion {
  fetch(request: Request, info?: RequestInfo): Promise<Response>;
  answer(request: Request, info?: RequestInfo): Promise<Answer>;
  look(hint: OrderHint): Promise<void>;
  reconcile(): Promise<void>;
  deadLetters: {
    list(limit?: number): Promise<DeadLetter[]>;
    redrive(key?: string): Promise<number>;
  };
  close(): Promise<void>;
}
interface CompanionOptions {
  url?: string;
  authorize: (request: Request) => Authorized | Promise<Authorized>;
  createPurchase?: CreatePurchase;
  onOrder?: OnOrder;
  onUser?: OnUser;
  store?: Store;
  shared?: SharedState & {
    close?(): Promise<void>;
  };
  client?: PurchaseClient;
  tokens?: TokenLease;
  allowedOrigins?: readonly string[];
  launchOnly?: boolean;
  carry?: Carrier;
  rateLimit?: RateLimit;
  onOrderTimeout?: number;
  onError?: (error: unknown, context?: ErrorContext) => void;
  now?: () => number;
}
interface Complete {
  (connection: {
    prepare(sql: string): object;
  }): boolean;
  (transaction?: unknown): Promise<boolean>;
}
interface CreatedUser {
  id: string;
  user_id: string;
}
interface DeadLetter {
  readonly key: string;
  readonly reason: string;
  readonly attempts: number;
  readonly diedAt: number;
}
interface Decline {
  code: string;
  reason: string;
  action: string;
}
interface Diagnosis {
  checks: Checkup[];
  pageNeeds: PageHeaders;
  webhookPath: string;
  healthy: boolean;
}
interface Difference {
  readonly field: string;
  readonly expected: string | null;
  readonly got: string | null;
}
interface DoctorOptions {
  client: PurchaseClient;
  createTokens: boolean;
  companion?: string | undefined;
  page?: string | undefined;
  orderId?: string | undefined;
  store?: DoctorStore | Promise<DoctorStore | undefined> | undefined;
  production?: boolean;
  fetch?: typeof globalThis.fetch;
  now?: () => number;
}
interface ErrorContext {
  readonly during: string;
  readonly orderId?: string;
  readonly attempt?: number;
}
interface Failed {
  name: string;
  result: "failed";
  detail: string;
  setting: string;
  address: string | null;
  status: number | null;
  remedy: string;
}
interface Fine {
  name: string;
  result: "ok" | "note" | "skipped";
  detail: string;
}
interface Handled {
  has(orderId: string, type: string): Promise<boolean>;
  add(mark: Mark): Promise<boolean>;
  addWithin?: (transaction: unknown, mark: Mark) => boolean | Promise<boolean>;
  sweep(before: number, limit: number): Promise<number>;
}
interface HeardMessage {
  source: "purchase-widget";
  type: "heard";
  purchaseId: string;
  close: boolean;
}
interface Job {
  readonly key: string;
  readonly lane: Lane;
  readonly attempt: number;
  readonly receipt: string;
  readonly holdMs: number;
}
interface Jobs {
  add(key: string, lane: Lane): Promise<boolean>;
  claim(lane: Lane, limit: number, holdMs: number): Promise<Job[]>;
  renew(jobs: readonly Job[]): Promise<void>;
  complete(job: Job): Promise<void>;
  retry(job: Job, delayMs: number): Promise<void>;
  bury(job: Job, reason: string): Promise<void>;
  deadLetters(limit: number): Promise<DeadLetter[]>;
  redrive(key?: string): Promise<number>;
}
interface KnownOrder {
  readonly id: string;
  readonly type: OrderType;
  readonly state: PurchaseState;
  readonly summary: string;
}
interface KnownPurchase {
  readonly purchase: Purchase;
  readonly claimedBy: string | null;
  readonly orders: readonly KnownOrder[];
}
interface KnownPurchaseOfOrder {
  readonly id: string;
  readonly state: Exclude<PurchaseState, "none">;
  readonly differences: readonly Difference[];
  readonly params: Readonly<Record<string, string>>;
  readonly reference: string | null;
  readonly begunAt: Date;
}
interface LambdaAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}
interface LambdaEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  cookies?: string[] | undefined;
  body?: string | undefined;
  isBase64Encoded: boolean;
  requestContext: {
    domainName: string;
    http: {
      method: string;
      sourceIp: string;
    };
  };
}
interface LambdaHandlerOptions {
  trustProxy?: TrustProxy;
}
interface LaunchGrant {
  purchaseId: string;
  launchUrl: string;
  widgetOrigin: string;
  params: Record<string, string>;
}
interface LeasedToken {
  readonly accessToken: string;
  readonly expiresAt: Date | null;
}
interface Limits {
  crypto_remaining?: string;
  crypto_spending?: string;
  digital_goods_remaining?: string;
  digital_goods_spending?: string;
}
interface Mark {
  readonly orderId: string;
  readonly type: string;
  readonly purchaseId: string | null;
}
interface MemoryStoreOptions {
  now?: () => number;
}
interface NewUser {
  phone: string;
  first_name: string;
  last_name: string;
  date_of_birth: string;
  country_of_residence: string;
  email: string;
  state_of_residence: string;
}
interface NoPurchase {
  readonly id: null;
  readonly state: "none";
  readonly differences: readonly [];
  readonly params: Readonly<Record<string, never>>;
  readonly reference: null;
  readonly begunAt: null;
}
interface NodeHandlerOptions {
  trustProxy?: TrustProxy;
}
interface OrderEvent {
  readonly order: Order;
  readonly purchase: PurchaseOfOrder;
  readonly complete: Complete;
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
interface PageHeaders {
  "Content-Security-Policy": string;
  "Permissions-Policy": string;
}
interface PaymentMethod {
  method: string;
  cards: Card[];
}
interface Purchase {
  readonly id: string;
  readonly shopper: Shopper;
  readonly formerly: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly open: readonly string[];
  readonly decidedBy: "server" | "page";
  readonly reference: string | null;
  readonly returnUrl: string | null;
  readonly failReturnUrl: string | null;
  readonly surface: PurchaseSurface;
  readonly openedBy: OpenedBy;
  readonly redirectPage: RedirectPage;
  readonly hostOrigin: string | null;
  readonly carrier: Carrier;
  readonly locale: string | null;
  readonly url: string;
  readonly begunAt: number;
  readonly validUntil: number;
}
interface PurchaseAnswer {
  status: "none" | "pending" | "complete" | "failed";
  fresh: boolean;
  state?: PurchaseState | null;
  order?: OrderSummary | null;
  returnUrl?: string | null;
}
interface PurchaseClient {
  readonly widgetUrl: string;
  readonly accessTokens: {
    create(input?: {
      expirationDays?: ExpirationDays | undefined;
    }): Promise<AccessToken>;
    expireDate(accessToken: string): Promise<AccessTokenExpiry>;
  };
  readonly orders: {
    list(input: {
      accessToken: string;
    } & OrderFilter): Promise<OrderRecord[]>;
    listAll(input: {
      accessToken: string;
    }): Promise<OrderRecord[]>;
  };
  readonly transactions: {
    retrieve(query: TransactionQuery): Promise<Order>;
  };
  readonly subscriptions: {
    retrieve(query: SubscriptionQuery): Promise<Subscription | null>;
    list(query: SubscriptionQuery): Promise<Subscription[]>;
  };
  readonly users: {
    create(user: NewUser): Promise<CreatedUser>;
    retrieve(query: UserQuery): Promise<User>;
  };
  readonly deriveKey: (purpose: string) => Promise<DerivedKey>;
  readonly addresses: Readonly<Account["bases"]>;
  readonly withReads: (through: (send: typeof globalThis.fetch) => typeof globalThis.fetch) => PurchaseClient;
  readonly probe: (base: keyof Account["bases"]) => Promise<unknown>;
}
interface PurchaseClientOptions {
  widgetUrl: string;
  widgetApiUrl: string;
  baseUrl: string;
  userBaseUrl?: string | undefined;
  apiKey: string;
  secretKey: string;
  timeoutMs?: number;
  maxRetries?: number;
  fetch?: typeof globalThis.fetch;
  now?: () => number;
  logger?: (entry: CallLog) => void;
}
interface PurchaseDecision {
  params: Readonly<Record<string, string | undefined>>;
  open?: readonly string[];
  returnUrl?: string;
  failReturnUrl?: string;
  reference?: string;
  validFor?: number;
}
interface PurchaseRequest {
  readonly shopper: Shopper;
  readonly params: Readonly<Record<string, string>>;
  readonly request: Request;
}
interface PurchaseRows {
  begin(purchase: Purchase): Promise<void>;
  find(id: string): Promise<KnownPurchase | null>;
  claim(id: string, orderId: string): Promise<string | null>;
  record(id: string, order: KnownOrder): Promise<void>;
  settledFor(shopper: string, productId: string): Promise<KnownPurchase[]>;
  ofShopper(shopper: string): Promise<KnownPurchase[]>;
  unsettled(span: UnsettledSpan): Promise<KnownPurchase[]>;
  renew(id: string, orderId: string, charges: number): Promise<boolean>;
  sweep(limit: number): Promise<number>;
}
interface RateLimit {
  perShopper?: number;
  perAddress?: number;
}
interface RequestInfo {
  address?: string | undefined;
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}
interface ReturnedMessage {
  source: "purchase-widget";
  type: "returned";
  purchaseId: string;
  outcome: "success" | "failure";
  returnUrl: string | null;
}
interface SharedState {
  get(key: string): Promise<StoredValue | null>;
  set(key: string, value: string, ttlMs: number | null): Promise<void>;
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>;
  counter(name: string, perMinute: number): Counter;
}
interface Store extends SharedState {
  readonly forgets: boolean;
  readonly purchases: PurchaseRows;
  readonly jobs: Jobs;
  readonly handled: Handled;
  close(): Promise<void>;
}
interface StoredValue {
  value: string;
  ttlMs: number | null;
}
interface Subscription {
  user_id?: string;
  custom_id?: string;
  business_user_id?: string;
  product_id?: string;
  start_date?: Date;
  last_paid_date?: Date;
  next_paid_date?: Date;
  expire_date?: Date;
  status?: number;
  failed_to_paid?: boolean;
  next_paid?: boolean;
  interval_time?: string;
  raw: Record<string, unknown>;
}
interface TokenGrant {
  purchaseId: string;
  accessToken: string;
  widgetUrl: string;
  expiresAt: string | null;
  params: Record<string, string>;
}
interface TokenLease {
  get(refused?: string): Promise<LeasedToken>;
}
interface TokenLeaseOptions {
  client: Pick<PurchaseClient, "accessTokens" | "deriveKey" | "widgetUrl">;
  expirationDays?: ExpirationDays;
  allowInfinite?: boolean;
  store?: SharedState;
  renewBefore?: number;
  now?: () => number;
}
interface TokenRequest {
  params?: Record<string, string>;
  mode?: Exclude<PurchaseSurface, "launch">;
  redirectPage?: RedirectPage;
  launch?: boolean;
}
interface UnsettledSpan {
  from: number;
  to: number;
  limit: number;
  after?: Pick<Purchase, "id" | "begunAt">;
}
interface User {
  user_id: string;
  country?: string;
  created_at?: string;
  fkyc_status?: "not initiated" | (string & {});
  lkyc_status?: "success" | (string & {});
  limits: Limits;
  linked_payment_methods: PaymentMethod[];
  phone?: string;
  phone_country?: string;
  raw: Record<string, unknown>;
}
interface UserSummary {
  user_id: string;
  fkyc_status?: string;
  lkyc_status?: string;
  limits: Limits;
  linked_payment_methods: {
    method: string;
    cards: {
      brand?: string;
      last_digits?: string;
    }[];
  }[];
}
type Authorized = (Shopper & {
  formerly?: readonly string[];
}) | Response | null;
type Carrier = "return_url" | "custom_id";
type Checkup = Fine | Failed;
type Counter = (key: string) => number | Promise<number>;
type CreatePurchase = (request: PurchaseRequest) => PurchaseDecision | Promise<PurchaseDecision>;
type DerivedKey = Parameters<typeof crypto.subtle.exportKey>[1];
type DoctorStore = Pick<Store, "forgets"> & Partial<Pick<Store, "purchases">>;
type ExpirationDays = "7" | "30" | "180" | "365" | "infinite";
type Lane = "trusted" | "stranger";
type OnOrder = (event: OrderEvent) => void | Promise<void>;
type OnUser = (user: CreatedUser, shopper: Shopper) => void | Promise<void>;
type OpenedBy = "shopper" | "other_site";
type Order = OrderRecord & {
  id: string;
  type: OrderType;
};
type OrderFilter = {
  order_id: string;
  custom_id?: string | undefined;
} | {
  order_id?: string | undefined;
  custom_id: string;
};
type OrderHint = {
  order_id: string;
  type?: "order_complete";
  listed?: true;
} | {
  custom_id: string;
};
type OrderRecord = { [Field in (typeof orderFields)[number]]?: string; } & {
  type?: OrderType;
  partner_data?: Record<string, unknown>;
  raw: Record<string, unknown>;
};
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
type PurchaseOfOrder = KnownPurchaseOfOrder | NoPurchase;
type PurchaseState = "matched" | "mismatched" | "duplicate" | "renewal" | "unchecked" | "none";
type PurchaseSurface = "iframe" | "modal" | "popup" | "redirect" | "launch";
type RedirectPage = "self" | "new";
type Shopper = {
  customId: string;
  userId?: string | undefined;
} | {
  customId?: undefined;
  userId: string;
};
type SubscriptionQuery = {
  product_id: string;
  custom_id?: string | undefined;
  user_id?: string | undefined;
} | {
  product_id?: string | undefined;
  custom_id: string;
  user_id?: string | undefined;
} | {
  product_id?: string | undefined;
  custom_id?: string | undefined;
  user_id: string;
};
type SubscriptionSummary = Pick<Subscription, (typeof subscriptionFields)[number]>;
type TransactionQuery = {
  order_id: string;
  custom_id?: string | undefined;
  hash?: string | undefined;
} | {
  order_id?: string | undefined;
  custom_id: string;
  hash?: string | undefined;
} | {
  order_id?: string | undefined;
  custom_id?: string | undefined;
  hash: string;
};
type TrustProxy = number | readonly string[];
type UserQuery = {
  user_id: string;
  email?: undefined;
} | {
  user_id?: undefined;
  email: string;
};
