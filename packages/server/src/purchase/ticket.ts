/** Tickets for `/launch`: the widget's parameters of one purchase, signed, for one minute, at one companion. Who holds one needs no session. */
import * as z from 'zod'
import { fromBase64url, toBase64url } from '../client/base64url.ts'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'

export interface Tickets {
  /** @param url the companion's address: another companion may have the same keys. */
  issue(url: string, params: Record<string, string>): Promise<string>
  /** The parameters; null for a ticket that has ended, was changed, is another companion's, or is none. */
  read(url: string, ticket: string): Promise<Record<string, string> | null>
}

const MINUTE = 60_000
const LONGEST = 32_768

const content = z.object({ until: z.number(), url: z.string(), params: z.record(z.string(), z.string()) })

export function createTickets({
  client,
  now,
}: {
  client: Pick<PurchaseClient, 'deriveKey'>
  now: () => number
}): Tickets {
  const key = (): ReturnType<PurchaseClient['deriveKey']> => client.deriveKey('launch ticket')
  return {
    async issue(url, params) {
      const signed = new TextEncoder().encode(JSON.stringify({ until: now() + MINUTE, url, params }))
      const signature = await crypto.subtle.sign('HMAC', await key(), signed)
      return `${toBase64url(signed)}.${toBase64url(new Uint8Array(signature))}`
    },
    async read(url, ticket) {
      if (ticket.length > LONGEST) return null
      const [signed, signature] = ticket.split('.').map(fromBase64url)
      if (!signed || !signature) return null
      if (!(await crypto.subtle.verify('HMAC', await key(), signature, signed))) return null
      const issued = content.parse(JSON.parse(new TextDecoder().decode(signed)))
      return now() < issued.until && issued.url === url ? issued.params : null
    },
  }
}
