/** Has the service create a token, and finds out how long it lives. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { ExpirationDays } from '../client/wire.ts'
import type { HeldToken } from './leasedToken.ts'

interface NewTokenOptions {
  client: Pick<PurchaseClient, 'accessTokens'>
  expirationDays: ExpirationDays
  /** Null: it never ends. */
  lifeMs: number | null
  now: () => number
}

/** How far the service's clock and ours may be apart before its expiry date counts as a shorter life. */
const CLOCK_SKEW = 600_000

export async function newToken({
  client: { accessTokens },
  expirationDays,
  lifeMs,
  now,
}: NewTokenOptions): Promise<HeldToken> {
  const askedAt = now()
  const { accessToken } = await accessTokens.create({ expirationDays })
  if (lifeMs === null) return { accessToken, createdAt: askedAt, expiresAt: null }
  // The service's own word, in case it gives less life than was asked for. Its failure must not cost the new token.
  const expiry = await accessTokens.expireDate(accessToken).catch(() => null)
  const ours = askedAt + lifeMs
  const theirs = expiry?.expiresAt?.getTime() ?? ours
  const endsAt = theirs < ours - CLOCK_SKEW ? theirs : ours
  return { accessToken, createdAt: theirs - lifeMs, expiresAt: new Date(endsAt) }
}
