/** The token as the store holds it, for all instances. */
import * as z from 'zod'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { SharedState } from '../stores/store.ts'
import type { HeldToken } from './leasedToken.ts'
import { leaseKeyOf } from './leaseKey.ts'

export interface SharedToken {
  /** Null when the store has none that lives. */
  read(): Promise<HeldToken | null>
  write(token: HeldToken): Promise<void>
  withLock<T>(task: () => Promise<T>): Promise<T>
}

interface SharedTokenOptions {
  client: Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>
  store: Pick<SharedState, 'get' | 'set' | 'withLock'>
  isLive: (token: HeldToken, at: number) => boolean
  now: () => number
}

/** What the store holds of a token, as JSON. How long it lives is the store's to say. */
const storedToken = z.object({ accessToken: z.string().regex(/\S/), createdAt: z.number() })

export function createSharedToken({ client, store, isLive, now }: SharedTokenOptions): SharedToken {
  return {
    async read() {
      const askedAt = now()
      const stored = await store.get(await leaseKeyOf(client))
      const parsed = stored && parseStored(stored.value)
      if (!parsed) return null
      const expiresAt = stored.ttlMs === null ? null : new Date(askedAt + stored.ttlMs)
      const token = { ...parsed, expiresAt }
      return isLive(token, now()) ? token : null
    },
    async write({ accessToken, createdAt, expiresAt }) {
      const ttlMs = expiresAt && expiresAt.getTime() - now()
      await store.set(await leaseKeyOf(client), JSON.stringify({ accessToken, createdAt }), ttlMs)
    },
    withLock: async (task) => store.withLock(await leaseKeyOf(client), task),
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
