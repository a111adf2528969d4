/**
 * One live access token for all callers of all instances.
 *
 * Creating a token may end the one before it (U8), and with it every widget that is open. So a token is created only when
 * there is none that lives, by one caller at a time, and everyone else waits for that one.
 *
 * Lives are measured as durations from the moment before the token was asked for, never by comparing the service's clock
 * with ours: clocks may differ.
 */
import type { PurchaseClient } from './client.ts'
import { InvalidInputError } from './errors.ts'
import { memoryStore } from './stores/memory.ts'
import type { Store } from './stores/store.ts'
import type { ExpirationDays } from './wire.ts'

export interface LeasedToken {
  accessToken: string
  /** By this machine's clock. Null: never. */
  expiresAt: Date | null
}

export interface TokenLease {
  /** The live token. Rejects only when there is none and none can be created. */
  get(): Promise<LeasedToken>
}

export interface TokenLeaseOptions {
  client: Pick<PurchaseClient, 'accessTokens'>
  /** Default `7`: the shortest, because a token opens every order of the business (U9). */
  expirationDays?: ExpirationDays
  /** `infinite` needs this to be true. */
  allowInfinite?: boolean
  /** What instances share. Default: this process's memory. */
  store?: Store
  /**
   * Milliseconds before a token's end at which the next one is created. Default 0: an earlier refresh may end the tokens
   * of widgets that are open (U8).
   */
  renewBefore?: number
  /** Milliseconds since the epoch. Default `Date.now`. */
  now?: () => number
}

const DAY = 86_400_000
/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000
const KEY = 'access-token'

/**
 * @throws InvalidInputError for `infinite` without `allowInfinite`, and for a `renewBefore` as long as the token's life.
 */
export function createTokenLease(options: TokenLeaseOptions): TokenLease {
  const { client, expirationDays = '7', store = memoryStore(), renewBefore = 0, now = Date.now } = options
  const lifeMs = expirationDays === 'infinite' ? null : Number(expirationDays) * DAY
  if (lifeMs === null && options.allowInfinite !== true) {
    throw new InvalidInputError(
      'configuration',
      'a token that never expires opens every order of the business for ever; set allowInfinite: true if you mean it.',
    )
  }
  if (lifeMs !== null && !(renewBefore >= 0 && renewBefore < lifeMs)) {
    throw new InvalidInputError('configuration', 'renewBefore must be shorter than the life of the token.')
  }

  let held: LeasedToken | null = null
  let inFlight: Promise<LeasedToken> | null = null

  const isLive = (token: LeasedToken | null): token is LeasedToken =>
    token !== null && (token.expiresAt === null || token.expiresAt.getTime() - now() > renewBefore)

  async function readStored(): Promise<LeasedToken | null> {
    const stored = await store.get(KEY)
    if (!stored) return null
    const expiresAt = stored.ttlMs === null ? null : new Date(now() + stored.ttlMs)
    const token = { accessToken: stored.value, expiresAt }
    return isLive(token) ? token : null
  }

  async function create(): Promise<LeasedToken> {
    const askedAt = now()
    const { accessToken } = await client.accessTokens.create({ expirationDays })
    if (lifeMs === null) return { accessToken, expiresAt: null }
    const ours = askedAt + lifeMs
    const theirs = (await expiryOf(accessToken)) ?? ours
    return { accessToken, expiresAt: new Date(theirs < ours - CLOCK_SKEW ? theirs : ours) }
  }

  /** The service's own word, in case it gives less life than was asked for. Its failure must not cost the new token. */
  async function expiryOf(accessToken: string): Promise<number | undefined> {
    const expiry = await client.accessTokens.expireDate(accessToken).catch(() => null)
    return expiry?.expiresAt?.getTime()
  }

  async function acquire(): Promise<LeasedToken> {
    const stored = await readStored()
    if (stored) return stored
    return store.withLock(KEY, async () => {
      const meanwhile = await readStored()
      if (meanwhile) return meanwhile
      const token = await create()
      await store.set(KEY, token.accessToken, token.expiresAt && token.expiresAt.getTime() - now())
      return token
    })
  }

  return {
    async get() {
      if (isLive(held)) return held
      inFlight ??= acquire().finally(() => {
        inFlight = null
      })
      held = await inFlight
      return held
    },
  }
}
