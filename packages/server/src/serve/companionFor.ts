/** The companion that the settings describe. */

import type { Companion } from '../companion/companion.ts'
import { createCompanion } from '../companion/createCompanion.ts'
import type { CompanionOptions } from '../companion/options.ts'
import type { Store } from '../stores/store.ts'
import { authorizeByHook, type HookAddress } from './authorize.ts'
import { createPurchaseByCatalogue, createPurchaseByHook } from './createPurchase.ts'
import { type CallHook, createCallHook } from './hook.ts'
import { authorizeByJwt } from './jwt.ts'
import { type Log, logFailure } from './log.ts'
import { onOrderByHook } from './onOrder.ts'
import type { Settings } from './settings.ts'

/** How long each hook may take unless the configuration says otherwise, in milliseconds. */
const TIMEOUTS_MS = { authorize: 3_000, createPurchase: 5_000, onOrder: 30_000 } as const

export function companionFor(settings: Settings, store: Store, log: Log): Companion {
  const { url, allowedOrigins, carry, rateLimit, onOrder } = settings.configuration
  const callHook = createCallHook(settings.secret)
  const delivery = { url: onOrder.url, timeoutMs: onOrder.timeoutMs ?? TIMEOUTS_MS.onOrder }
  return createCompanion({
    url,
    store,
    authorize: forStatus(authorizeFor(settings, callHook), log),
    createPurchase: createPurchaseFor(settings, callHook),
    onOrder: onOrderByHook(callHook, delivery, log),
    // The hook's own deadline comes first, and says more.
    onOrderTimeout: delivery.timeoutMs + 1_000,
    onError: (error, context) => logFailure(log, error, context),
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
    ...(carry === undefined ? {} : { carry }),
    ...(rateLimit === undefined ? {} : { rateLimit: withoutUndefined(rateLimit) }),
  })
}

const withoutUndefined = ({
  perShopper,
  perAddress,
}: {
  perShopper?: number | undefined
  perAddress?: number | undefined
}) => ({
  ...(perShopper === undefined ? {} : { perShopper }),
  ...(perAddress === undefined ? {} : { perAddress }),
})

function authorizeFor(
  { configuration, jwtSecret }: Settings,
  callHook: CallHook,
): CompanionOptions['authorize'] {
  const { authorize, url } = configuration
  if (authorize.jwt) return authorizeByJwt(authorize.jwt, jwtSecret)
  return authorizeByHook(callHook, addressOf('authorize', authorize), url)
}

function createPurchaseFor(
  { configuration, catalogue }: Settings,
  callHook: CallHook,
): CompanionOptions['createPurchase'] & {} {
  if (catalogue) return createPurchaseByCatalogue(catalogue)
  return createPurchaseByHook(callHook, addressOf('createPurchase', configuration.createPurchase))
}

const addressOf = (
  name: keyof typeof TIMEOUTS_MS,
  { url = '', timeoutMs = TIMEOUTS_MS[name] }: { url?: string | undefined; timeoutMs?: number | undefined },
): HookAddress => ({ url, timeoutMs })

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
