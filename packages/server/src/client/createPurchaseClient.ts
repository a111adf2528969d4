/** The typed client: seven operations of the service as eight functions. */
import { InvalidInputError } from '../errors.ts'
import { mayUsePlainHttp } from '../loopback.ts'
import { type DerivedKey, keysFrom } from './deriveKey.ts'
import { noOperation, type Operation, operations } from './operations.ts'
import type { Account } from './request.ts'
import { type CallLog, call, type Transport } from './transport.ts'
import type {
  AccessToken,
  AccessTokenExpiry,
  CreatedUser,
  ExpirationDays,
  NewUser,
  Order,
  OrderFilter,
  OrderRecord,
  Subscription,
  SubscriptionQuery,
  TransactionQuery,
  User,
  UserQuery,
} from './wire.ts'

export interface PurchaseClientOptions {
  /** Address of the widget page, without `/widget/`. */
  widgetUrl: string
  /** Base address of the access-token and order-history operations. */
  widgetApiUrl: string
  /** Base address of the business operations. */
  baseUrl: string
  /** Base address of the user operations. Default: `baseUrl` (U17). */
  userBaseUrl?: string | undefined
  apiKey: string
  secretKey: string
  /** Milliseconds that a call may take, retries and body included. Default 15000. */
  timeoutMs?: number
  /** How often a read is tried again. Default 2; what else is retried is in the operation table. */
  maxRetries?: number
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
  /** Sees operation, status, duration and attempt of each try, never a value. */
  logger?: (entry: CallLog) => void
}

/**
 * All operations reject with `ApiError`, `NetworkError`, `TimeoutError` or `UnexpectedResponseError`, and with
 * `InvalidInputError` before anything is sent.
 */
export interface PurchaseClient {
  /** Address of the widget page, without a slash at the end. */
  readonly widgetUrl: string
  readonly accessTokens: {
    /**
     * Creates an access token (4.1). It opens every order of the business, and assume that it ends the one before
     * it (U8, U9): use `createTokenLease` rather than this. Service default: 30 days.
     */
    create(input?: { expirationDays?: ExpirationDays | undefined }): Promise<AccessToken>
    /** When a token expires (4.2, U2). */
    expireDate(accessToken: string): Promise<AccessTokenExpiry>
  }
  readonly orders: {
    /** Orders by order id or custom id (4.3). Without either it throws: the service would answer with every order. */
    list(input: { accessToken: string } & OrderFilter): Promise<OrderRecord[]>
    /** Every order that the token opens (4.3): the whole business's (U9). */
    listAll(input: { accessToken: string }): Promise<OrderRecord[]>
  }
  readonly transactions: {
    /** One order in full, with personal data (4.5). An unknown one is an `ApiError`. */
    retrieve(query: TransactionQuery): Promise<Order>
  }
  readonly subscriptions: {
    /** The first subscription that matches, or null (4.4, U4). */
    retrieve(query: SubscriptionQuery): Promise<Subscription | null>
    /** Every subscription that matches (4.4, U4). */
    list(query: SubscriptionQuery): Promise<Subscription[]>
  }
  readonly users: {
    /**
     * Creates a widget user in the low-KYC state (4.6). Never sent twice: when the outcome is not known, the error has
     * `outcomeUnknown: true` and says how to find out.
     */
    create(user: NewUser): Promise<CreatedUser>
    /** Status, limits and masked payment methods of a user (4.7). */
    retrieve(query: UserQuery): Promise<User>
  }
  /**
   * A key for one purpose of this package's own, made from the secret key: it signs and verifies (HMAC with SHA-256), and cannot be
   * read. Not enumerable, so that it stays out of what is printed.
   */
  readonly deriveKey: (purpose: string) => Promise<DerivedKey>
  /** Where it sends its calls: for the doctor to name. Not enumerable either. */
  readonly addresses: Readonly<Account['bases']>
  /** Calls an operation that no service has: the doctor compares what is said to it. Not enumerable either. */
  readonly probe: (base: keyof Account['bases']) => Promise<unknown>
}

/**
 * @throws InvalidInputError when an address is not https (or http on loopback) or a key is blank.
 */
export function createPurchaseClient(options: PurchaseClientOptions): PurchaseClient {
  const widgetUrl = checkAddress('widgetUrl', options.widgetUrl)
  const baseUrl = checkAddress('baseUrl', options.baseUrl)
  const transport: Transport = {
    bases: {
      widgetApiUrl: checkAddress('widgetApiUrl', options.widgetApiUrl),
      baseUrl,
      userBaseUrl:
        options.userBaseUrl === undefined ? baseUrl : checkAddress('userBaseUrl', options.userBaseUrl),
    },
    apiKey: checkKey('apiKey', options.apiKey),
    secretKey: checkKey('secretKey', options.secretKey),
    timeoutMs: options.timeoutMs ?? 15_000,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    now: options.now ?? Date.now,
    logger: options.logger ?? (() => {}),
  }
  const run =
    <Output>(operation: Operation<Output>) =>
    (input: unknown): Promise<Output> =>
      call(transport, operation, input)

  const createToken = run(operations.createAccessToken)
  const readExpiry = run(operations.readAccessTokenExpiry)
  const listSubscriptions = run(operations.listSubscriptions)
  const client: PurchaseClient = {
    widgetUrl,
    accessTokens: {
      create: (input = {}) => createToken(input),
      expireDate: (accessToken) => readExpiry({ accessToken }),
    },
    orders: { list: run(operations.listOrders), listAll: run(operations.listAllOrders) },
    transactions: { retrieve: run(operations.retrieveTransaction) },
    subscriptions: {
      retrieve: async (query) => (await listSubscriptions(query))[0] ?? null,
      list: listSubscriptions,
    },
    users: { create: run(operations.createUser), retrieve: run(operations.retrieveUser) },
    deriveKey: keysFrom(transport.secretKey),
    addresses: transport.bases,
    probe: (base) => call(transport, noOperation(base), {}),
  }
  const hidden = { enumerable: false }
  return Object.defineProperties(client, { deriveKey: hidden, addresses: hidden, probe: hidden })
}

/** The environment variables of `clientFromEnv`, and whether each must be there. */
const variables = {
  widgetUrl: 'PURCHASE_WIDGET_URL',
  widgetApiUrl: 'PURCHASE_WIDGET_API_URL',
  baseUrl: 'PURCHASE_BASE_URL',
  apiKey: 'PURCHASE_API_KEY',
  secretKey: 'PURCHASE_SECRET_KEY',
} as const

/**
 * A client from `PURCHASE_WIDGET_URL`, `PURCHASE_WIDGET_API_URL`, `PURCHASE_BASE_URL`, `PURCHASE_API_KEY`,
 * `PURCHASE_SECRET_KEY` and, when it differs from the base address, `PURCHASE_USER_BASE_URL`.
 *
 * @throws InvalidInputError that names every variable that is missing.
 */
export function clientFromEnv(
  env: Record<string, string | undefined>,
  options: Pick<PurchaseClientOptions, 'timeoutMs' | 'maxRetries' | 'fetch' | 'now' | 'logger'> = {},
): PurchaseClient {
  const missing = Object.values(variables).filter((name) => !env[name]?.trim())
  if (missing.length > 0) throw new InvalidInputError('configuration', `set ${missing.join(', ')}.`)
  const read = (name: string): string => env[name]?.trim() ?? ''
  return createPurchaseClient({
    ...options,
    widgetUrl: read(variables.widgetUrl),
    widgetApiUrl: read(variables.widgetApiUrl),
    baseUrl: read(variables.baseUrl),
    userBaseUrl: env.PURCHASE_USER_BASE_URL?.trim() || undefined,
    apiKey: read(variables.apiKey),
    secretKey: read(variables.secretKey),
  })
}

/** An address to which a path can be appended: https, or http on loopback; nothing but scheme, host and path. */
function checkAddress(option: string, value: string): string {
  const reject = (problem: string): never => {
    throw new InvalidInputError('configuration', `${option} ${problem}.`)
  }
  const url = URL.parse(value)
  if (!url) return reject('must be a full address such as https://widget.example.com')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayUsePlainHttp(url.hostname)))
    reject(
      'must use https; http only on this machine, and outside of production on hosts that PURCHASE_PLAIN_HTTP_HOSTS names',
    )
  if (url.username || url.password) reject('must not hold a user name or password')
  if (url.search || url.hash) reject('must not have a query or a fragment')
  return withoutLastSlashes(url.href)
}

/** A loop, because a regular expression for this takes quadratic time. */
function withoutLastSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

function checkKey(option: string, value: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new InvalidInputError(
      'configuration',
      `${option} must be a key without spaces, as the dashboard shows it.`,
    )
  }
  return value
}
