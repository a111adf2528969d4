/** Has the service create a token, and leaves it alone for a while after a failure. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { ExpirationDays } from '../client/wire.ts'
import type { HeldToken } from './leasedToken.ts'

export interface NewToken {
  /** Fails as the service did a moment ago, so that callers without a token do not all ask it again. */
  checkPause(): void
  create(): Promise<HeldToken>
}

interface NewTokenOptions {
  client: Pick<PurchaseClient, 'accessTokens'>
  expirationDays: ExpirationDays
  /** Null: it never ends. */
  lifeMs: number | null
  now: () => number
}

/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000
/** How long the service is left alone after a failure: at least, and at random up to so much longer. */
const PAUSE = 2_000
const PAUSE_JITTER = 3_000

export function createNewToken({ client, expirationDays, lifeMs, now }: NewTokenOptions): NewToken {
  let failure: { error: unknown; at: number; pauseMs: number } | null = null

  function checkPause(): void {
    if (!failure) return
    const passed = now() - failure.at
    // Less than nothing: the clock was set back.
    if (passed >= 0 && passed < failure.pauseMs) throw failure.error
  }

  /** The service's own word, in case it gives less life than was asked for. Its failure must not cost the new token. */
  async function expiryOf(accessToken: string): Promise<number | undefined> {
    const expiry = await client.accessTokens.expireDate(accessToken).catch(() => null)
    return expiry?.expiresAt?.getTime()
  }

  return {
    checkPause,
    async create() {
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
    },
  }
}
