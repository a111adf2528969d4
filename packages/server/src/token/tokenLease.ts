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
import type { ExpirationDays } from '../client/wire.ts'
import { isRefusal, misconfigured } from '../errors.ts'
import { type Checks, checkOptions, isBoolean, isClock, must } from '../options.ts'
import { memoryStore } from '../stores/memory.ts'
import type { SharedState } from '../stores/store.ts'
import { canDo, isRecord } from '../unknown.ts'
import { type HeldToken, isLater, isLive, type LeasedToken, sharedToken } from './sharedToken.ts'

export interface TokenLease {
  /**
   * The live token. Rejects only when there is none and none can be created; then this instance does not ask the service again for
   * two to five seconds, in which every caller gets the same error.
   *
   * @param refused a token that the service has just refused, although it should be live: another party has created one. The lease returns
   * another, at most once a minute.
   */
  get(refused?: string): Promise<LeasedToken>
  /**
   * Whether a read that the service refused was refused because of its token: how the service reports that is not specified (U6), and most
   * refusals are about what was asked for. If true, `get(suspected)` returns another. Never rejects. A lease without this function
   * replaces a token only after a 401.
   */
  isRefused?(suspected: string): Promise<boolean>
}

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

const checks: Checks<TokenLeaseOptions> = {
  client: must(
    (value) =>
      isRecord(value) && canDo(value, 'deriveKey') && canDo(value.accessTokens, 'create', 'expireDate'),
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

const DAY = 86_400_000
/** How often a token in use is compared with the store: another instance may have had to replace it. After two comparisons all agree. */
const COMPARE_EVERY = 4_000
/** How often a token may be replaced, and the service asked whether that is necessary. */
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
  const shared = sharedToken(client, options.store ?? memoryStore({ now }), now)
  const acquire = acquirer(shared, tokenCreator(options))
  const isTokenRefused = createTokenCheck(client)

  let held: HeldToken | null = null
  /** The last token that the service refused: the next one is created in its place. */
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
    async isRefused(suspected) {
      return suspected !== held?.accessToken || isTokenRefused(held)
    },
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
      inFlight ??= acquire(refused ?? refusedToken).finally(() => {
        inFlight = null
      })
      held = await inFlight
      compareAt = performance.now() + COMPARE_EVERY
      return held
    },
  }
}

/** Gets the live token of the store, or a new one, created by one instance at a time. After a failure it pauses calls to the service. */
function acquirer(shared: ReturnType<typeof sharedToken>, create: () => Promise<HeldToken>) {
  let failure: { error: unknown; until: number } | null = null

  function checkPause(): void {
    if (failure && performance.now() < failure.until) throw failure.error
  }

  async function createUnlessPaused(replaces?: string): Promise<HeldToken> {
    checkPause()
    try {
      return { ...(await create()), replaces }
    } catch (error) {
      const pause = PAUSE.shortest + Math.random() * (PAUSE.longest - PAUSE.shortest)
      failure = { error, until: performance.now() + pause }
      throw error
    }
  }

  return async (refused: string | undefined): Promise<HeldToken> => {
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
        const token = await createUnlessPaused(refused)
        // A store that is unavailable now receives the token later, when the lease compares.
        await shared.write(token).catch(() => {})
        return token
      })
    } catch {
      // Without the store, a token for this process alone is better than none. After a failure of the service, the pause throws its error again.
      return createUnlessPaused(refused)
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
    // A new token that has expired already, or will in a moment, shows that the clocks differ: it would be replaced at once, again and again.
    const isShorter = theirs !== null && theirs > askedAt + REPLACE_EVERY && theirs < ours - CLOCK_SKEW
    return {
      accessToken,
      createdAt: theirs && theirs - lifeMs,
      expiresAt: new Date(isShorter ? theirs : ours),
    }
  }
}

/**
 * Whether the service refuses to tell the expiry date of this token (4.2), at most one request a minute: creating a token may end every
 * open widget (U8), so a refusal of an order must not lead to it. That says something only if the service has told the date before. So the
 * answer is false for a token whose date is not known, and for one that never expires.
 */
function createTokenCheck({ accessTokens }: Pick<PurchaseClient, 'accessTokens'>) {
  let last: { accessToken: string; until: number; answer: Promise<boolean> } | null = null

  return async ({ accessToken, createdAt, expiresAt }: HeldToken): Promise<boolean> => {
    if (createdAt === null || expiresAt === null) return false
    if (last?.accessToken !== accessToken || performance.now() >= last.until) {
      const answer = accessTokens.expireDate(accessToken).then(() => false, isRefusal)
      last = { accessToken, until: performance.now() + REPLACE_EVERY, answer }
    }
    return last.answer
  }
}
