/** The options of a token lease, and their checks. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { ExpirationDays } from '../client/wire.ts'
import { type Checks, isBoolean, isClock, must } from '../options.ts'
import type { SharedState } from '../stores/store.ts'
import { canDo, isRecord } from '../unknown.ts'

export interface TokenLeaseOptions {
  client: Pick<PurchaseClient, 'accessTokens' | 'deriveKey' | 'widgetUrl'>
  /** Default `7`: the shortest, because a token opens every order of the business (U9). */
  expirationDays?: ExpirationDays
  /** `infinite` needs this to be true. */
  allowInfinite?: boolean
  /** State that the instances share. Default: this process's memory. */
  store?: SharedState
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

export const checks: Checks<TokenLeaseOptions> = {
  client: must(
    (value) => isRecord(value) && canDo(value, 'deriveKey') && canDo(value.accessTokens, 'create'),
    'be a client: createPurchaseClient({ … }), or clientFromEnv(process.env)',
  ),
  expirationDays: must(
    (value) => ['7', '30', '180', '365', 'infinite'].some((one) => one === value),
    "be '7', '30', '180', '365' or 'infinite'",
  ),
  allowInfinite: isBoolean,
  store: must((value) => canDo(value, 'get', 'set', 'withLock'), 'be a store, e.g. sqliteStore(file)'),
  now: isClock,
}
