declare function postgresStore(pool: PostgresPool, { schema }?: PostgresStoreOptions): Store;
export {
  type PostgresPool,
  PostgresStoreOptions,
  type PostgresTransaction,
  postgresStore,
};
interface DeadLetter {
  readonly key: string;
  readonly reason: string;
  readonly attempts: number;
  readonly diedAt: number;
}
interface Handled {
  has(orderId: string, type: string): Promise<boolean>;
  add(mark: Mark): Promise<boolean>;
  addWithin?: (transaction: unknown, mark: Mark) => boolean | Promise<boolean>;
  sweep(before: number, limit: number): Promise<number>;
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
interface Mark {
  readonly orderId: string;
  readonly type: string;
  readonly purchaseId: string | null;
}
interface PostgresPool extends Queryable {
  connect(): Promise<Queryable & {
    release(error?: boolean): void;
  }>;
  on?(event: "error", listener: () => void): unknown;
  on?(event: "connect", listener: (client: {
    on(event: "error", listener: () => void): unknown;
  }) => void): unknown;
}
interface PostgresStoreOptions {
  schema?: string;
}
interface PostgresTransaction {
  query(text: string, values: string[]): Promise<readonly unknown[] | {
    rows: readonly unknown[];
  }>;
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
interface Queryable {
  query(text: string, values?: unknown[]): Promise<{
    rows: Row[];
  }>;
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
interface UnsettledSpan {
  from: number;
  to: number;
  limit: number;
  after?: Pick<Purchase, "id" | "begunAt">;
}
type Carrier = "return_url" | "custom_id";
type Counter = (key: string) => number | Promise<number>;
type Lane = "trusted" | "stranger";
type OpenedBy = "shopper" | "other_site";
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
type PurchaseState = "matched" | "mismatched" | "duplicate" | "renewal" | "unchecked" | "none";
type PurchaseSurface = "iframe" | "modal" | "popup" | "redirect" | "launch";
type RedirectPage = "self" | "new";
type Row = Readonly<Record<string, unknown>>;
type Shopper = {
  customId: string;
  userId?: string | undefined;
} | {
  customId?: undefined;
  userId: string;
};
