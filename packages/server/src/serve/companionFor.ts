/** The companion that the settings describe. */

import { type Companion, createCompanion } from '../companion/createCompanion.ts'
import type { CompanionOptions } from '../companion/options.ts'
import { warnTo } from '../companion/report.ts'
import type { CreatePurchase } from '../purchase/purchase.ts'
import type { Store } from '../stores/store.ts'
import { createPurchaseByCatalogue } from './catalogue.ts'
import { type CallHook, createCallHook } from './hook.ts'
import { authorizeByHook, createPurchaseByHook, onOrderByHook } from './hooks.ts'
import { authorizeByJwt } from './jwt.ts'
import { type Log, logFailure, logMistake } from './log.ts'
import type { Settings } from './settings.ts'

export function companionFor(settings: Settings, store: Store, log: Log): Companion {
  const { url, onOrder, allowedOrigins, carry, rateLimit } = settings.configuration
  const callHook = createCallHook(settings.secret)
  warnTo((cause) => logMistake(log, cause))
  return createCompanion({
    url,
    store,
    authorize: forStatus(authorizeFor(settings, callHook), log),
    createPurchase: createPurchaseFor(settings, callHook),
    onOrder: onOrderByHook(callHook, onOrder, log),
    // The hook's own deadline comes first, and says more.
    onOrderTimeout: onOrder.timeoutMs + 1_000,
    onError: (error, context) => logFailure(log, error, context),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(carry === undefined ? {} : { carry }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  })
}

/** The configuration has one of the two, as the Schema says. */
function authorizeFor(
  { configuration, jwtSecret }: Settings,
  callHook: CallHook,
): CompanionOptions['authorize'] {
  const { url, timeoutMs, jwt = {} } = configuration.authorize
  if (url === undefined) return authorizeByJwt(jwt, jwtSecret)
  return authorizeByHook(callHook, { url, timeoutMs }, configuration.url)
}

function createPurchaseFor({ configuration, catalogue }: Settings, callHook: CallHook): CreatePurchase {
  const { url, timeoutMs } = configuration.createPurchase
  if (url === undefined) return createPurchaseByCatalogue(catalogue ?? { products: {} })
  return createPurchaseByHook(callHook, { url, timeoutMs })
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
