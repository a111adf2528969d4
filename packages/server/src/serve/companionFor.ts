/** The companion that the settings describe. */

import { type Companion, createCompanion } from '../companion/createCompanion.ts'
import type { CompanionOptions } from '../companion/options.ts'
import { warnTo } from '../companion/report.ts'
import type { CreatePurchase } from '../purchase/purchase.ts'
import type { Store } from '../stores/store.ts'
import { createPurchaseByCatalogue } from './catalogue.ts'
import { type HookAddress, type HookSettings, TIMEOUT_MS } from './configuration.ts'
import { type CallHook, createCallHook } from './hook.ts'
import { authorizeByHook, createPurchaseByHook, onOrderByHook } from './hooks.ts'
import { authorizeByJwt } from './jwt.ts'
import { type Log, logFailure, logMistake } from './log.ts'
import type { Settings } from './settings.ts'

/** Where each hook answers; null where none is called. */
export interface HookAddresses {
  readonly authorize: HookAddress | null
  readonly createPurchase: HookAddress | null
  readonly onOrder: HookAddress
}

export function hookAddresses({ configuration }: Pick<Settings, 'configuration'>): HookAddresses {
  const { authorize, createPurchase, onOrder } = configuration
  return {
    authorize: addressOf(authorize, TIMEOUT_MS.authorize),
    createPurchase: addressOf(createPurchase, TIMEOUT_MS.createPurchase),
    onOrder,
  }
}

const addressOf = ({ url, timeoutMs }: HookSettings, defaultMs: number): HookAddress | null =>
  url === undefined ? null : { url, timeoutMs: timeoutMs ?? defaultMs }

export function companionFor(settings: Settings, store: Store, log: Log): Companion {
  const { url, allowedOrigins, carry, rateLimit } = settings.configuration
  const callHook = createCallHook(settings.secret)
  const hooks = hookAddresses(settings)
  warnTo((cause) => logMistake(log, cause))
  return createCompanion({
    url,
    store,
    authorize: forStatus(authorizeFor(settings, hooks, callHook), log),
    createPurchase: createPurchaseFor(settings, hooks, callHook),
    onOrder: onOrderByHook(callHook, hooks.onOrder, log),
    // The hook's own deadline comes first, and says more.
    onOrderTimeout: hooks.onOrder.timeoutMs + 1_000,
    onError: (error, context) => logFailure(log, error, context),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(carry === undefined ? {} : { carry }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  })
}

/** The configuration has one of the two, as the Schema says. */
function authorizeFor(
  { configuration, jwtSecret }: Settings,
  { authorize }: HookAddresses,
  callHook: CallHook,
): CompanionOptions['authorize'] {
  if (authorize) return authorizeByHook(callHook, authorize, configuration.url)
  return authorizeByJwt(configuration.authorize.jwt ?? {}, jwtSecret)
}

function createPurchaseFor(
  { catalogue }: Settings,
  { createPurchase }: HookAddresses,
  callHook: CallHook,
): CreatePurchase {
  if (createPurchase) return createPurchaseByHook(callHook, createPurchase)
  return createPurchaseByCatalogue(catalogue ?? { products: {} })
}

/** A purchase's status is told without a session too: a hook that is away must not keep the shopper from it. */
function forStatus(authorize: CompanionOptions['authorize'], log: Log): CompanionOptions['authorize'] {
  return async (request, context) => {
    if (!/\/purchases\/[^/]+$/.test(new URL(request.url).pathname)) return authorize(request, context)
    try {
      return await authorize(request, context)
    } catch (error) {
      logFailure(log, error, { during: 'GET /purchases' })
      return null
    }
  }
}
