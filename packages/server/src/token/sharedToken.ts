/** The token as the store holds it, for all instances. */
import * as z from 'zod'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { macOf } from '../client/keys.ts'
import { STORE_MS, within } from '../deadline.ts'
import type { SharedState } from '../stores/store.ts'
import { parseJson } from '../unknown.ts'

/** A value: another token is another object. */
export interface LeasedToken {
  readonly accessToken: string
  /** By the clock of this instance. Null: never. */
  readonly expiresAt: Date | null
}

export interface HeldToken extends LeasedToken {
  /** When it was created, by the service's clock. Of several tokens the latest is the live one. */
  readonly createdAt: number
}

/** Each function rejects when the store is gone, or does not answer in time: a store that hangs must not hang every caller. */
export interface SharedToken {
  /** Null for no live token, and for any other value, e.g. of another version: the next token replaces it. */
  read(): Promise<HeldToken | null>
  write(token: HeldToken): Promise<void>
  withLock<T>(task: () => Promise<T>): Promise<T>
}

type Identity = Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>

/** How long the store holds it is the store's to say. */
const storedToken = z.object({ accessToken: z.string().regex(/\S/), createdAt: z.number() })

/** Longer than a live holder needs: it may create a token and read its expiry. */
const LOCK_WAIT_MS = 35_000

/** The name of the token in the store. It differs for other keys and another service, whose tokens are of no use. */
export async function leaseKeyOf(client: Identity): Promise<string> {
  return `access-token:${(await macOf(client, 'lease', client.widgetUrl)).slice(0, 16)}`
}

interface SharedTokenOptions {
  client: Identity
  store: SharedState
  isLive: (token: HeldToken) => boolean
  now: () => number
}

export function sharedToken({ client, store, isLive, now }: SharedTokenOptions): SharedToken {
  return {
    async read() {
      const askedAt = now()
      const key = await leaseKeyOf(client)
      const stored = await within(STORE_MS, store.get(key), 'The store')
      if (!stored) return null
      const parsed = storedToken.safeParse(parseJson(stored.value))
      if (!parsed.success) return null
      const expiresAt = stored.ttlMs === null ? null : new Date(askedAt + stored.ttlMs)
      const token = { ...parsed.data, expiresAt }
      return isLive(token) ? token : null
    },
    async write({ accessToken, createdAt, expiresAt }) {
      const key = await leaseKeyOf(client)
      const ttlMs = expiresAt && expiresAt.getTime() - now()
      await within(STORE_MS, store.set(key, JSON.stringify({ accessToken, createdAt }), ttlMs), 'The store')
    },
    withLock: async (task) => lockInTime(store, await leaseKeyOf(client), task),
  }
}

/** Limits the wait for the lock, and settles with the task: the store may also hang when the lock is given back. */
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
