/** Tickets for `/launch`: one purchase, signed, for one minute, at one companion, for the page that asked for it. No session is needed. */
import * as z from 'zod'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import { fromBase64url, toBase64url } from '../client/keys.ts'
import type { Shopper } from './shopper.ts'

export interface Ticket {
  readonly purchaseId: string
  /** The widget's. */
  readonly params: Record<string, string>
  /** Of the page that asked; null for an app. */
  readonly origin: string | null
  readonly shopper: Shopper
}

export interface Tickets {
  /** @param url the companion's address: another companion may have the same keys. */
  issue(url: string, ticket: Ticket): Promise<string>
  /** Null for a ticket that was changed, is another companion's, or is none. */
  read(url: string, text: string): Promise<{ ticket: Ticket; hasEnded: boolean } | null>
}

const MINUTE = 60_000
const LONGEST = 32_768

const shopper = z.union([
  z.object({ customId: z.string(), userId: z.string().optional() }),
  z.object({ userId: z.string() }),
])
const ticket = z.object({
  purchaseId: z.string(),
  params: z.record(z.string(), z.string()),
  origin: z.string().nullable(),
  shopper,
})
const content = z.object({ until: z.number(), url: z.string(), ticket })

export function createTickets({
  client,
  now,
}: {
  client: Pick<PurchaseClient, 'deriveKey'>
  now: () => number
}): Tickets {
  const key = (): ReturnType<PurchaseClient['deriveKey']> => client.deriveKey('launch ticket')
  return {
    async issue(url, ticket) {
      const signed = new TextEncoder().encode(JSON.stringify({ until: now() + MINUTE, url, ticket }))
      const signature = await crypto.subtle.sign('HMAC', await key(), signed)
      return `${toBase64url(signed)}.${toBase64url(new Uint8Array(signature))}`
    },
    async read(url, text) {
      if (text.length > LONGEST) return null
      const [signed, signature] = text.split('.').map(fromBase64url)
      if (!signed || !signature) return null
      if (!(await crypto.subtle.verify('HMAC', await key(), signature, signed))) return null
      const issued = content.parse(JSON.parse(new TextDecoder().decode(signed)))
      return issued.url === url ? { ticket: issued.ticket, hasEnded: now() >= issued.until } : null
    },
  }
}
