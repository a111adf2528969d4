/**
 * The setup mistakes that the toolkit recognises: one table for the doctor, the refusals in development, the server's log and
 * docs/errors.md. Names in braces are filled in: of what a caller sends, only the origin of a page.
 */
import type { PurchaseClient } from './client/createPurchaseClient.ts'
import { baseOf } from './client/operations.ts'
import { isApiError, isInvalidInputError, isNetworkError, isTimeoutError, PurchaseError } from './errors.ts'
import { printable } from './unknown.ts'

export const mistakes = {
  companion_address: {
    seen: 'The companion believes it is at {companion} ({setting}), but the page is at {page}.',
    remedy: 'If {page} is yours, set {setting} to {expected}.',
  },
  host_not_passed: {
    seen: 'The companion believes it is at {companion} (the Host header), but the page is at {page}.',
    remedy:
      'If {page} is yours, let the proxy pass Host; or, where it sends X-Forwarded headers, set trustProxy: 1 in the options of toNodeHandler or the configuration of serve; or set PURCHASE_COMPANION_URL to {expected}.',
  },
  page_not_allowed: {
    seen: 'The page is at {page}, but the allowed origins are {allowed}.',
    remedy: "If the page is yours, add '{page}' to allowedOrigins.",
  },
  page_refused: {
    seen: 'The companion refuses pages of {page}.',
    remedy:
      "If the page is yours, add '{page}' to allowedOrigins; without that option, only the origin of url or PURCHASE_COMPANION_URL is allowed.",
  },
  companion_elsewhere: {
    seen: 'The companion believes it is at {companion}, but it answers at {given}.',
    remedy:
      'Set url or PURCHASE_COMPANION_URL to {given}, or pass the address that shoppers see to --companion.',
  },
  origin_null: {
    seen: 'The page has no origin (Origin: null).',
    remedy: 'Serve the page over http or https; a sandboxed frame needs allow-same-origin.',
  },
  origin_missing: {
    seen: 'The request has no Origin header.',
    remedy:
      'Browsers send it with every POST: make sure that no proxy removes it. An app sends Authorization, but no cookie.',
  },
  origin_rewritten: {
    seen: 'Origin is {page}, but the browser reports that the page has another origin (Sec-Fetch-Site: {site}).',
    remedy:
      "Let the proxy pass Origin as it is, and add the page's real origin to allowedOrigins if it is yours.",
  },
  companion_path: {
    seen: 'The companion is called at another path than {companion} ({setting}), where shoppers who have paid return: perhaps to a page that does not exist.',
    remedy: 'Set {setting} to the address where the companion is mounted, unless a proxy changes the path.',
  },
  caller_behind_proxy: {
    seen: 'Rate limits count every shopper as {address}: a proxy sends X-Forwarded-For, but trustProxy does not include it.',
    remedy:
      'If the proxy is yours, set trustProxy: 1, the number of your proxies, in the options of toNodeHandler or the configuration of serve.',
  },
  on_order_missing: {
    seen: 'createCompanion has no onOrder: nothing is delivered when a shopper has paid.',
    remedy: 'Add onOrder, which delivers orders.',
  },
  create_purchase_missing: {
    seen: 'createCompanion has no createPurchase: the page decides what is sold and at which price, and every order is unchecked.',
    remedy: 'Add createPurchase, which decides what is sold.',
  },
  sells_to_everybody: {
    seen: 'A purchase without a product was created for a caller without a session.',
    remedy:
      'If createPurchase decides what guests may buy, this is right. Otherwise add createPurchase, or let authorize return null for this caller.',
  },
  store_missing: {
    seen: 'createCompanion has no store: a restart forgets purchases, webhooks that were acknowledged, and what onOrder has handled.',
    remedy:
      'Pass store: sqliteStore(file) for one machine or postgresStore(pool) for several, or store: memoryStore() if you want this.',
  },
  store_forgets: {
    seen: 'The store forgets purchases and webhooks at every restart.',
    remedy: 'Pass store: sqliteStore(file) for one machine or postgresStore(pool) for several.',
  },
  webhook_unreadable: {
    seen: 'A webhook with the right key names no order: its body has neither order_id nor custom_id, as JSON or as a form.',
    remedy:
      'If it is about a user, this is right. Otherwise check that a proxy passes the body unchanged; until then orders are found by reconciling, which is slower.',
  },
  widget_url_path: {
    seen: 'PURCHASE_WIDGET_URL ({url}) ends in /widget, which the companion adds itself: shoppers are sent to {url}/widget/.',
    remedy: 'Set PURCHASE_WIDGET_URL to {expected}.',
  },
  setting_invalid: {
    seen: 'The configuration is incomplete or wrong: {problem}',
    remedy: 'Set it in the environment or as an option, and start the server again.',
  },
  service_unreachable: {
    seen: '{setting} ({address}): {reason}.',
    remedy: "Set {setting} to the service's address of {what}, and check that this server can reach it.",
  },
  service_address: {
    seen: "{setting} ({address}) answers {status}, but not in the service's format.",
    remedy: "Set {setting} to the service's address of {what}.",
  },
  service_redirects: {
    seen: '{setting} ({address}) answers {status}, a redirect, which the client does not follow.',
    remedy: 'Set {setting} to the address that it redirects to, often https or another host name.',
  },
  service_failing: {
    seen: '{setting} ({address}) answers {status}.',
    remedy:
      'Try again. If this continues, ask the service, or check that {setting} is its address of {what}.',
  },
  keys_refused: {
    seen: 'The service at {address} ({setting}) refuses {keys} ({status}).',
    remedy:
      'Copy the whole value from the dashboard again. Check that keys and addresses belong to one account (the sandbox has its own), and that the two keys are not swapped.',
  },
  permission_missing: {
    seen: 'The service at {address} ({setting}) does not allow this to PURCHASE_API_KEY ({status}).',
    remedy:
      'Ask the service for the permission (5.3). If it creates no token either, the key is wrong: copy the whole value from the dashboard again.',
  },
  not_a_request: {
    seen: 'companion.fetch received something other than a web Request, such as the request of Express or node:http.',
    remedy: 'Mount toNodeHandler(companion) instead.',
  },
} as const

export type Mistake = keyof typeof mistakes

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? NameOf<Name> | NamesIn<Rest>
  : never
/** Code in braces, such as `{ trustProxy: 1 }`, is not a name. */
type NameOf<Text> = Text extends `${string} ${string}` ? never : Text

export type ValuesOf<Which extends Mistake> = Record<
  NamesIn<(typeof mistakes)[Which]['seen']> | NamesIn<(typeof mistakes)[Which]['remedy']>,
  string
>

/** What was seen, and what to do. */
export interface Cause {
  readonly mistake: Mistake
  readonly seen: string
  readonly remedy: string
}

/** Values may come from any caller: they are truncated, and unprintable characters are escaped. */
export function causeOf<Which extends Mistake>(mistake: Which, values: ValuesOf<Which>): Cause {
  const given = new Map<string, string>(Object.entries(values))
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => shown(given.get(name) ?? ''))
  const { seen, remedy } = mistakes[mistake]
  return { mistake, seen: fill(seen), remedy: fill(remedy) }
}

const MAX_VALUE_LENGTH = 160

const shown = (value: string): string =>
  printable(value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value)

export const sentenceOf = ({ seen, remedy }: Cause): string => `${seen} ${remedy}`

/** The environment variable that holds the address of each part of the service. */
const parts = {
  baseUrl: ['PURCHASE_BASE_URL', 'transactions, subscriptions and users'],
  userBaseUrl: ['PURCHASE_USER_BASE_URL', 'the user operations'],
  widgetApiUrl: ['PURCHASE_WIDGET_API_URL', 'tokens and order history'],
} as const

type Addresses = PurchaseClient['addresses']

type ServiceMistake = Extract<Mistake, `service_${string}`> | 'keys_refused' | 'permission_missing'

/** The setting that a failed call to the service points to. */
export interface ServiceCause extends Cause {
  /** The variable to look at: an address, or a key. */
  readonly setting: string
  readonly address: string
  /** Of the answer; null when there was none. */
  readonly status: number | null
}

/** @param keys that the answer is about; without them it is about the address. */
export function serviceCause(
  addresses: Addresses,
  base: keyof Addresses,
  mistake: ServiceMistake,
  status: number | null,
  { reason = '', keys = '' }: { reason?: string; keys?: string } = {},
): ServiceCause {
  const address = addresses[base]
  const isShared = base === 'userBaseUrl' && address === addresses.baseUrl
  const [setting, what] = parts[isShared ? 'baseUrl' : base]
  const cause = causeOf(mistake, { setting, address, what, status: String(status), reason, keys })
  return { ...cause, setting: keys || setting, address, status }
}

/** The cause of a failed call to this part of the service. */
export function causeAt(addresses: Addresses, base: keyof Addresses, error: PurchaseError): ServiceCause {
  const because = serviceCause.bind(null, addresses, base)
  if (isTimeoutError(error)) return because('service_unreachable', null, { reason: 'no answer in time' })
  if (isNetworkError(error)) {
    const { status } = error
    if (status !== null) return because('service_redirects', status)
    return because('service_unreachable', null, { reason: reasonOf(error) })
  }
  // Another server answers at this address.
  if (!isApiError(error)) return because('service_address', 200)
  const { status, operation, refusedBy } = error
  if (status < 500 && refusedBy === 'other') return because('service_address', status)
  const createsToken = operation === 'accessTokens.create'
  // The credential of the others is the token: whoever refuses that says nothing about a key.
  const isByToken = base === 'widgetApiUrl' && !createsToken
  if (isByToken) return because('service_failing', status)
  // Creating a token needs no permission (5.3), so a key is wrong whichever of the two the service answers (U6).
  if (createsToken && [401, 403].includes(status)) return because('keys_refused', status, { keys: BOTH_KEYS })
  if (status === 401) return because('keys_refused', status, { keys: API_KEY })
  if (status === 403) return because('permission_missing', status, { keys: API_KEY })
  return because('service_failing', status)
}

export const API_KEY = 'PURCHASE_API_KEY'
export const SECRET_KEY = 'PURCHASE_SECRET_KEY'
/** Creating a token needs both. */
export const BOTH_KEYS: string = `${API_KEY} or ${SECRET_KEY}`

/** The setting behind any failure; null for one that no setting explains. */
export function settingCause(error: unknown, { addresses }: Partial<PurchaseClient>): Cause | null {
  if (!(error instanceof PurchaseError)) return null
  if (isInvalidInputError(error)) {
    // Any other is a mistake in the merchant's own code.
    return error.operation === 'configuration' ? causeOf('setting_invalid', { problem: error.problem }) : null
  }
  const base = baseOf(error.operation)
  return base && addresses ? causeAt(addresses, base, error) : null
}

/** Codes come from the system: `ENOTFOUND`, `ECONNREFUSED`. */
function reasonOf({ cause }: PurchaseError): string {
  const code = cause instanceof Error ? /\((\w+)\)$/.exec(cause.message)?.[1] : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no such host (${code})`
  return `cannot be reached${code ? ` (${code})` : ''}`
}
