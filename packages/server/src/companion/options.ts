/** The options of a companion, and their checks. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { CreatedUser } from '../client/wire.ts'
import { type ErrorContext, misconfigured } from '../errors.ts'
import { type Checks, checkOptions, isBoolean, isClock, isFunction, must } from '../options.ts'
import { DAY_MS } from '../purchase/begin.ts'
import { isParamName, mayBeLinked } from '../purchase/fields.ts'
import type { Carrier, CreatePurchase, OnOrder } from '../purchase/purchase.ts'
import type { Shopper } from '../purchase/shopper.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import type { TokenLease } from '../token/tokenLease.ts'
import { canDo, isObject } from '../unknown.ts'
import type { RateLimit } from './limits.ts'
import { checkUrl, originOf } from './place.ts'

export interface CompanionOptions {
  /**
   * The companion's public address, e.g. `https://shop.example/api/purchase-widget`. Default: the environment's
   * `PURCHASE_COMPANION_URL`, else, outside production, the address that a request was sent to. Https, or http on loopback or, outside
   * production, on a host that `PURCHASE_PLAIN_HTTP_HOSTS` names; at most 80 characters.
   */
  url?: string
  /**
   * Identifies the caller by the merchant's own session. Null: 401. A `Response` is passed on unchanged: a link leads to your sign-in page.
   * Guests need an id from your session. Read headers and cookies; leave the body alone. `context` is what the `context` of `toNodeHandler`
   * returned for this request, or in your own Hono app its context: annotate it with its type, as a method's parameter allows.
   */
  authorize(request: Request, context?: unknown): Authorized | Promise<Authorized>
  /** Decides what is sold, and at which price. Without it the page decides, and orders are `unchecked`. Throw `PurchaseRefused` to refuse. */
  createPurchase?: CreatePurchase
  /**
   * Called for each state (`type`) of each order, with the order as read from the service and how it fits its purchase. Deliver on
   * `order_complete` with `purchase.state` `matched` or `renewal`. If it throws, it is called again later.
   */
  onOrder?: OnOrder
  /** Called when `POST /user` has created a widget user: store the `user_id`, and return it as `userId` from `authorize`. */
  onUser?: OnUser
  /**
   * Data that outlives a process and is shared by instances: `sqliteStore(file)` for one machine, `postgresStore(pool)` for several. Default:
   * this process's memory, which production refuses unless `memoryStore()` is passed explicitly.
   */
  store?: Store
  /** Default: from the environment, on first use (`clientFromEnv`). */
  client?: PurchaseClient
  /** Default: a lease over `client` and `store`. */
  tokens?: TokenLease
  /** Origins of the pages that may call, e.g. `https://shop.example`; they receive CORS headers. Default: the origin of `url`. */
  allowedOrigins?: readonly string[]
  /** True: pages that build the widget's address themselves receive the token from `POST /token`. Default false. */
  pageToken?: boolean
  /**
   * Parameters that a link to `/launch` may choose besides `product_id` and `locale`: anyone can write a link, so `createPurchase` must
   * decide what they mean. Never a wallet (`address`) or a person's details; an amount reaches `createPurchase` alone. Default none.
   */
  linkParams?: readonly string[]
  /** Where a purchase's id travels through the service. Default `return_url`; `doctor --order ID` shows which works. */
  carry?: Carrier
  rateLimit?: RateLimit
  /** Milliseconds that one `onOrder` may take before its job counts as failed: 1000 to a day. Default 30000. */
  onOrderTimeout?: number
  /**
   * Receives every failure that became a 5xx or that delayed `onOrder`, and where it happened as far as that is known. Default:
   * `console.error` with name, message, where, and the code of the cause; in development the stack of errors that your own code threw.
   * Nothing waits for it, and a failure of its own is only logged there.
   */
  onError?: (error: unknown, context?: ErrorContext) => void
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: () => number
}

/** The shopper who makes the request; null if none is signed in. */
export type Authorized = AuthorizedShopper | Response | null

export type AuthorizedShopper = Shopper & {
  /** Ids that the shopper had before signing in, whose purchases are theirs too. */
  formerly?: readonly string[]
  /** The value of a `Set-Cookie` header for the answer: the session of a shopper who had none, such as a new guest. */
  setCookie?: string | undefined
}

/** Called with a user that `POST /user` has created. */
export type OnUser = (user: CreatedUser, shopper: Shopper) => void | Promise<void>

/** What the runtime knows and a `Request` does not contain. */
export interface RequestInfo {
  /** The caller's network address, for the rate limit. */
  address?: string | undefined
  /** Keeps a serverless runtime awake until work after the answer is done. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined
  /** The second argument of `authorize`, or a promise of it, such as the framework's own request. Read before each `authorize`. */
  context?: unknown
}

const isLimit = must(
  (value) => typeof value === 'number' && value >= 1,
  'be a number of calls per minute, at least 1',
)

const checks: Checks<CompanionOptions> = {
  // Its own message says what an address may be.
  url: (value) => void checkUrl(value),
  authorize: must(
    isFunction,
    'be a function of the request that returns who is signed in, or null for nobody',
  ),
  createPurchase: must(isFunction, 'be a function that returns what is sold'),
  onOrder: must(isFunction, 'be a function that delivers an order'),
  onUser: must(isFunction, 'be a function'),
  store: must(
    (value) => hasFunctionsOf(memoryStore(), value),
    'be a store: sqliteStore(file), postgresStore(pool), memoryStore(), or one of your own with all functions of Store',
  ),
  client: must(
    (value) =>
      isObject(value) && ['accessTokens', 'orders', 'transactions'].every((name) => isObject(value[name])),
    'be a client: createPurchaseClient({ … }), or clientFromEnv(process.env)',
  ),
  tokens: must((value) => canDo(value, 'get'), 'be a lease: createTokenLease({ client, store })'),
  allowedOrigins: must(
    (value) => Array.isArray(value) && value.every(isOrigin),
    'be a list of origins, without a path or a slash at the end, e.g. ["https://shop.example"]',
  ),
  pageToken: isBoolean,
  linkParams: must(
    (value) =>
      Array.isArray(value) &&
      value.every((name) => typeof name === 'string' && isParamName(name) && mayBeLinked(name)),
    'be a list of names of parameters: no address, no field of a person, and none that the companion sets',
  ),
  carry: must((value) => value === 'return_url' || value === 'custom_id', 'be return_url or custom_id'),
  rateLimit: (value) =>
    checkOptions<RateLimit>('rateLimit', value as RateLimit, {
      perShopper: isLimit,
      perAddress: isLimit,
    }),
  onOrderTimeout: must(
    (value) => typeof value === 'number' && value >= 1_000 && value <= DAY_MS,
    'be a number of milliseconds, from 1000 to 86400000 (a day), e.g. 30000 for half a minute',
  ),
  onError: must(isFunction, 'be a function of the failure'),
  now: isClock,
}

/** @throws InvalidInputError that names the option. */
export function checkCompanionOptions(options: CompanionOptions): void {
  checkOptions('createCompanion', options, checks, ['authorize'])
  if (options.linkParams?.length && !options.createPurchase) {
    throw misconfigured('linkParams needs createPurchase: anybody can write a link.')
  }
}

/** As far as names show. `addWithin`, which a store may lack, is not in the model. */
const hasFunctionsOf = (model: object, value: unknown): boolean =>
  isObject(value) &&
  Object.entries(model).every(([name, part]) =>
    typeof part === 'function' ? canDo(value, name) : !isObject(part) || hasFunctionsOf(part, value[name]),
  )

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && originOf(value) === value
}
