/**
 * One live access token for all callers of all instances.
 *
 * Creating a token may end the one before it (U8), and with it every widget that is open. So a token is created only when
 * there is none that lives, by one caller at a time, and everyone else waits for that one.
 *
 * Lives are measured as durations from the moment before the token was asked for, never by comparing the service's clock
 * with ours: clocks may differ.
 */
import * as z from 'zod'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { traced } from '../client/diagnostics.ts'
import type { ExpirationDays } from '../client/wire.ts'
import { InvalidInputError, PurchaseError } from '../errors.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { inTime } from './inTime.ts'
import { leaseKeyOf } from './leaseKey.ts'

/** A value: another token is another object. */
export interface LeasedToken {
  readonly accessToken: string
  /** By this machine's clock. Null: never. */
  readonly expiresAt: Date | null
}

export interface TokenLease {
  /**
   * The live token. Rejects only when there is none and none can be created; then the service is not asked again for two to
   * five seconds, in which every caller of this instance gets the same error.
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
/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000
/** How often a token in use is held against the store: another instance may have had to replace it. */
const COMPARE_EVERY = 5_000
const REPLACE_EVERY = 60_000
/** How long the service is left alone after a failure: at least, and at random up to so much longer. */
const PAUSE = 2_000
const PAUSE_JITTER = 3_000

interface HeldToken extends LeasedToken {
  /** When it was created, by the service's clock: the latest is the one that lives. */
  createdAt: number
}

/** What the store holds of a token, as JSON. How long it lives is the store's to say. */
const storedToken = z.object({ accessToken: z.string().regex(/\S/), createdAt: z.number() })

/**
 * @throws InvalidInputError for `infinite` without `allowInfinite`, and for a `renewBefore` as long as the token's life.
 */
export function createTokenLease(options: TokenLeaseOptions): TokenLease {
  const { client, expirationDays = '7', renewBefore = 0, now = Date.now } = options
  const store = inTime(options.store ?? memoryStore())
  const lifeMs = checkLife(expirationDays, options)

  let held: HeldToken | null = null
  let inFlight: Promise<HeldToken> | null = null
  let compareAt = 0
  let replaceAt = 0
  let failure: { error: unknown; at: number; pauseMs: number } | null = null

  const isLive = (token: HeldToken | null, at = now()): token is HeldToken =>
    token !== null && (token.expiresAt === null || token.expiresAt.getTime() - at > renewBefore)

  async function read(): Promise<HeldToken | null> {
    const askedAt = now()
    const stored = await store.get(await leaseKeyOf(client))
    const parsed = stored && parseStored(stored.value)
    if (!parsed) return null
    const expiresAt = stored.ttlMs === null ? null : new Date(askedAt + stored.ttlMs)
    const token = { ...parsed, expiresAt }
    return isLive(token) ? token : null
  }

  async function share({ accessToken, createdAt, expiresAt }: HeldToken): Promise<void> {
    const ttlMs = expiresAt && expiresAt.getTime() - now()
    await store.set(await leaseKeyOf(client), JSON.stringify({ accessToken, createdAt }), ttlMs)
  }

  /** Fails as the service did a moment ago, so that callers without a token do not all ask it again. */
  function checkPause(): void {
    if (!failure) return
    const passed = now() - failure.at
    // Less than nothing: the clock was set back.
    if (passed >= 0 && passed < failure.pauseMs) throw failure.error
  }

  async function create(): Promise<HeldToken> {
    checkPause()
    const askedAt = now()
    const { accessToken } = await client.accessTokens.create({ expirationDays }).catch((error: unknown) => {
      failure = { error, at: now(), pauseMs: PAUSE + Math.random() * PAUSE_JITTER }
      throw error
    })
    if (lifeMs === null) return { accessToken, createdAt: askedAt, expiresAt: null }
    const ours = askedAt + lifeMs
    const theirs = (await expiryOf(accessToken)) ?? ours
    const endsAt = theirs < ours - CLOCK_SKEW ? theirs : ours
    return { accessToken, createdAt: theirs - lifeMs, expiresAt: new Date(endsAt) }
  }

  /** The service's own word, in case it gives less life than was asked for. Its failure must not cost the new token. */
  async function expiryOf(accessToken: string): Promise<number | undefined> {
    const expiry = await client.accessTokens.expireDate(accessToken).catch(() => null)
    return expiry?.expiresAt?.getTime()
  }

  async function acquire(refused: string | undefined): Promise<HeldToken> {
    const readOther = async (): Promise<HeldToken | null> => {
      const stored = await read()
      return stored?.accessToken === refused ? null : stored
    }
    try {
      // Before the pause is looked at: another instance may have a token by now.
      const stored = await readOther()
      if (stored) return stored
      checkPause()
      return await store.withLock(await leaseKeyOf(client), async () => {
        const meanwhile = await readOther()
        if (meanwhile) return meanwhile
        const token = await create()
        // A store that is gone now learns of the token later, from `compare`.
        await share(token).catch(() => {})
        return token
      })
    } catch (error) {
      if (error instanceof PurchaseError) throw error
      // The store is gone: one token for this process is better than none.
      return create()
    }
  }

  /** Takes over a later token from the store, or tells the store of ours when it knows none as late. */
  async function compare(): Promise<void> {
    const stored = await read()
    if (!held || (stored && stored.accessToken === held.accessToken)) return
    await store.withLock(await leaseKeyOf(client), async () => {
      const latest = await read()
      if (!held) return
      if (latest && latest.createdAt >= held.createdAt) held = latest
      else await share(held)
    })
  }

  return {
    async get(refused) {
      if (refused !== undefined && refused === held?.accessToken && now() >= replaceAt) {
        replaceAt = now() + REPLACE_EVERY
        held = null
      }
      const at = now()
      if (isLive(held, at)) {
        if (at >= compareAt) {
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

/** Null for anything else, e.g. of another version: it counts as no token, and the next one replaces it. */
function parseStored(value: string): z.infer<typeof storedToken> | null {
  try {
    return storedToken.parse(JSON.parse(value))
  } catch {
    return null
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
