/** Leases of one service, which answers at once, over one store. The clocks stop until a test advances them; only the date can go back. */
import { vi } from 'vitest'
import {
  createPurchaseClient,
  createTokenLease,
  type ExpirationDays,
  memoryStore,
  type Store,
  type TokenLease,
} from '../../src/index.ts'
import { leaseKeyOf } from '../../src/token/sharedToken.ts'
import type { TokenLeaseOptions } from '../../src/token/tokenLease.ts'
import { settings } from '../support/settings.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const DAY = 86_400_000

export interface World {
  now: number
  /** Number of tokens requested from the service. */
  asked: number
  /** The life that was last requested. */
  days: string | undefined
  /** Thrown for each requested token. */
  failure: Error | null
  /** When a token expires that is created now; null: the service does not say. */
  expiry: () => Promise<Date | null>
  store: Store
  /** Calls of the store, by function name. */
  calls: string[]
  key: string
  instance(options?: Partial<TokenLeaseOptions>): TokenLease
}

export async function leases(): Promise<World> {
  let now = Date.now()
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => passed)
  const memory = memoryStore({ now: () => now })
  const { deriveKey, widgetUrl } = createPurchaseClient(settings)
  const accessTokens = {
    async create({ expirationDays }: { expirationDays?: ExpirationDays | undefined } = {}) {
      here.days = expirationDays
      here.asked++
      if (here.failure) throw here.failure
      return { accessToken: `token ${here.asked}` }
    },
    expireDate: async () => ({ expiresAt: await here.expiry() }),
  }
  const here: World = {
    get now() {
      return now
    },
    set now(at) {
      passed += Math.max(0, at - now)
      now = at
    },
    asked: 0,
    days: undefined,
    failure: null,
    expiry: async () => new Date(now + 7 * DAY),
    calls: [],
    key: leaseKeyOf({ deriveKey, widgetUrl }),
    store: {
      ...memory,
      get(key) {
        here.calls.push('get')
        return memory.get(key)
      },
      withLock(key, task) {
        here.calls.push('lock')
        return memory.withLock(key, task)
      },
    },
    instance: (options) =>
      createTokenLease({
        client: { deriveKey, widgetUrl, accessTokens },
        store: here.store,
        now: () => now,
        ...options,
      }),
  }
  return here
}

/** The error that `get` rejects with. */
export const refusalOf = (lease: TokenLease, refused?: string): Promise<unknown> =>
  lease.get(refused).then(
    () => 'no refusal',
    (error: unknown) => error,
  )

/** Lets pending work continue. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
