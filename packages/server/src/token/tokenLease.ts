/**
 * One live access token for all callers of all instances.
 *
 * Creating a token may end the one before it (U8), and with it every widget that is open. So a token is created only when
 * there is none that lives, by one caller at a time, and everyone else waits for that one.
 *
 * Lives are measured as durations from the moment before the token was asked for, never by comparing the service's clock
 * with ours: clocks may differ.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { traced } from '../client/diagnostics.ts'
import type { ExpirationDays } from '../client/wire.ts'
import { InvalidInputError } from '../errors.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { createAcquire } from './acquire.ts'
import { inTime } from './inTime.ts'
import type { HeldToken, LeasedToken } from './leasedToken.ts'
import { newToken } from './newToken.ts'
import { createPause } from './pause.ts'
import { createSharedRefusal } from './sharedRefusal.ts'
import { createSharedToken } from './sharedToken.ts'

export interface TokenLease {
  /**
   * The live token. Rejects only when there is none and none can be created; then the service is not asked again for two to
   * five seconds, in which every caller of this instance gets the same error; after an `ApiError`, by no instance that shares the store.
   *
   * @param refused a token that the service has just refused, although it should live: somebody else created one. Gives
   * another, at most once a minute.
   */
  get(refused?: string): Promise<LeasedToken>
}

export interface TokenLeaseOptions {
  client: Pick<PurchaseClient, 'accessTokens' | 'deriveKey' | 'widgetUrl'>
  /** Default `7`: the shortest, because a token opens every order of the business (U9). */
  expirationDays?: ExpirationDays
  /** `infinite` needs this to be true. */
  allowInfinite?: boolean
  /** What instances share. Default: this process's memory. */
  store?: SharedState
  /**
   * Milliseconds before a token's end at which the next one is created. Default 0: an earlier refresh may end the tokens
   * of widgets that are open (U8).
   */
  renewBefore?: number
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

const DAY = 86_400_000
/** How often a token in use is held against the store: another instance may have had to replace it. Two turns, and all agree. */
const COMPARE_EVERY = 4_000
const REPLACE_EVERY = 60_000
/**
 * @throws InvalidInputError for `infinite` without `allowInfinite`, and for a `renewBefore` as long as the token's life.
 */
export function createTokenLease(options: TokenLeaseOptions): TokenLease {
  const { client, expirationDays = '7', renewBefore = 0, now = Date.now } = options
  const lifeMs = checkLife(expirationDays, options)
  const isLive = (token: HeldToken, at: number): boolean =>
    token.expiresAt === null || token.expiresAt.getTime() - at > renewBefore
  /** What is further off than it can be was set before the clock was set back. */
  const isPast = (at: number, every: number): boolean => now() >= at || at - now() > every
  const store = inTime(options.store ?? memoryStore({ now }))
  const shared = createSharedToken({ client, store, isLive, now })
  const pause = createPause({ refusals: createSharedRefusal({ client, store }), now })
  const create = (): Promise<HeldToken> => newToken({ client, expirationDays, lifeMs, now })
  const acquire = createAcquire({ shared, pause, create })

  let held: HeldToken | null = null
  let inFlight: Promise<HeldToken> | null = null
  let compareAt = 0
  let replaceAt = 0

  /** Takes over a later token from the store, or tells the store of ours when it knows none as late. */
  async function compare(): Promise<void> {
    const stored = await shared.read()
    if (!held || (stored && stored.accessToken === held.accessToken)) return
    await shared.withLock(async () => {
      const latest = await shared.read()
      if (!held) return
      if (latest && latest.createdAt >= held.createdAt) held = latest
      else await shared.write(held)
    })
  }

  return {
    async get(refused) {
      if (refused !== undefined && refused === held?.accessToken && isPast(replaceAt, REPLACE_EVERY)) {
        replaceAt = now() + REPLACE_EVERY
        held = null
      }
      const at = now()
      if (held && isLive(held, at)) {
        if (isPast(compareAt, COMPARE_EVERY)) {
          compareAt = at + COMPARE_EVERY
          compare().catch(() => {})
        }
        return held
      }
      inFlight ??= traced('lease', 'acquire', () => acquire(refused)).finally(() => {
        inFlight = null
      })
      held = await inFlight
      compareAt = now() + COMPARE_EVERY
      return held
    },
  }
}

function checkLife(
  days: ExpirationDays,
  { allowInfinite = false, renewBefore = 0 }: Pick<TokenLeaseOptions, 'allowInfinite' | 'renewBefore'>,
): number | null {
  if (days === 'infinite') {
    if (allowInfinite) return null
    throw new InvalidInputError(
      'configuration',
      'a token that never expires opens every order of the business for ever; set allowInfinite: true if you mean it.',
    )
  }
  const lifeMs = Number(days) * DAY
  if (renewBefore >= 0 && renewBefore < lifeMs) return lifeMs
  throw new InvalidInputError('configuration', 'renewBefore must be shorter than the life of the token.')
}
