/** That the service has just refused to create a token, as the store holds it: so that the other instances do not ask it the same. */
import * as z from 'zod'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { ApiError } from '../errors.ts'
import type { SharedState } from '../stores/store.ts'
import { leaseKeyOf } from './leaseKey.ts'

export interface Refusal {
  error: ApiError
  /** How long the service is left alone. */
  pauseMs: number
}

/** The longest pause, in milliseconds. */
export const LONGEST_PAUSE = 5_000

export interface SharedRefusal {
  /** Null when none holds. */
  read(): Promise<Refusal | null>
  write(refusal: Refusal): Promise<void>
}

interface SharedRefusalOptions {
  client: Pick<PurchaseClient, 'deriveKey' | 'widgetUrl'>
  store: Pick<SharedState, 'get' | 'set'>
}

/** What the store holds of a refusal, as JSON. No text of the service's: that stays with the instance that asked. */
const storedRefusal = z.object({
  status: z.number(),
  refusedBy: z.literal(['service', 'unclear', 'other']),
})

export function createSharedRefusal({ client, store }: SharedRefusalOptions): SharedRefusal {
  const key = async (): Promise<string> => `${await leaseKeyOf(client)}:refused`
  return {
    async read() {
      const stored = await store.get(await key())
      const refusal = stored && parseStored(stored.value)
      // One that lasts longer is not ours, or the store's clock was set back.
      if (!refusal || stored.ttlMs === null || stored.ttlMs > LONGEST_PAUSE) return null
      return { error: told(refusal), pauseMs: stored.ttlMs }
    },
    async write({ error: { status, refusedBy }, pauseMs }) {
      await store.set(await key(), JSON.stringify({ status, refusedBy }), pauseMs)
    },
  }
}

const told = ({ status, refusedBy }: z.infer<typeof storedRefusal>): ApiError =>
  new ApiError(
    'accessTokens.create',
    `another instance was just refused (${status}); its own error says why. The service is asked again in a few seconds.`,
    { status, refusedBy },
  )

function parseStored(value: string): z.infer<typeof storedRefusal> | null {
  try {
    return storedRefusal.parse(JSON.parse(value))
  } catch {
    return null
  }
}
