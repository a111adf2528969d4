declare const DEAD_LETTERS = 1e4;
declare const KEEP_SETTLED_MS: number;
declare const KEEP_UNSETTLED_MS: number;
declare const KEEP_UNTRIED_MS: number;
declare const ORDERS_PER_PURCHASE = 50;
declare const PURCHASES_BY_OTHER_SITES = 10;
declare const PURCHASES_PER_SHOPPER = 50;
declare const SETTLED_FOR_SHOPPER = 20;
declare const STRANGER_JOBS = 1e3;
declare const isByLink: ({ surface }: Pick<Purchase, "surface">) => boolean;
declare const isByOtherSite: (purchase: Pick<Purchase, "surface" | "openedBy">) => boolean;
declare const shopperKey: ({ customId, userId }: Purchase["shopper"]) => string;
declare function sharedStateConformance({ describe, test }: Runner, name: string, open: OpenStores<SharedState>): void;
declare function storeConformance({ describe, test }: Runner, name: string, open: OpenStores): void;
export {
  DEAD_LETTERS,
  KEEP_SETTLED_MS,
  KEEP_UNSETTLED_MS,
  KEEP_UNTRIED_MS,
  ORDERS_PER_PURCHASE,
  type OpenStores,
  PURCHASES_BY_OTHER_SITES,
  PURCHASES_PER_SHOPPER,
  type Runner,
  SETTLED_FOR_SHOPPER,
  STRANGER_JOBS,
  type StoresUnderTest,
  isByLink,
  isByOtherSite,
  sharedStateConformance,
  shopperKey,
  storeConformance,
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
interface Runner {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>): void;
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
interface StoresUnderTest<Kind extends SharedState = Store> {
  readonly one: Kind;
  readonly other: Kind;
  end(): Promise<void>;
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
type OpenStores<Kind extends SharedState = Store> = () => Promise<StoresUnderTest<Kind>>;
type OpenedBy = "shopper" | "other_site";
type OrderType = "payment_started" | "order_complete" | "order_failed" | (string & {});
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
