/** The typed client: seven operations of the service as eight functions. */
import { listener } from '../deadline.ts'
import { misconfigured } from '../errors.ts'
import { type Check, type Checks, checkOptions, isFunction, must } from '../options.ts'
import { isObject } from '../unknown.ts'
import { noOperation, type Operation, operations } from './operations.ts'
import type { Account } from './request.ts'
import { checkAddress, checkKey, derive, plainAddress } from './settings.ts'
import { type CallLog, call, type Transport } from './transport.ts'
import type * as wire from './wire.ts'

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
  /** Milliseconds that a call may take, retries and body included: 1 to 600000. Default 15000. */
  timeoutMs?: number
  /** How often a read is retried: 0 to 10. Default 2; the operation table says what else is retried. */
  maxRetries?: number
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Receives operation, status, duration and attempt of each attempt, never a value. Nothing waits for it, and a failure of its own is ignored. */
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
     * Creates an access token (4.1). It opens every order of the business, and you must assume that it invalidates the one
     * before it (U8, U9): use `createTokenLease` rather than this. Service default: 30 days.
     */
    create(input?: { expirationDays?: wire.ExpirationDays | undefined }): Promise<wire.AccessToken>
    /** When a token expires (4.2, U2). */
    expireDate(accessToken: string): Promise<wire.AccessTokenExpiry>
  }
  readonly orders: {
    /** Orders by order id or custom id (4.3). Throws without either: the service would answer with every order. */
    list(input: { accessToken: string } & wire.OrderFilter): Promise<wire.OrderRecord[]>
    /** Every order that the token opens (4.3): the whole business's (U9). */
    listAll(input: { accessToken: string }): Promise<wire.OrderRecord[]>
  }
  readonly transactions: {
    /** One order in full, with personal data (4.5). An unknown one is an `ApiError`. */
    retrieve(query: wire.TransactionQuery): Promise<wire.Order>
  }
  readonly subscriptions: {
    /** The first subscription that matches, or null (4.4, U4). */
    retrieve(query: wire.SubscriptionQuery): Promise<wire.Subscription | null>
    /** Every subscription that matches (4.4, U4). */
    list(query: wire.SubscriptionQuery): Promise<wire.Subscription[]>
  }
  readonly users: {
    /**
     * Creates a widget user in the low-KYC state (4.6). Never sent twice: when the outcome is unknown, the error has
     * `outcomeUnknown: true` and says how to find out.
     */
    create(user: wire.NewUser): Promise<wire.CreatedUser>
    /** Status, limits and masked payment methods of a user (4.7). */
    retrieve(query: wire.UserQuery): Promise<wire.User>
  }
  /** A secret for one purpose of this package, derived from the secret key. */
  readonly deriveKey: (purpose: string) => string
  /** The addresses that it calls, for the doctor. */
  readonly addresses: Readonly<Account['bases']>
  /** The same client, but `orders.list`, `transactions.retrieve` and the subscriptions send their requests through the caller's function. */
  readonly withReads: (through: (send: typeof globalThis.fetch) => typeof globalThis.fetch) => PurchaseClient
  /** Calls an operation that no service has: the doctor compares its answer. */
  readonly probe: (base: keyof Account['bases']) => Promise<unknown>
}

/**
 * @throws InvalidInputError when an address is not https (or http on loopback), a key is blank, or any other option is wrong or unknown.
 */
export function createPurchaseClient(options: PurchaseClientOptions): PurchaseClient {
  checkOptions('createPurchaseClient', options, checks, requiredSettings)
  const { widgetApiUrl, baseUrl, userBaseUrl = baseUrl, apiKey, secretKey } = options
  const transport: Transport = {
    bases: {
      widgetApiUrl: plainAddress(widgetApiUrl),
      baseUrl: plainAddress(baseUrl),
      userBaseUrl: plainAddress(userBaseUrl),
    },
    apiKey,
    secretKey,
    timeoutMs: options.timeoutMs ?? 15_000,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    logger: listener(options.logger ?? (() => {})),
  }
  return clientOver(plainAddress(options.widgetUrl), transport, transport)
}

/** @param reading the transport that `withReads` replaces. */
function clientOver(widgetUrl: string, transport: Transport, reading: Transport): PurchaseClient {
  const run =
    <Output>(operation: Operation<Output>, over = transport) =>
    (input: unknown): Promise<Output> =>
      call(over, operation, input)

  const listSubscriptions = run(operations.listSubscriptions, reading)
  return {
    widgetUrl,
    accessTokens: {
      create: (input = {}) => call(transport, operations.createAccessToken, input),
      expireDate: (accessToken) => call(transport, operations.readAccessTokenExpiry, { accessToken }),
    },
    orders: { list: run(operations.listOrders, reading), listAll: run(operations.listAllOrders) },
    transactions: { retrieve: run(operations.retrieveTransaction, reading) },
    subscriptions: {
      retrieve: async (query) => (await listSubscriptions(query))[0] ?? null,
      list: listSubscriptions,
    },
    users: { create: run(operations.createUser), retrieve: run(operations.retrieveUser) },
    deriveKey: (purpose) => derive(transport.secretKey, purpose),
    addresses: transport.bases,
    withReads: (through) =>
      clientOver(widgetUrl, transport, { ...transport, fetch: through(transport.fetch) }),
    probe: (base) => call(transport, noOperation(base), {}),
  }
}

/** The environment variables that `clientFromEnv` requires, by setting. */
const required = {
  widgetUrl: 'PURCHASE_WIDGET_URL',
  widgetApiUrl: 'PURCHASE_WIDGET_API_URL',
  baseUrl: 'PURCHASE_BASE_URL',
  apiKey: 'PURCHASE_API_KEY',
  secretKey: 'PURCHASE_SECRET_KEY',
} as const
const variables = { ...required, userBaseUrl: 'PURCHASE_USER_BASE_URL' } as const

type Setting = keyof typeof variables
type CallOptions = Pick<PurchaseClientOptions, 'timeoutMs' | 'maxRetries' | 'fetch' | 'logger'>

const requiredSettings = Object.keys(required) as (keyof typeof required)[]

const isWhole = (least: number, most: number): Check =>
  must(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `be a whole number from ${least} to ${most}`,
  )

const callChecks: Checks<CallOptions> = {
  timeoutMs: isWhole(1, 600_000),
  maxRetries: isWhole(0, 10),
  fetch: must(isFunction, 'be a function like the global fetch'),
  logger: must(isFunction, 'be a function of each attempt'),
}

/** `controlUrl` is not used: it is among the addresses of a sandbox, which tests pass on as they are. */
const checks: Checks<PurchaseClientOptions & { controlUrl?: unknown }> = {
  ...{ widgetUrl: checkAddress, widgetApiUrl: checkAddress },
  ...{ baseUrl: checkAddress, userBaseUrl: checkAddress },
  ...{ apiKey: checkKey, secretKey: checkKey, controlUrl: () => {} },
  ...callChecks,
}

/**
 * A client from `PURCHASE_WIDGET_URL`, `PURCHASE_WIDGET_API_URL`, `PURCHASE_BASE_URL`, `PURCHASE_API_KEY`,
 * `PURCHASE_SECRET_KEY` and, when it differs from the base address, `PURCHASE_USER_BASE_URL`.
 *
 * @throws InvalidInputError that names every missing variable, or the one whose value is invalid.
 */
export function clientFromEnv(
  env: Record<string, string | undefined>,
  options: CallOptions = {},
): PurchaseClient {
  if (!isObject(env)) throw misconfigured('clientFromEnv needs the environment: clientFromEnv(process.env).')
  checkOptions('clientFromEnv', options, callChecks)
  const textOf = (name: string): string => {
    // In plain JavaScript other objects than an environment may be passed here.
    const value: unknown = env[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const missing = Object.values(required).filter((name) => textOf(name) === '')
  if (missing.length > 0) throw misconfigured(`set ${missing.join(', ')}.`)
  const settings: Partial<Record<Setting, string>> = {}
  for (const [setting, name] of Object.entries(variables) as [Setting, string][]) {
    const text = textOf(name)
    if (text === '') continue
    checks[setting](text, name)
    settings[setting] = text
  }
  return createPurchaseClient({ ...options, ...(settings as Record<Setting, string>) })
}
