/**
 * One live access token for all callers of all instances.
 *
 * Creating a token may end the one before it (U8), and with it every widget that is open. So a token is created only when
 * there is no live one, by one caller at a time, and everyone else waits for that caller.
 *
 * Lifetimes are measured as durations from the moment before the token was requested, never by comparing the service's clock
 * with ours: clocks may differ.
 */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { STORE_MS, within } from '../deadline.ts'
import { misconfigured } from '../errors.ts'
import { checkOptions } from '../options.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { isRecord, parseJson } from '../unknown.ts'
import { checks, type TokenLeaseOptions } from './leaseOptions.ts'

/** Immutable: another token is another object. */
export interface LeasedToken {
  readonly accessToken: string
  /** By the clock of this instance. Null: never. */
  readonly expiresAt: Date | null
}

export interface TokenLease {
  /**
   * The live token. Rejects only when there is none and none can be created; then this instance does not ask the service again for
   * two to five seconds, in which every caller gets the same error.
   *
   * @param refused a token that the service has just refused, although it should be live: another party has created one. The lease returns
   * another, at most once a minute.
   */
  get(refused?: string): Promise<LeasedToken>
}

const DAY = 86_400_000
/** How often a token in use is compared with the store: another instance may have had to replace it. After two comparisons all agree. */
const COMPARE_EVERY = 4_000
const REPLACE_EVERY = 60_000
/** How long the service is not called after a failure; random for each instance, so that they do not all return at once. */
const PAUSE = { shortest: 2_000, longest: 5_000 }
/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000

/**
 * @throws InvalidInputError for a wrong or unknown option, and for `infinite` without `allowInfinite`.
 */
export function createTokenLease(options: TokenLeaseOptions): TokenLease {
  checkOptions('createTokenLease', options, checks, ['client'])
  const { client, now = Date.now } = options
  const create = tokenCreator(options)
  const shared = sharedToken(client, options.store ?? memoryStore({ now }), now)
  const acquire = acquirer(shared, create)

  let held: HeldToken | null = null
  /** The last token that the service refused: the store may still hold it. */
  let refusedToken: string | undefined
  let inFlight: Promise<HeldToken> | null = null
  let compareAt = 0
  let replaceAt = 0

  /** Takes over a later token from the store, or writes ours if the store's is older or missing. */
  async function compare(): Promise<void> {
    const stored = await shared.read()
    if (!held || stored?.accessToken === held.accessToken) return
    await shared.withLock(async () => {
      const latest = await shared.read()
      if (!held) return
      if (latest && latest.accessToken !== refusedToken && !isLater(held, latest)) held = latest
      else await shared.write(held)
    })
  }

  return {
    async get(refused) {
      if (refused !== undefined && refused === held?.accessToken && performance.now() >= replaceAt) {
        replaceAt = performance.now() + REPLACE_EVERY
        refusedToken = refused
        held = null
      }
      if (held && isLive(held, now())) {
        if (performance.now() >= compareAt) {
          compareAt = performance.now() + COMPARE_EVERY
          compare().catch(() => {})
        }
        return held
      }
      inFlight ??= acquire(refused).finally(() => {
        inFlight = null
      })
      held = await inFlight
      compareAt = performance.now() + COMPARE_EVERY
      return held
    },
  }
}

/** Gets the live token of the store, or a new one, created by one instance at a time. After a failure it pauses calls to the service. */
function acquirer(
  shared: SharedToken,
  create: () => Promise<HeldToken>,
): (refused: string | undefined) => Promise<HeldToken> {
  let failure: { error: unknown; until: number } | null = null

  function checkPause(): void {
    if (failure && performance.now() < failure.until) throw failure.error
  }

  async function createUnlessPaused(): Promise<HeldToken> {
    checkPause()
    try {
      return await create()
    } catch (error) {
      const pause = PAUSE.shortest + Math.random() * (PAUSE.longest - PAUSE.shortest)
      failure = { error, until: performance.now() + pause }
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
        // A store that is unavailable now receives the token later, when the lease compares.
        await shared.write(token).catch(() => {})
        return token
      })
    } catch {
      // Without the store, a token for this process alone is better than none. After a failure of the service, the pause throws its error again.
      return createUnlessPaused()
    }
  }
}

function tokenCreator(options: TokenLeaseOptions): () => Promise<HeldToken> {
  const { client, expirationDays = '7', allowInfinite = false, now = Date.now } = options
  const { accessTokens } = client
  const lifeMs = expirationDays === 'infinite' ? null : Number(expirationDays) * DAY
  if (lifeMs === null && !allowInfinite) {
    throw misconfigured(
      'a token that never expires opens every order of the business for ever; set allowInfinite: true if you mean it.',
    )
  }
  return async () => {
    const askedAt = now()
    const { accessToken } = await accessTokens.create({ expirationDays })
    if (lifeMs === null) return { accessToken, createdAt: askedAt, expiresAt: null }
    // The service may give less life than was requested. A failure to read it must not cost the new token.
    const expiry = await accessTokens.expireDate(accessToken).catch(() => null)
    const ours = askedAt + lifeMs
    const theirs = expiry?.expiresAt?.getTime() ?? null
    const endsAt = theirs !== null && theirs < ours - CLOCK_SKEW ? theirs : ours
    return { accessToken, createdAt: theirs && theirs - lifeMs, expiresAt: new Date(endsAt) }
  }
}

// The token as the store holds it, for all instances.

interface HeldToken extends LeasedToken {
  /** When it was created, by the service's clock; null if the service did not say. Of several tokens the latest is the live one. */
  readonly createdAt: number | null
}

/** If either time is missing, the token in the store wins: our clock and the service's cannot be compared. */
const isLater = (held: HeldToken, stored: HeldToken): boolean =>
  held.createdAt !== null && stored.createdAt !== null && held.createdAt > stored.createdAt

const isLive = ({ expiresAt }: HeldToken, now: number): boolean =>
  expiresAt === null || expiresAt.getTime() > now

/** Longer than a live holder needs: it may create a token and read its expiry. */
const LOCK_WAIT_MS = 35_000

type Identity = Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>

/** The name of the token in the store. It differs for other keys and other services, whose tokens are useless here. */
export const leaseKeyOf = ({ deriveKey, widgetUrl }: Identity): string =>
  `access-token:${deriveKey(`lease of ${widgetUrl}`).slice(0, 16)}`

type SharedToken = ReturnType<typeof sharedToken>

/** Each function rejects when the store is unavailable or too slow: a store that hangs must not hang every caller. */
function sharedToken(client: Identity, store: SharedState, now: () => number) {
  const key = leaseKeyOf(client)
  return {
    /** Null if there is no live token, and for any other value, e.g. of another version: the next token replaces it. */
    async read(): Promise<HeldToken | null> {
      const askedAt = now()
      const stored = await within(STORE_MS, store.get(key), 'The store')
      const value = parseJson(stored?.value ?? '')
      if (!stored || !isRecord(value)) return null
      const { accessToken, createdAt } = value
      const isTime = createdAt === null || typeof createdAt === 'number'
      if (typeof accessToken !== 'string' || !accessToken.trim() || !isTime) return null
      // Only the store knows how long it keeps the value.
      const expiresAt = stored.ttlMs === null ? null : new Date(askedAt + stored.ttlMs)
      const token = { accessToken, createdAt, expiresAt }
      return isLive(token, now()) ? token : null
    },
    async write({ accessToken, createdAt, expiresAt }: HeldToken): Promise<void> {
      const ttlMs = expiresAt && expiresAt.getTime() - now()
      const value = JSON.stringify({ accessToken, createdAt })
      await within(STORE_MS, store.set(key, value, ttlMs), 'The store')
    },
    withLock: <T>(task: () => Promise<T>): Promise<T> => lockInTime(store, key, task),
  }
}

/** Limits the wait for the lock, and settles with the task: the store may also hang when it releases the lock. */
function lockInTime<T>(store: SharedState, key: string, task: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error('The lock did not come in time.'))
    }, LOCK_WAIT_MS)
    const turn = store.withLock(key, async () => {
      if (isLate) return
      clearTimeout(timer)
      await task().then(resolve, reject)
    })
    turn.catch((error: unknown) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
