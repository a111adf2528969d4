/** The token as the store holds it, for all instances. */
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { STORE_MS, within } from '../deadline.ts'
import type { SharedState } from '../stores/store.ts'
import { isRecord, isText, parseJson } from '../unknown.ts'

/** Immutable: another token is another object. */
export interface LeasedToken {
  readonly accessToken: string
  /** By the clock of this instance. Null: never. */
  readonly expiresAt: Date | null
}

export interface HeldToken extends LeasedToken {
  /** When it was created, by the service's clock; null if the service did not say. Of several tokens the latest is the live one. */
  readonly createdAt: number | null
  /** The refused token in whose place it was created. */
  readonly replaces?: string | undefined
}

/**
 * A token whose time the service did not say yields to any other: our clock and the service's cannot be compared, and the service often does not
 * say it because another instance has replaced that token meanwhile (U8). One that was created in place of the other is the later one.
 */
export function isLater(held: HeldToken, stored: HeldToken): boolean {
  if (held.replaces === stored.accessToken) return true
  if (stored.replaces === held.accessToken) return false
  return held.createdAt !== null && (stored.createdAt === null || held.createdAt > stored.createdAt)
}

export const isLive = ({ expiresAt }: HeldToken, now: number): boolean =>
  expiresAt === null || expiresAt.getTime() > now

/** Longer than a live holder needs: it may create a token and read its expiry. */
const LOCK_WAIT_MS = 35_000

type Identity = Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>

/** The name of the token in the store. It differs for other keys and other services, whose tokens are useless here. */
export const leaseKeyOf = ({ deriveKey, widgetUrl }: Identity): string =>
  `access-token:${deriveKey(`lease of ${widgetUrl}`).slice(0, 16)}`

/** Each function rejects when the store is unavailable or too slow: a store that hangs must not hang every caller. */
export function sharedToken(client: Identity, store: SharedState, now: () => number) {
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
      if (!isText(accessToken) || !isTime) return null
      const replaces = isText(value.replaces) ? value.replaces : undefined
      // Only the store knows how long it keeps the value.
      const expiresAt = stored.ttlMs === null ? null : new Date(askedAt + stored.ttlMs)
      const token = { accessToken, createdAt, expiresAt, replaces }
      return isLive(token, now()) ? token : null
    },
    async write({ accessToken, createdAt, expiresAt, replaces }: HeldToken): Promise<void> {
      const ttlMs = expiresAt && expiresAt.getTime() - now()
      const value = JSON.stringify({ accessToken, createdAt, replaces })
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
