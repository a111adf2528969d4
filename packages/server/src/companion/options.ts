/** What a merchant gives to a companion. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { CreatedUser } from '../client/wire.ts'
import type { ErrorContext } from '../errors.ts'
import type { Carrier, CreatePurchase, OnOrder } from '../purchase/purchase.ts'
import type { Shopper } from '../purchase/shopper.ts'
import type { Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import type { RateLimit } from './limits.ts'

export interface CompanionOptions {
  /**
   * The companion's public address, e.g. `https://shop.example/api/purchase-widget`. Default: the environment's
   * `PURCHASE_COMPANION_URL`, else, outside production, the address that a request was sent to. Https, or http on loopback or, outside
   * production, on a host that `PURCHASE_PLAIN_HTTP_HOSTS` names; at most 80 characters.
   */
  url?: string
  /**
   * Says who is asking, from the merchant's own session. Null: 401. A `Response` is passed on as it is: a link leads to your sign-in page.
   * Guests have an id of your session's. Read headers and cookies; leave the body alone. `context` is what `toNodeHandler`'s `context` gave
   * for this request, or in a Hono app of yours its context: annotate it with its type, as a method's parameter may be.
   */
  authorize(request: Request, context?: unknown): Authorized | Promise<Authorized>
  /** Says what is sold, and at which price. Without it the page decides, and orders are `unchecked`. Throw `PurchaseRefused` to refuse. */
  createPurchase?: CreatePurchase
  /**
   * Called for each state (`type`) of each order, with the order as read from the service and how it fits its purchase. Deliver on
   * `order_complete` with `purchase.state` `matched` or `renewal`. When it throws it is called again later.
   */
  onOrder?: OnOrder
  /** Called when `POST /user` has created a widget user: keep the `user_id`, and give it as `userId` from `authorize`. */
  onUser?: OnUser
  /**
   * What outlives a process and is shared by instances: `sqliteStore(file)` for one machine, `postgresStore(pool)` for several. Default:
   * this process's memory, which production refuses unless `memoryStore()` is given by name.
   */
  store?: Store
  /** Default: from the environment, when first needed (`clientFromEnv`). */
  client?: PurchaseClient
  /** Default: a lease over `client` and `store`. */
  tokens?: TokenLease
  /** Origins of the pages that may call, e.g. `https://shop.example`; they get CORS answers. Default: the origin of `url`. */
  allowedOrigins?: readonly string[]
  /** True: pages that build the widget's address themselves get the token by `POST /token`. Default false. */
  pageToken?: boolean
  /**
   * Parameters that a link to `/launch` may choose beside `product_id` and `locale`: anybody can write a link, so `createPurchase` must
   * decide what they mean. Never a wallet (`address`) or a person's details; an amount reaches `createPurchase` alone. Default none.
   */
  linkParams?: readonly string[]
  /** What carries a purchase's id through the service. Default `return_url`; `doctor --order ID` says which works. */
  carry?: Carrier
  rateLimit?: RateLimit
  /** Milliseconds that one `onOrder` may take before its job counts as failed: 1000 to a day. Default 30000. */
  onOrderTimeout?: number
  /**
   * Sees every failure that became a 5xx or that held up `onOrder`, and where it happened as far as that is known. Default:
   * `console.error` with name, message, where, and the code of the cause; in development the stack of what your own code threw.
   */
  onError?: (error: unknown, context?: ErrorContext) => void
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/** Who is asking; null for nobody. */
export type Authorized = AuthorizedShopper | Response | null

export type AuthorizedShopper = Shopper & {
  /** Ids that the shopper had before signing in, whose purchases are theirs too. */
  formerly?: readonly string[]
  /** The value of a `Set-Cookie` header for the answer: the session of a shopper who did not have one, such as a new guest. */
  setCookie?: string | undefined
}

/** Told of a user that `POST /user` has created. */
export type OnUser = (user: CreatedUser, shopper: Shopper) => void | Promise<void>

/** What the runtime knows and a `Request` does not say. */
export interface RequestInfo {
  /** The caller's network address, for the rate limit. */
  address?: string | undefined
  /** Keeps a serverless runtime awake until work after the answer is done. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** What `authorize` gets as its second argument, such as the framework's own request. */
  context?: unknown
}
