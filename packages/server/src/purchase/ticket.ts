/** Tickets for `/launch`: signed, for one purchase, one minute, one companion, and the page that requested it. No session is needed. */
import { sign, verify } from 'hono/jwt'
import type { PurchaseClient } from '../client/createPurchaseClient.ts'
import type { Shopper } from './shopper.ts'

export interface Ticket {
  readonly purchaseId: string
  /** The widget's parameters. */
  readonly params: Record<string, string>
  /** Origin of the page that requested it; null for an app. */
  readonly origin: string | null
  readonly shopper: Shopper
}

export type Tickets = ReturnType<typeof createTickets>

const MINUTE = 60_000
const MAX_LENGTH = 32_768

export function createTickets({
  client,
  now,
}: {
  client: Pick<PurchaseClient, 'deriveKey'>
  now: () => number
}) {
  const importKey = () => {
    const secret = new TextEncoder().encode(client.deriveKey('launch ticket'))
    return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
  }
  let made: ReturnType<typeof importKey> | undefined
  /** Imported once: that takes half as long as signing. */
  const key = (): ReturnType<typeof importKey> => {
    made ??= importKey()
    return made
  }
  return {
    /** @param url the companion's address: another companion may have the same keys. */
    issue: async (url: string, ticket: Ticket): Promise<string> =>
      sign({ aud: url, until: now() + MINUTE, ticket }, await key(), 'HS256'),
    /** Null for a ticket that was changed, belongs to another companion, or is malformed. */
    async read(url: string, text: string): Promise<{ ticket: Ticket; hasEnded: boolean } | null> {
      if (text.length > MAX_LENGTH) return null
      try {
        const { ticket, until } = await verify(text, await key(), { alg: 'HS256', aud: url })
        // Signed by `issue`.
        return { ticket: ticket as Ticket, hasEnded: now() >= Number(until) }
      } catch {
        return null
      }
    },
  }
}
