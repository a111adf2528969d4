/**
 * One live access token for all callers of all instances.
 *
 * Creating a token may end the one before it (U8), and with it every widget that is open. So a token is created only when
 * there is no live one, by one caller at a time, and everyone else waits for that caller.
 *
 * Lives are measured as durations from the moment before the token was requested, never by comparing the service's clock
 * with ours: clocks may differ.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { traced } from '../client/diagnostics.ts'
import type { ExpirationDays } from '../client/wire.ts'
import { InvalidInputError } from '../errors.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { type HeldToken, isLive, type LeasedToken, type SharedToken, sharedToken } from './sharedToken.ts'

export interface TokenLease {
  /**
   * The live token. Rejects only when there is none and none can be created; then this instance does not ask the service again for
   * two to five seconds, in which every caller gets the same error.
   *
   * @param refused a token that the service has just refused, although it should be live: somebody else created one. Gives
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
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

const DAY = 86_400_000
/** How often a token in use is compared with the store: another instance may have had to replace it. After two turns all agree. */
const COMPARE_EVERY = 4_000
const REPLACE_EVERY = 60_000
/** How long the service is left alone after it failed; each instance takes a random length, so that they do not all return at once. */
const PAUSE = { shortest: 2_000, longest: 5_000 }
/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000

/**
 * @throws InvalidInputError for `infinite` without `allowInfinite`.
 */
export function createTokenLease(options: TokenLeaseOptions): TokenLease {
  const { client, now = Date.now } = options
  const create = tokenCreator(options)
  const shared = sharedToken(client, options.store ?? memoryStore({ now }), now)
  const passed = elapsed(now)
  const acquire = acquirer(shared, create, passed)

  let held: HeldToken | null = null
  let inFlight: Promise<HeldToken> | null = null
  let compareAt = 0
  let replaceAt = 0

  /** Takes over a later token from the store, or writes ours where the store has none as late. */
  async function compare(): Promise<void> {
    const stored = await shared.read()
    if (!held || stored?.accessToken === held.accessToken) return
    await shared.withLock(async () => {
      const latest = await shared.read()
      if (!held) return
      if (latest && latest.createdAt >= held.createdAt) held = latest
      else await shared.write(held)
    })
  }

  return {
    async get(refused) {
      if (refused !== undefined && refused === held?.accessToken && passed() >= replaceAt) {
        replaceAt = passed() + REPLACE_EVERY
        held = null
      }
      if (held && isLive(held, now())) {
        if (passed() >= compareAt) {
          compareAt = passed() + COMPARE_EVERY
          compare().catch(() => {})
        }
        return held
      }
      inFlight ??= traced('lease', 'acquire', () => acquire(refused)).finally(() => {
        inFlight = null
      })
      held = await inFlight
      compareAt = passed() + COMPARE_EVERY
      return held
    },
  }
}

/**
 * Gets the live token of the store, or a new one, created by one instance at a time. After a failure the service is left alone.
 *
 * @param passed milliseconds, for intervals.
 */
function acquirer(
  shared: SharedToken,
  create: () => Promise<HeldToken>,
  passed: () => number,
): (refused: string | undefined) => Promise<HeldToken> {
  let failure: { error: unknown; until: number } | null = null

  function checkPause(): void {
    if (failure && passed() < failure.until) throw failure.error
  }

  async function createUnlessPaused(): Promise<HeldToken> {
    checkPause()
    try {
      return await create()
    } catch (error) {
      const pause = PAUSE.shortest + Math.random() * (PAUSE.longest - PAUSE.shortest)
      failure = { error, until: passed() + pause }
      throw error
    }
  }

  return async (refused) => {
    const readOther = async (): Promise<HeldToken | null> => {
      const stored = await shared.read()
      return stored?.accessToken === refused ? null : stored
    }
    try {
      // Before the pause is checked: another instance may have a token by now.
      const stored = await readOther()
      if (stored) return stored
      checkPause()
      return await shared.withLock(async () => {
        const meanwhile = await readOther()
        if (meanwhile) return meanwhile
        const token = await createUnlessPaused()
        // A store that is gone now receives the token later, when the lease compares.
        await shared.write(token).catch(() => {})
        return token
      })
    } catch {
      // Without the store one token for this process is better than none. A failure of the service is thrown again by its pause.
      return createUnlessPaused()
    }
  }
}

/** Creates a token, and finds out how long it lives. */
function tokenCreator(options: TokenLeaseOptions): () => Promise<HeldToken> {
  const { client, expirationDays = '7', now = Date.now } = options
  const { accessTokens } = client
  const lifeMs = checkLife(expirationDays, options)
  return async () => {
    const askedAt = now()
    const { accessToken } = await accessTokens.create({ expirationDays })
    if (lifeMs === null) return { accessToken, createdAt: askedAt, expiresAt: null }
    // The service may give less life than was requested. A failure to read it must not cost the new token.
    const expiry = await accessTokens.expireDate(accessToken).catch(() => null)
    const ours = askedAt + lifeMs
    const theirs = expiry?.expiresAt?.getTime() ?? ours
    const endsAt = theirs < ours - CLOCK_SKEW ? theirs : ours
    return { accessToken, createdAt: theirs - lifeMs, expiresAt: new Date(endsAt) }
  }
}

function checkLife(
  days: ExpirationDays,
  { allowInfinite = false }: Pick<TokenLeaseOptions, 'allowInfinite'>,
): number | null {
  if (days !== 'infinite') return Number(days) * DAY
  if (allowInfinite) return null
  throw new InvalidInputError(
    'configuration',
    'a token that never expires opens every order of the business for ever; set allowInfinite: true if you mean it.',
  )
}

/** Gives a function that gives the milliseconds that have passed on this clock since now; never fewer than it gave before. */
function elapsed(now: () => number): () => number {
  let last = now()
  let total = 0
  return () => {
    const at = now()
    total += Math.max(0, at - last)
    last = at
    return total
  }
}
